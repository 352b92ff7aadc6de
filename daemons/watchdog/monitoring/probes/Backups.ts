/** Check of the age of the newest backup of each schedule. */
import { Effect } from "effect"
import type { BuiltCheck, Reading, Source } from "../BuiltCheck.ts"
import { say } from "../words/Said.ts"

/** Unit: hours. Reason: a daily backup, and time for a long run of it. An operator changes it for a weekly schedule. */
const limits = { direction: "above", warning: 26, critical: 50 } as const

const hour = 3_600_000

/** The newest backup of a schedule. */
export interface Newest {
  readonly schedule: string
  readonly finished_at: Date | null
  readonly ok: boolean
  readonly succeeded_at: Date | null
  readonly created_at: Date
}

/** Pure. A new schedule has time for its first run. */
export const judgeBackup = ({ created_at, finished_at, ok, succeeded_at }: Newest, now: number): Reading => {
  const age = (now - +(succeeded_at ?? created_at)) / hour
  const isFailed = finished_at !== null && !ok
  return {
    value: Math.max(0, age),
    ...say("backup", { hours: succeeded_at === null ? null : Math.max(0, Math.floor(age)), last_failed: isFailed }),
    ...(isFailed ? { status: "warning" } : {})
  }
}

/** `newest`: of each schedule; fails while Postgres is away. */
export const backupAges = <E>(newest: Effect.Effect<ReadonlyArray<Newest>, E>): Source => ({
  name: "backups",
  kinds: ["backup"],
  scope: "fleet",
  discover: () =>
    Effect.match(newest, {
      onFailure: () => undefined,
      onSuccess: (all) =>
        all.map(({ schedule }): BuiltCheck => ({
          key: `backup age ${schedule}`.slice(0, 200),
          kind: "backup",
          group: "backups",
          unit: "hours",
          thresholds: limits,
          // The age does not change by chance.
          failures: 1,
          successes: 1,
          version: schedule,
          whenTimedOut: "unknown",
          probe: Effect.match(newest, {
            onFailure: (): Reading => ({ value: null, status: "unknown", ...say("postgres_silent", {}) }),
            onSuccess: (rows) => {
              const row = rows.find((one) => one.schedule === schedule)
              return row === undefined
                ? { value: null, status: "unknown", ...say("backup_unscheduled", {}) }
                : judgeBackup(row, Date.now())
            }
          })
        }))
    })
})
