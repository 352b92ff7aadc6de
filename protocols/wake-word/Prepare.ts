/** From spoken or recorded clips to the inputs of a training. Pure and deterministic by seed. */
import { augment, clipSamples, otherVoice, placeClip } from "./Augment.ts"
import type { PlannedUtterance } from "./Plan.ts"
import { makeRandom, seedOf } from "./Random.ts"

/**
 * Variants of one clip in the train part; the other parts have one. Reason: other noise, gain and room. More utterances
 * help more than more variants of each: daemons/wake-word/README.md.
 */
const copies: Readonly<Record<PlannedUtterance["kind"], number>> = { positive: 2, adversarial: 3, negative: 1 }

/** Variants of one recording. Reason: recordings are few, and count more than synthetic speech. */
export const recordingCopies = 4

/** Share of positives that follow other speech, as in "and now, WORD". */
const afterSpeech = 0.4

/** Silence behind a placed clip outside the train part, as in a stream that goes on. Unit: samples; 0.5 s. */
const after = 8_000

export interface PrepareOptions {
  readonly seed: number
  /** Number of the clip in its training, so that clips do not depend on their order. */
  readonly index: number
  /** Other speech of the same part, for the time before the word. */
  readonly before?: Int16Array
  /** Number of variants in the train part. Default: as spoken clips of this kind. */
  readonly count?: number
}

/**
 * Variants of a clip for the features. Positives and near phrases are 2 s long, outside the train part 0.5 s longer;
 * other speech keeps its length.
 */
export const prepareClip = (
  { kind, part }: Pick<PlannedUtterance, "kind" | "part">,
  clip: Int16Array,
  { before, count, index, seed }: PrepareOptions
): ReadonlyArray<Int16Array> =>
  Array.from({ length: part === "train" ? (count ?? copies[kind]) : 1 }, (_, copy) => {
    const random = makeRandom(seedOf(seed, `clip ${index} ${copy}`))
    if (kind === "negative") return augment(part === "train" ? otherVoice(clip, random) : clip, random)
    const word = part === "train" ? otherVoice(clip, random) : clip
    const speech = before !== undefined && random.next() < afterSpeech ? before : undefined
    const placed = placeClip(word, random, clipSamples, speech)
    if (part === "train") return augment(placed, random)
    const longer = new Int16Array(placed.length + after)
    longer.set(placed)
    return augment(longer, random)
  })
