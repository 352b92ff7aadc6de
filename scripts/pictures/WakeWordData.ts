/** Demonstration data of the wake word: recordings, and a model of a small training. */
import { writeWav } from "../../core/speech/WavFile.ts"
import type { Ask } from "./Place.ts"
import type { Examples } from "./Shots.ts"

const word = "Computer"

/** Rate of the recordings. Unit: hertz. */
const rate = 16_000
/** Length of a recording. Unit: seconds. */
const length = 1

/** Longest wait for the training. Unit: milliseconds. Reason: a small one takes a minute on an idle machine. */
const patience = 300_000
/** Time between looks at the training. Unit: milliseconds. */
const look = 2_000

/** A tone instead of a voice: the pages show only length and speaker. */
const recording = (hertz: number): Uint8Array => {
  const samples = Int16Array.from(
    { length: rate * length },
    (_, at) => 8_000 * Math.sin((2 * Math.PI * hertz * at) / rate)
  )
  return writeWav(Buffer.from(samples.buffer), rate)
}

/** Uploads recordings of two speakers. */
export const recordings = async (ask: Ask): Promise<Examples> => {
  for (const [speaker, hertz] of [
    ["Anna", 220],
    ["Ben", 110]
  ] as const) {
    const form = new FormData()
    form.append("word", word)
    form.append("speaker", speaker)
    form.append("files", new Blob([Uint8Array.from(recording(hertz))], { type: "audio/wav" }), `${speaker}.wav`)
    await ask("POST", "/api/v1/wakeword/samples/upload", form)
  }
  const { items } = await ask("GET", "/api/v1/wakeword/samples")
  return { "/wake-word/recordings/:word": items[0]?.word }
}

/** Starts a training. The returned function waits for its model. */
export const training = async (ask: Ask): Promise<() => Promise<Examples>> => {
  const { id, name } = await ask("POST", "/api/v1/wakeword/train", { word, language: "de", size: "small" })
  return async () => {
    for (const until = Date.now() + patience; Date.now() < until;) {
      const { problem, state } = await ask("GET", `/api/v1/wakeword/training/${id}`)
      if (state === "done") return { "/wake-word/models/:name": name }
      if (state === "failed" || state === "cancelled") throw new Error(`the training ended: ${state} ${problem}`)
      await new Promise((resolve) => setTimeout(resolve, look))
    }
    throw new Error(`the training is not done after ${patience / 1_000} s`)
  }
}
