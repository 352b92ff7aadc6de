/** A whole training from a word to its measured model, without a daemon. For tests. */
import { Result } from "effect"
import { type ClipRows, measureClips, trainingSet } from "#protocols/wake-word/Collect.ts"
import type { Extractor } from "#protocols/wake-word/Extractor.ts"
import { clipRows } from "#protocols/wake-word/Features.ts"
import { type PlannedUtterance, type PlanOptions, planTraining } from "#protocols/wake-word/Plan.ts"
import { prepareClip } from "#protocols/wake-word/Prepare.ts"
import { makeTrainer, type TrainingSettings } from "#protocols/wake-word/TrainHead.ts"
import { chooseThreshold, pointAt } from "#protocols/wake-word/Validate.ts"
import { installedVoices, speakAll, withMadeVoices } from "#support/EspeakVoices.ts"

export type WordOptions = Omit<PlanOptions, "voices" | "variants"> & { readonly training: TrainingSettings }

/** Speaks, prepares and embeds everything of a plan. */
export const wordClips = (extractor: Extractor, options: WordOptions) =>
  withMadeVoices(({ data, made }) => clipsOf(extractor, options, made, data))

const clipsOf = async (extractor: Extractor, options: WordOptions, made: ReadonlyArray<string>, data: string) => {
  const plan = planTraining({ ...options, made, ...(await installedVoices(options.language)) })
  const clips: Array<ReadonlyArray<ClipRows>> = []
  const before: Record<string, Int16Array> = {}
  // Other speech comes first, so that it can stand before the word.
  const order = [...plan.utterances].sort((a, b) => Number(a.kind !== "negative") - Number(b.kind !== "negative"))
  const take = async ({ kind, part }: PlannedUtterance, clip: Int16Array, index: number) => {
    if (kind === "negative") before[part] ??= clip
    const speech = before[part]
    const offset = speech === undefined ? 0 : ((index * 37) % 100) * 2_000
    const variants = prepareClip({ kind, part }, clip, {
      seed: options.seed,
      index,
      ...(speech === undefined ? {} : { before: speech.subarray(offset, offset + 20_000) })
    })
    const rows: Array<ClipRows> = []
    for (const variant of variants) rows.push({ kind, part, rows: await clipRows(extractor, variant) })
    clips[index] = rows
  }
  await speakAll(order, 2, take, data)
  return { clips: clips.flat(), heldOutVoices: plan.heldOutVoices }
}

/** Trains and measures. The threshold comes from the check part, the result from the held-out part. */
export const trainWord = (clips: ReadonlyArray<ClipRows>, idle: Float32Array, settings: TrainingSettings) => {
  const trainer = Result.getOrThrow(makeTrainer(trainingSet(clips), settings))
  while (!trainer.done()) trainer.run(100)
  const weights = trainer.weights()
  const check = measureClips(weights, clips, "check", idle)
  const threshold = chooseThreshold(check)
  const heldOut = measureClips(weights, clips, "heldOut", idle)
  return { weights, check, threshold, heldOut, point: pointAt(heldOut, threshold), loss: trainer.loss() }
}
