/** Messages between the process and a thread of inference. */
import type { ExtractorSource } from "../../engine/Exports.ts"

/** Data that a thread starts with. */
export interface ThreadStart {
  readonly source: ExtractorSource
  /** Whether the thread is in a native call. */
  readonly calls: SharedArrayBuffer
}

export type ToThread =
  /** Loads a model under a key. */
  | { readonly kind: "model"; readonly key: string; readonly file: Uint8Array; readonly threshold: number }
  | { readonly kind: "drop"; readonly key: string }
  /** Begins a stream, whose audio is in the `AudioRing` of this memory. Steps wait until the model is loaded. */
  | { readonly kind: "begin"; readonly stream: number; readonly key: string; readonly audio: SharedArrayBuffer }
  /** Gives a stream another model. */
  | { readonly kind: "use"; readonly stream: number; readonly key: string }
  /** A step of each of these streams is complete, whose rings are asleep. */
  | { readonly kind: "audio"; readonly streams: ReadonlyArray<number> }
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
  /** The rings of these streams have room, for which the process waits. */
  | { readonly kind: "room"; readonly streams: ReadonlyArray<number> }
  | { readonly kind: "wakes"; readonly wakes: ReadonlyArray<Wake> }
  /** The steps of these streams could not be computed. */
  | { readonly kind: "broken"; readonly streams: ReadonlyArray<number>; readonly problem: string }
