/** Messages between the thread of a phase and its helper threads. */
import type { MessagePort } from "node:worker_threads"
import type { PlannedUtterance } from "#protocols/wake-word/Plan.ts"
import type { PrepareOptions } from "#protocols/wake-word/Prepare.ts"
import type { NetworkSettings, TrainingSet } from "#protocols/wake-word/Train.ts"
import type { Utterance } from "#protocols/wake-word/Voices.ts"
import type { PhaseStart } from "./Messages.ts"

/** Data that a helper thread starts with. */
export interface HelperData {
  readonly start: Pick<PhaseStart, "niceness" | "source">
  /** Of the helper thread itself: whether it is in a native call. */
  readonly calls: SharedArrayBuffer
  /** To the thread of the phase. */
  readonly port: MessagePort
}

/** A clip, and how it becomes inputs of a training. */
export interface ClipTask {
  readonly clip: Int16Array
  readonly before?: Int16Array
  /** Undefined: the clip stays as it is. */
  readonly prepare?: {
    readonly of: Pick<PlannedUtterance, "kind" | "part">
    readonly options: Omit<PrepareOptions, "before">
  }
}

/** Kinds of tasks, and the items of their results. */
export interface Tasks {
  /** Result: the utterances, 16 kHz. */
  readonly speak: {
    readonly task: { readonly utterances: ReadonlyArray<Utterance>; readonly data: string | undefined }
    readonly result: Int16Array
  }
  /** Result: the copies. */
  readonly augment: { readonly task: ClipTask; readonly result: Int16Array }
  /** Result: the embeddings of each copy. */
  readonly features: { readonly task: ClipTask; readonly result: Float32Array }
  /** `set`: in shared memory. `checkpoint`: path of the stored state. Result: the weights of one network. */
  readonly train: {
    readonly task: { readonly set: TrainingSet; readonly settings: NetworkSettings; readonly checkpoint: string }
    readonly result: Float32Array
  }
}

export type TaskKind = keyof Tasks

export type ToHelper = {
  readonly [Kind in TaskKind]: { readonly kind: Kind; readonly task: Tasks[Kind]["task"] }
}[TaskKind]

export type FromHelper =
  /** 0 to 1, of the oldest task. */
  | { readonly kind: "progress"; readonly share: number }
  | { readonly kind: "done"; readonly results: ReadonlyArray<Int16Array | Float32Array> }
  | { readonly kind: "failed"; readonly problem: string }
