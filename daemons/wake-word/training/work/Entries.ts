/** Entries of the results of phases. */
import type { PlannedUtterance } from "#protocols/wake-word/Plan.ts"
import type { Part } from "#protocols/wake-word/Voices.ts"

export type Kind = PlannedUtterance["kind"]

/** A spoken clip in the result of `samples_tts`, or a placed one in that of `augment`: Int16 little-endian. */
export interface ClipEntry {
  readonly kind: Kind
  readonly part: Part
  readonly voice: string
  /** First sample in the data, and number of samples. */
  readonly from: number
  readonly samples: number
}

/** Embeddings of a clip in the result of `features`: float32 little-endian, 96 values a row. */
export interface RowsEntry {
  readonly kind: Kind
  readonly part: Part
  readonly voice: string
  /** First row in the data, and number of rows. */
  readonly from: number
  readonly rows: number
}

/** The result of `train`: the weights of the networks. */
export interface WeightsEntry {
  readonly hidden: number
}

/** The bytes of numbers, without a copy. The machines that this runs on are little-endian. */
export const bytesOf = ({ buffer, byteLength, byteOffset }: Int16Array | Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Bytes as samples. */
export const samplesOf = (bytes: Uint8Array): Int16Array =>
  new Int16Array(bytes.slice().buffer, 0, Math.floor(bytes.byteLength / 2))

/** Bytes as numbers. */
export const floatsOf = (bytes: Uint8Array): Float32Array =>
  new Float32Array(bytes.slice().buffer, 0, Math.floor(bytes.byteLength / 4))
