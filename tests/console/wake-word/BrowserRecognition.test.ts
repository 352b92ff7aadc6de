/** The browser's own recognition, by a double of the Web Speech API that the test speaks for. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { hasRecognition, recognise } from "../../../console/wake-word/BrowserRecognition.ts"

class Recognition {
  static readonly made: Array<Recognition> = []
  lang = ""
  starts = 0
  aborted = false
  onresult!: (event: unknown) => void
  onerror!: (event: { readonly error: string }) => void
  onend!: () => void

  constructor() {
    Recognition.made.push(this)
  }

  start(): void {
    this.starts++
  }

  abort(): void {
    this.aborted = true
  }

  /** Result `index` is now this sentence. */
  says(index: number, transcript: string): void {
    const results = Array.from({ length: index + 1 }, () => [{ transcript, confidence: 0.8 }])
    this.onresult({ resultIndex: index, results })
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal("SpeechRecognition", Recognition)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const begin = () => {
  const heard = vi.fn()
  const failed = vi.fn()
  const end = recognise("computer", "de", heard, failed)
  return { heard, failed, end, recognition: Recognition.made.at(-1)! }
}

it("wakes once for a long sentence, whose interim results repeat the word", () => {
  const { heard, recognition } = begin()
  expect([recognition.lang, recognition.starts]).toEqual(["de-DE", 1])
  recognition.says(0, "Computer")
  vi.advanceTimersByTime(3_000)
  recognition.says(0, "Computer wie wird das Wetter")
  expect(heard.mock.calls).toEqual([[0.8]])
  recognition.says(0, "Computer wie wird das Wetter Computer")
  recognition.says(1, "Computer")
  expect(heard).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(2_000)
  recognition.says(2, "Computer")
  expect(heard).toHaveBeenCalledTimes(3)
})

it("starts again when a turn ends, and counts from the start", () => {
  const { end, failed, heard, recognition } = begin()
  recognition.says(0, "Computer")
  recognition.onerror({ error: "no-speech" })
  recognition.onend()
  vi.advanceTimersByTime(3_000)
  expect(recognition.starts).toBe(2)
  recognition.says(0, "Computer")
  expect([heard.mock.calls.length, failed.mock.calls.length]).toEqual([2, 0])
  end()
  recognition.onend()
  vi.advanceTimersByTime(3_000)
  expect([recognition.starts, recognition.aborted]).toEqual([2, true])
})

it.each([
  ["not-allowed", 1],
  ["audio-capture", 1],
  ["network", 5]
])("gives up after the error %s, which came %i times", (error, times) => {
  const { failed, recognition } = begin()
  for (let count = 1; count < times; count++) recognition.onerror({ error })
  expect(failed).not.toHaveBeenCalled()
  recognition.onerror({ error })
  expect(failed).toHaveBeenCalledTimes(1)
  recognition.onerror({ error })
  expect([failed.mock.calls.length, recognition.aborted]).toEqual([1, true])
})

it("knows whether the browser has one", () => {
  expect(hasRecognition()).toBe(true)
  vi.unstubAllGlobals()
  expect(hasRecognition()).toBe(false)
})
