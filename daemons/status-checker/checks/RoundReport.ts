/** Health of the checks, for operators. Pure. */
import { type Component as HealthComponent, healthSentence } from "#core/daemon/Health.ts"
import type { Check } from "./Measurements.ts"

export interface RoundReport {
  /** Start of the round, Unix time in milliseconds. */
  readonly at: number
  /** Unit: milliseconds. */
  readonly took: number
  readonly checks: ReadonlyArray<Check>
}

export interface CheckerStatus {
  /** Whether this process checks. */
  readonly checks: boolean
  readonly report: RoundReport | undefined
  readonly writeTrouble: string | undefined
  /** Component days that are not written yet. */
  readonly waiting: number
  /** Unit: milliseconds. */
  readonly interval: number
}

/** Intervals without a round before health is degraded. Reason: a round may take a whole interval. */
const overdueAfter = 3

/** Maximum number of unknown results in one report. Reason: people read it. */
const most = 20

export const healthOf = (
  { checks, interval, report, waiting, writeTrouble }: CheckerStatus,
  now: number
): HealthComponent => {
  if (!checks) return { status: "ok", checks_here: false }
  const unknown = (report?.checks ?? []).flatMap(({ componentId, results }) =>
    results
      .filter(({ outcome }) => outcome === "unknown")
      .map(({ detail, kind }) => ({ component: componentId, kind, detail }))
  )
  const problems = [
    ...(report === undefined
      ? []
      : now - report.at > overdueAfter * interval
        ? [healthSentence("no round for a while")]
        : []),
    ...new Set(unknown.map(({ detail }) => detail)),
    ...(writeTrouble === undefined ? [] : [healthSentence(`not written: ${writeTrouble}`)])
  ]
  return {
    status: problems.length === 0 ? "ok" : "degraded",
    ...(problems.length === 0 ? {} : { detail: problems.slice(0, most).join("; ") }),
    checks_here: true,
    last_round: report === undefined ? null : new Date(report.at).toISOString(),
    round_ms: report?.took ?? null,
    components: report?.checks.length ?? null,
    unknown: unknown.slice(0, most),
    unwritten_days: waiting
  }
}
