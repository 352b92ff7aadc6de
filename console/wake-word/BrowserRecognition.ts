/**
 * The browser's own speech recognition, which listens when no model can. Some browsers send the sound to their maker.
 * Source: Web Speech API (W3C Community Group).
 */
import { tagOf, timesSpoken } from "./Spoken.ts"

/** The part of the interface that is used. */
interface Recognition {
  continuous: boolean
  interimResults: boolean
  lang: string
  onresult: ((event: { readonly resultIndex: number; readonly results: ArrayLike<Result> }) => void) | null
  onerror: ((event: { readonly error: string }) => void) | null
  onend: (() => void) | null
  start(): void
  abort(): void
}
type Result = ArrayLike<{ readonly transcript: string; readonly confidence: number }>

const constructorOf = (): (new () => Recognition) | undefined => {
  const names = globalThis as unknown as Record<string, (new () => Recognition) | undefined>
  return names["SpeechRecognition"] ?? names["webkitSpeechRecognition"]
}

export const hasRecognition = (): boolean => constructorOf() !== undefined

/** Pause after a wake. Unit: milliseconds. Reason: the same as the server's. */
const pause = 2_000

/** Delay before the recognition starts again, which ends by itself after silence. Unit: milliseconds. */
const again = 250

/** Errors after which a new start is useless. The others, such as `no-speech`, end one turn only. */
const final = new Set(["not-allowed", "service-not-allowed", "audio-capture", "language-not-supported"])

/** Ends of a turn by an error without any result before the recognition gives up. */
const mostErrors = 5

/** Calls `heard` for each time the word is spoken. `failed`: it will hear nothing more. Returns its end. */
export const recognise = (
  word: string,
  language: string,
  heard: (confidence: number) => void,
  failed: () => void
): (() => void) => {
  const recognition = new (constructorOf()!)()
  let [quietUntil, errors, ended] = [0, 0, false]
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Times that each result of this turn had the word. Interim results repeat the sentence so far. */
  let counted: Array<number> = []
  const end = () => {
    ended = true
    clearTimeout(timer)
    recognition.abort()
  }
  const giveUp = () => {
    if (ended) return
    end()
    failed()
  }
  recognition.continuous = true
  recognition.interimResults = true
  recognition.lang = tagOf(language)
  recognition.onresult = ({ resultIndex, results }) => {
    errors = 0
    for (let at = resultIndex; at < results.length; at++) {
      const best = results[at]?.[0]
      if (best === undefined) continue
      const [before, times] = [counted[at] ?? 0, timesSpoken(best.transcript, word)]
      counted[at] = Math.max(before, times)
      if (times <= before || Date.now() < quietUntil) continue
      quietUntil = Date.now() + pause
      heard(best.confidence)
    }
  }
  recognition.onerror = ({ error }) => {
    if (error === "no-speech" || error === "aborted") return
    errors++
    if (final.has(error) || errors >= mostErrors) giveUp()
  }
  const start = () => {
    if (ended) return
    counted = []
    try {
      recognition.start()
    } catch {
      giveUp()
    }
  }
  recognition.onend = () => {
    if (!ended) timer = setTimeout(start, again)
  }
  start()
  return end
}
