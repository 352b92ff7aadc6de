/**
 * Phase 6, `validate`: chooses the threshold on the check part, then measures misses and false accepts on the held-out
 * part, which nothing else has used.
 */
import { Effect } from "effect"
import type { Extractor } from "#protocols/wake-word/Extractor.ts"
import { withIdleRows } from "#protocols/wake-word/Features.ts"
import { type Head, openHead, writeHead } from "#protocols/wake-word/HeadModel.ts"
import { embeddingSize, headInputs } from "#protocols/wake-word/Shape.ts"
import { chooseThreshold, measure, type Measured, pointAt } from "#protocols/wake-word/Validate.ts"
import { openExtractors } from "../../engine/Exports.ts"
import type { Metrics } from "../../models/Exports.ts"
import { readData, readIndex } from "./Artefacts.ts"
import { floatsOf, type RowsEntry } from "./Entries.ts"
import type { PhaseResult } from "./Messages.ts"
import type { PhaseContext } from "./PhaseContext.ts"
import { storedWeights } from "./Weights.ts"

/** Scores of one run of the network. */
const batch = 256

/** Threshold in the trial file; the chosen one is written by the next phase. */
const anyThreshold = 0.5

export const validatePhase = async ({ progress, start }: PhaseContext): Promise<PhaseResult> => {
  const { folder, language, recordingRows, source, word } = start
  const weights = await storedWeights(folder)
  const { extractor, runtime } = await Effect.runPromise(
    Effect.flatMap(openExtractors(source), ({ chosen, runtime }) =>
      Effect.map(chosen, (extractor) => ({ extractor, runtime }))
    )
  )
  const facts = { word, language, extractor: extractor.id, threshold: anyThreshold }
  const head = await Effect.runPromise(openHead(runtime, writeHead(weights, facts), extractor.id))
  const entries = await readIndex<RowsEntry>(folder, "features")
  const spoken = floatsOf(await readData(folder, "features"))
  const measured = entries.filter(({ part }) => part !== "train")
  const total = measured.reduce((sum, { rows }) => sum + rows, 0)
  let done = 0
  const scored = new Map<RowsEntry, Float32Array>()
  for (const entry of measured) {
    const rows = spoken.subarray(entry.from * embeddingSize, (entry.from + entry.rows) * embeddingSize)
    scored.set(entry, await scoresOf(head, extractor, rows))
    done += entry.rows
    progress(done / total)
  }
  const of = (part: RowsEntry["part"], kind: RowsEntry["kind"]) =>
    measured.filter((entry) => entry.part === part && entry.kind === kind).map((entry) => scored.get(entry)!)
  const people = recordingRows.filter(({ held_out }) => held_out)
  const ofPeople: Array<Float32Array> = []
  for (const { features } of people) ofPeople.push(await scoresOf(head, extractor, floatsOf(features)))

  const threshold = chooseThreshold(
    measure([...of("check", "negative"), ...of("check", "adversarial")], of("check", "positive"))
  )
  const result = measure(of("heldOut", "negative"), [...of("heldOut", "positive"), ...ofPeople])
  const near = of("check", "adversarial")
  const accepted = near.filter((scores) => scores.some((score) => score >= threshold)).length
  const voices = new Set(measured.filter(({ part }) => part === "heldOut").map(({ voice }) => voice))
  const used = recordingRows.length - people.length
  const metrics = metricsOf(result, threshold, [...voices].sort(), used, notesOf(near.length, accepted, people.length))
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

/** Scores of consecutive steps, as a stream has them that begins with these rows. */
const scoresOf = async (head: Head, { idle }: Extractor, rows: Float32Array): Promise<Float32Array> => {
  const all = withIdleRows(rows, idle)
  const count = rows.length / embeddingSize
  const scores = new Float32Array(count)
  for (let from = 0; from < count; from += batch) {
    const length = Math.min(batch, count - from)
    const inputs = new Float32Array(length * headInputs)
    for (let at = 0; at < length; at++) {
      const first = (from + at) * embeddingSize
      inputs.set(all.subarray(first, first + headInputs), at * headInputs)
    }
    scores.set(await head.score(inputs, length), from)
  }
  return scores
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
  ...(near > 0
    ? [`${accepted} of ${near} phrases that sound like the word were accepted; the threshold was chosen with them.`]
    : []),
  ...(people > 0
    ? [`The utterances include ${people} recordings of people who were not in the training.`]
    : ["No recordings of people were held out."])
]
