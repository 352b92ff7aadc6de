/** From the embeddings of all clips of a training to its sets and to the scores that are validated. Pure. */
import { allWindows, type Rows, type Windows, windowsAt, withIdleRows } from "./Features.ts"
import { headLogits, type HeadWeights, sigmoid } from "./Head.ts"
import type { PlannedUtterance } from "./Plan.ts"
import { clipSamples } from "./Augment.ts"
import { embeddingSize, headSteps, stepSamples } from "./Shape.ts"
import type { TrainingSet } from "./Train.ts"
import { type Measured, measure } from "./Validate.ts"

/** Embeddings of one clip from `prepareClip`. */
export interface ClipRows extends Pick<PlannedUtterance, "kind" | "part"> {
  readonly rows: Rows
}

/** Row at which the window of the word begins: it ends with the 2 s of a placed clip. */
const wordStart = Math.floor(clipSamples / stepSamples) - headSteps

/** The sets of a training. Clips of the held-out part are not used. */
export const trainingSet = (clips: ReadonlyArray<ClipRows>): TrainingSet => {
  const joined = (part: "train" | "check", ...kinds: ReadonlyArray<PlannedUtterance["kind"]>) =>
    joinRows(clips.flatMap((clip) => (clip.part === part && kinds.includes(clip.kind) ? [clip.rows] : [])))
  const words = (part: "train" | "check"): Windows => {
    const { lengths, rows } = joined(part, "positive")
    return windowsAt(rows, lengths, (length) => (length < wordStart + headSteps ? [] : [wordStart]))
  }
  const others = (part: "train" | "check", ...kinds: ReadonlyArray<PlannedUtterance["kind"]>): Windows => {
    const { lengths, rows } = joined(part, ...kinds)
    return allWindows(rows, lengths)
  }
  return {
    positives: words("train"),
    adversarial: others("train", "adversarial"),
    negatives: others("train", "negative"),
    checkPositives: words("check"),
    checkNegatives: others("check", "negative")
  }
}

const joinRows = (clips: ReadonlyArray<Rows>) => {
  const rows = new Float32Array(clips.reduce((size, clip) => size + clip.length, 0))
  let at = 0
  for (const clip of clips) {
    rows.set(clip, at)
    at += clip.length
  }
  return { rows, lengths: clips.map((clip) => clip.length / embeddingSize) }
}

/** Scores of all steps of a clip, as a stream gives them. `idle`: from the extractor. */
export const clipScores = (weights: HeadWeights, rows: Rows, idle: Float32Array): Float32Array => {
  const starts = Array.from({ length: rows.length / embeddingSize }, (_, step) => step)
  return Float32Array.from(headLogits(weights, withIdleRows(rows, idle), starts), sigmoid)
}

/** Measures a head on the clips of one part. Near phrases do not count as hours of speech. */
export const measureClips = (
  weights: HeadWeights,
  clips: ReadonlyArray<ClipRows>,
  part: PlannedUtterance["part"],
  idle: Float32Array
): Measured => {
  const scores = (kind: PlannedUtterance["kind"]) =>
    clips.flatMap((clip) => (clip.part === part && clip.kind === kind ? [clipScores(weights, clip.rows, idle)] : []))
  return measure(scores("negative"), scores("positive"))
}
