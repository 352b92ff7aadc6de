/** A check as a source finds it on the machine, or as an operator wrote it. */
import type { Effect } from "effect"
import type { Kind, Status } from "./CheckKinds.ts"
import type { Finding } from "./CheckState.ts"
import { judge, type Thresholds, worse } from "./Thresholds.ts"
import type { Said } from "./words/Said.ts"

/** What a probe measured, and says about it. */
export interface Reading extends Said {
  /** Compared with the thresholds; null when nothing was measured. */
  readonly value: number | null
  readonly measurements?: Readonly<Record<string, number>>
  /** Result beside the value: `critical` when there is no answer. The worse of the two counts. */
  readonly status?: Exclude<Status, "pending">
}

export interface BuiltCheck {
  /** Permanent and unique name, also of the alert. At most 200 characters. */
  readonly key: string
  readonly kind: Kind
  /** Cause that the alert shares with others. */
  readonly group: string
  /** Unit of the value; null when nothing is measured. */
  readonly unit: string | null
  /** Defaults; an operator may change the two values. */
  readonly thresholds: Thresholds
  /** Fewer or more failed checks in a row than the setting says. */
  readonly failures?: number
  readonly successes?: number
  /** Text that changes when the probe does; a running check is then started again. */
  readonly version: string
  /** Result when the time-out passes. Default: `critical`. `unknown`: the answer is of a third party. */
  readonly whenTimedOut?: "critical" | "unknown"
  /** Measures once. Never fails; the time-out is the caller's. */
  readonly probe: Effect.Effect<Reading>
}

/** Checks of one kind of things. */
export interface Source {
  readonly name: string
  /** Kinds of its checks. */
  readonly kinds: ReadonlyArray<Kind>
  /** `host`: each machine has its own checks. `fleet`: they run once in the installation. */
  readonly scope: "host" | "fleet"
  /**
   * The checks that there are now; undefined: this cannot be found out now, and the known ones go on. `known`: keys of
   * the stored checks of its kinds.
   */
  readonly discover: (known: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<BuiltCheck> | undefined>
}

/** Longest key and group. Unit: characters. Source: Alerts. */
export const maxKey = 200

/** Longest detail. Unit: characters. Reason: one line for operators. */
const maxDetail = 300

/** Pure. An unknown result stays unknown, whatever its value. */
export const findingOf = (reading: Reading, thresholds: Thresholds): Finding => {
  const byValue = judge(reading.value, thresholds)
  const status =
    reading.status === undefined
      ? byValue
      : reading.status === "unknown"
        ? "unknown"
        : worse<Exclude<Status, "pending">>(reading.status, byValue)
  const { code, detail, detailDe, measurements = {}, value, values } = reading
  return { status, value, code, values, detail: oneLine(detail), detailDe: oneLine(detailDe), measurements }
}

/** Without control characters, at most `maxDetail` characters. Pure. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
    .toWellFormed()
    .trim()
    .slice(0, maxDetail)
