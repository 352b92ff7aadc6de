/**
 * Several short utterances by one voice in one run of espeak-ng. Reason: a start of the program takes four times as
 * long as a spoken word. Each utterance has its own speed and pitch. Pure: starts no process.
 */
import { Result } from "effect"
import type { PlannedUtterance } from "./Plan.ts"
import { espeakArguments, type Utterance } from "./Voices.ts"
import { to16kHz } from "./Wav.ts"
import { readWavHeader } from "./WavHeader.ts"

/** Maximum number of utterances of one run. Reason: with their pauses they have a minute of audio, 2.6 MB. */
const longest = 12

/** The utterances of each run, as indices. Other speech is long and has a run for each text. */
export const inSeries = (
  utterances: ReadonlyArray<Pick<PlannedUtterance, "kind" | "voice">>
): ReadonlyArray<ReadonlyArray<number>> => {
  const runs: Array<Array<number>> = []
  const open = new Map<string, Array<number>>()
  for (const [index, { kind, voice }] of utterances.entries()) {
    const run = kind === "negative" ? undefined : open.get(voice)
    if (run !== undefined && run.length < longest) {
      run.push(index)
      continue
    }
    const begun = [index]
    runs.push(begun)
    if (kind !== "negative") open.set(voice, begun)
  }
  return runs
}

/** Arguments of espeak-ng for `seriesText`, by the voice of the first utterance. */
export const seriesArguments = (first: Utterance, data?: string): ReadonlyArray<string> => [
  "-m",
  ...espeakArguments(first, data)
]

/**
 * Pause between two utterances. Unit: milliseconds at 175 words a minute; espeak-ng shortens it with the speed, to
 * 0.87 s at 225 words a minute.
 */
const pause = 2_000

/** SSML of sentences. A byte 1 begins a command of espeak-ng: `130S` sets the speed, `40P` the pitch, as -s and -p. */
export const seriesText = (utterances: ReadonlyArray<Utterance>): string => {
  const sentences = utterances.map(
    ({ pitch, speed, text }) => `<s>\u0001${speed}S\u0001${pitch}P${escaped(text)}</s><break time="${pause}ms"/>`
  )
  return `<speak>${sentences.join("")}</speak>`
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

const escaped = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- a control character would begin a command of espeak-ng
  text.replace(/[\u0000-\u001f]/g, " ").replace(/[&<>]/g, (sign) => entities[sign]!)

/** Highest sample of a pause. Reason: the echo that some voices have falls below it within the pause. */
const silence = 8

/** Shortest silence between two utterances. Unit: seconds. A comma at 125 words a minute has 0.4 s. */
const between = 0.55

/** Silence kept on both sides of an utterance. Unit: seconds. */
const kept = 0.02

/**
 * Divides the audio of a run at its pauses into the utterances, at 16 kHz. `count`: number of utterances that were
 * spoken. Undefined when the audio has another number of parts.
 */
export const readSeries = (wav: Uint8Array, count: number): ReadonlyArray<Int16Array> | undefined => {
  const header = Result.getOrUndefined(readWavHeader(wav))
  if (header === undefined || header.encoding !== "pcm" || header.bits !== 16 || header.channels !== 1) return undefined
  const end = header.dataOffset + header.dataBytes - (header.dataBytes % 2)
  // The copy begins at an even address.
  const samples = new Int16Array(Uint8Array.prototype.slice.call(wav, header.dataOffset, end).buffer)
  const parts = soundIn(samples, between * header.sampleRate)
  if (parts.length !== count) return undefined
  const margin = Math.round(kept * header.sampleRate)
  return parts.map(([from, to]) => {
    const part = Float32Array.from(samples.subarray(Math.max(0, from - margin), to + margin))
    for (let at = 0; at < part.length; at++) part[at]! /= 32_768
    return to16kHz(part, header.sampleRate)
  })
}

/** Parts with sound, between silences of at least `gap` samples: first sample, and the one after the last. */
const soundIn = (samples: Int16Array, gap: number): ReadonlyArray<readonly [number, number]> => {
  const parts: Array<[number, number]> = []
  let part: [number, number] | undefined
  for (let at = 0; at < samples.length; at++) {
    if (Math.abs(samples[at]!) <= silence) continue
    if (part === undefined || at - part[1] > gap) parts.push((part = [at, at]))
    part[1] = at + 1
  }
  return parts
}
