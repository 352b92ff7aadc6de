/**
 * Phase 6, `validate`: chooses the threshold on the check part, then measures misses and false accepts on the held-out
 * part, which nothing else has used.
 */
import { Effect } from "effect"
import { clipScores } from "#protocols/wake-word/Collect.ts"
import { chooseThreshold, measure, type Measured, pointAt } from "#protocols/wake-word/Validate.ts"
import { openExtractors } from "../../engine/Exports.ts"
import type { Metrics } from "../../models/Exports.ts"
import { allClips, type Clip } from "./Clips.ts"
import type { PhaseResult } from "./Messages.ts"
import type { PhaseContext } from "./PhaseContext.ts"
import { storedWeights } from "./Weights.ts"

export const validatePhase = async ({ calls, progress, start }: PhaseContext): Promise<PhaseResult> => {
  const weights = await storedWeights(start.folder)
  const { idle } = await Effect.runPromise(Effect.flatMap(openExtractors(start.source, calls), ({ chosen }) => chosen))
  const clips = (await allClips(start)).filter(({ part }) => part !== "train")
  const total = clips.reduce((sum, { rows }) => sum + rows.length, 0)
  let done = 0
  const scores = new Map<Clip, Float32Array>()
  for (const clip of clips) {
    scores.set(clip, clipScores(weights, clip.rows, idle))
    done += clip.rows.length
    progress(done / total)
    // Lets messages leave the thread.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const of = (part: Clip["part"], kind: Clip["kind"]) =>
    clips.filter((clip) => clip.part === part && clip.kind === kind).map((clip) => scores.get(clip)!)

  const threshold = chooseThreshold(measure(of("check", "negative"), of("check", "positive")))
  const result = measure(of("heldOut", "negative"), of("heldOut", "positive"))
  const near = of("check", "adversarial")
  const accepted = near.filter((each) => each.some((score) => score >= threshold)).length
  const heldOut = clips.filter(({ part }) => part === "heldOut")
  const voices = new Set(heldOut.flatMap(({ voice }) => voice ?? []))
  const people = heldOut.filter(({ voice }) => voice === null).length
  const used = start.recordingRows.length - people
  const metrics = metricsOf(result, threshold, [...voices].sort(), used, notesOf(near.length, accepted, people))
  return {
    report: {
      threshold,
      metrics,
      curve: result.curve.map((point) => ({
        threshold: point.threshold,
        false_accepts_per_hour: point.falseAcceptsPerHour,
        miss_rate: Number.isNaN(point.missRate) ? 0 : point.missRate
      }))
    }
  }
}

const metricsOf = (
  measured: Measured,
  threshold: number,
  voices: ReadonlyArray<string>,
  uploads: number,
  notes: ReadonlyArray<string>
): Metrics => {
  const { falseAcceptsPerHour, missRate } = pointAt(measured, threshold)
  const { hours, positives } = measured
  return {
    false_accepts_per_hour: hours > 0 ? falseAcceptsPerHour : null,
    miss_rate: positives > 0 ? missRate : null,
    negative_hours: hours,
    false_accepts: Math.round(falseAcceptsPerHour * hours),
    utterances: positives,
    misses: positives > 0 ? Math.round(missRate * positives) : 0,
    voices,
    uploads,
    notes
  }
}

const notesOf = (near: number, accepted: number, people: number): ReadonlyArray<string> => [
  "Measured on speech of espeak-ng, whose voices of one language share a synthesiser: people may be heard less well.",
  ...(near > 0 ? [`${accepted} of ${near} phrases that sound like the word were accepted.`] : []),
  ...(people > 0
    ? [`The utterances include ${people} recordings of people who were not in the training.`]
    : ["No recordings of people were held out."])
]
