/** Embeddings of all clips of a training: spoken ones from the result of `features`, recordings from the database. */
import type { ClipRows } from "#protocols/wake-word/Collect.ts"
import { embeddingSize, stepSamples } from "#protocols/wake-word/Shape.ts"
import { clipSamples } from "#protocols/wake-word/Augment.ts"
import type { RecordingRows } from "../Recordings.ts"
import { readData, readIndex } from "./Artefacts.ts"
import { floatsOf, type RowsEntry } from "./Entries.ts"
import type { PhaseStart } from "./Messages.ts"

export interface Clip extends ClipRows {
  /** Null: a recording of a person. */
  readonly voice: string | null
}

/** Throws `MissingResult`. */
export const allClips = async ({ folder, recordingRows }: PhaseStart): Promise<ReadonlyArray<Clip>> => {
  const entries = await readIndex<RowsEntry>(folder, "features")
  const rows = floatsOf(await readData(folder, "features"))
  return [
    ...entries.map(({ from, kind, part, rows: count, voice }) => ({
      kind,
      part,
      voice,
      rows: rows.subarray(from * embeddingSize, (from + count) * embeddingSize)
    })),
    ...recordingRows.flatMap(ofRecording)
  ]
}

/** Values of one copy of a recording for training: 2 s. */
const copyValues = Math.floor(clipSamples / stepSamples) * embeddingSize

/** The copies of a recording. A held-out one has a single, longer copy. */
const ofRecording = ({ features, held_out }: RecordingRows): ReadonlyArray<Clip> => {
  const rows = floatsOf(features)
  if (held_out) return [{ kind: "positive", part: "heldOut", voice: null, rows }]
  return Array.from({ length: Math.floor(rows.length / copyValues) }, (_, copy) => ({
    kind: "positive" as const,
    part: "train" as const,
    voice: null,
    rows: rows.subarray(copy * copyValues, (copy + 1) * copyValues)
  }))
}
