/** Decides whether a model may be activated without `force`. Pure. */
import { maxFalseAcceptsPerHour, maxMissRate } from "#protocols/wake-word/Validate.ts"
import type { Metrics } from "./Metrics.ts"

/** Minimum held-out speech. Unit: hours. Reason: below, not even one false accept would be within the bound. */
export const minNegativeHours = 0.5

/** Fewest held-out utterances. Reason: below, one miss is more than the bound. */
export const minUtterances = 20

/** Bounds that the model does not reach, in English; empty: it may be activated. */
export const gate = (metrics: Metrics): ReadonlyArray<string> => [
  ...(metrics.false_accepts_per_hour === null || metrics.miss_rate === null ? ["it was not measured"] : []),
  ...(metrics.negative_hours < minNegativeHours
    ? [`false accepts were measured over ${round(metrics.negative_hours)} h, less than ${minNegativeHours} h`]
    : []),
  ...(metrics.utterances < minUtterances
    ? [`misses were measured with ${metrics.utterances} utterances, less than ${minUtterances}`]
    : []),
  ...((metrics.false_accepts_per_hour ?? 0) > maxFalseAcceptsPerHour
    ? [`${round(metrics.false_accepts_per_hour!)} false accepts an hour, more than ${maxFalseAcceptsPerHour}`]
    : []),
  ...((metrics.miss_rate ?? 0) > maxMissRate
    ? [`${round(metrics.miss_rate! * 100)} % of the utterances are missed, more than ${maxMissRate * 100} %`]
    : [])
]

const round = (figure: number): number => Math.round(figure * 100) / 100
