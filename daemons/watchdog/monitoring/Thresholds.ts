/** Compares a value with its thresholds. Pure. */
import type { Status } from "./CheckKinds.ts"

export interface Thresholds {
  readonly direction: "above" | "below"
  /** Null: the value does not decide. */
  readonly warning: number | null
  readonly critical: number | null
}

/** Thresholds of checks whose result is yes or no. */
export const noThresholds: Thresholds = { direction: "above", warning: null, critical: null }

/** Status of a value. A value equal to a threshold is good. */
export const judge = (
  value: number | null,
  { critical, direction, warning }: Thresholds
): "ok" | "warning" | "critical" => {
  if (value === null) return "ok"
  const fails = (limit: number | null) => limit !== null && (direction === "above" ? value > limit : value < limit)
  return fails(critical) ? "critical" : fails(warning) ? "warning" : "ok"
}

const rank: Readonly<Record<Exclude<Status, "pending">, number>> = { ok: 0, unknown: 1, warning: 2, critical: 3 }

/** The more serious one. */
export const worse = <S extends Exclude<Status, "pending">>(a: S, b: S): S => (rank[a] >= rank[b] ? a : b)
