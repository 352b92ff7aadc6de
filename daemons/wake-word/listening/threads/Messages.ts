/** Messages between the process and a thread of inference. */
import type { ExtractorSource } from "../../engine/Exports.ts"

/** Data that a thread starts with. */
export interface ThreadStart {
  readonly source: ExtractorSource
}

/** Audio of one stream since the last message. */
export interface AudioPart {
  readonly stream: number
  readonly bytes: Uint8Array
}

/** Audio of several streams in one buffer, which can be handed over without a copy. */
export interface JoinedAudio {
  readonly streams: ReadonlyArray<number>
  /** Length of each part. Unit: bytes. */
  readonly lengths: ReadonlyArray<number>
  readonly bytes: Uint8Array<ArrayBuffer>
}

export const joinAudio = (parts: ReadonlyArray<AudioPart>): JoinedAudio => {
  const lengths = parts.map(({ bytes }) => bytes.length)
  const all = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  for (const { bytes } of parts) {
    all.set(bytes, at)
    at += bytes.length
  }
  return { streams: parts.map(({ stream }) => stream), lengths, bytes: all }
}

export const splitAudio = ({ bytes, lengths, streams }: JoinedAudio): ReadonlyArray<AudioPart> => {
  let at = 0
  return streams.map((stream, index) => ({ stream, bytes: bytes.subarray(at, (at += lengths[index]!)) }))
}

export type ToThread =
  /** Loads a model under a key. */
  | { readonly kind: "model"; readonly key: string; readonly file: Uint8Array; readonly threshold: number }
  | { readonly kind: "drop"; readonly key: string }
  /** Begins a stream, or gives it another model. Steps wait until the model is loaded. */
  | { readonly kind: "use"; readonly stream: number; readonly key: string }
  | ({ readonly kind: "audio" } & JoinedAudio)
  | { readonly kind: "end"; readonly stream: number }

export interface Wake {
  readonly stream: number
  readonly key: string
  readonly score: number
}

export type FromThread =
  /** The runtime is loaded, or `problem` says why not. */
  | { readonly kind: "started"; readonly problem: string | undefined }
  | { readonly kind: "model"; readonly key: string; readonly problem: string | undefined }
  /** One step of each of these streams is computed. */
  | { readonly kind: "steps"; readonly streams: ReadonlyArray<number>; readonly wakes: ReadonlyArray<Wake> }
  /** The steps of these streams could not be computed. */
  | { readonly kind: "broken"; readonly streams: ReadonlyArray<number>; readonly problem: string }
