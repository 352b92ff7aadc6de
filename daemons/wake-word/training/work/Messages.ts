/** Messages between the runner and the thread of one phase. */
import type { MessagePort } from "node:worker_threads"
import type { ExtractorSource } from "../../engine/Exports.ts"
import type { ModelStore } from "../../models/Exports.ts"
import type { Phase, Size } from "../Phases.ts"
import type { Recording, RecordingRows } from "../Recordings.ts"
import type { Report } from "../Store.ts"

/** `workerData` of the thread that runs a phase. */
export interface PhaseData {
  readonly start: PhaseStart
  /** Whether the thread is in a native call. */
  readonly calls: SharedArrayBuffer
  /** To the helper threads. */
  readonly helpers: ReadonlyArray<MessagePort>
}

/** The phase and what it needs. */
export interface PhaseStart {
  readonly phase: Phase
  readonly word: string
  readonly language: string
  readonly seed: number
  readonly size: Size
  /** Folder of the training. */
  readonly folder: string
  readonly source: ExtractorSource
  /** Of the thread and of the programs that it starts: 0 is normal, 19 the lowest priority. */
  readonly niceness: number
  /** Findings of earlier phases. */
  readonly report: Report
  /** In `features`: the recordings. */
  readonly recordings: ReadonlyArray<Recording>
  /** In `train` and `validate`: embeddings of the recordings. */
  readonly recordingRows: ReadonlyArray<RecordingRows>
  /** In `samples_tts`: utterances by the speech gateway, as WAV. */
  readonly gatewayWavs: ReadonlyArray<Uint8Array>
}

export interface PhaseResult {
  readonly report?: Report
  /** Of `features`. */
  readonly rows?: ReadonlyArray<Pick<RecordingRows, "id" | "features">>
  /** Of `save`. */
  readonly model?: Pick<ModelStore.NewModel, "file" | "sha256" | "extractor" | "threshold">
}

export type FromPhase =
  /** 0 to 1. */
  | { readonly kind: "progress"; readonly share: number }
  | { readonly kind: "done"; readonly result: PhaseResult }
  /** `missing`: the result of this earlier phase is not in the folder, or is broken. */
  | { readonly kind: "failed"; readonly problem: string; readonly missing: Phase | undefined }
