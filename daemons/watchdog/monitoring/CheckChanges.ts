/** Changes of checks by operators, for the API and the command line. Each runs in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import { Wake } from "#core/events/Wake.ts"
import { InvalidRequest, NotFound } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import { Alerts } from "../alerting/Exports.ts"
import type { CheckChange, NewCheck } from "./Api.ts"
import type { CheckRow } from "./CheckRow.ts"
import * as CheckStore from "./CheckStore.ts"
import { checksTopic } from "./CheckTopic.ts"
import { CheckDisabled, CheckIsBuiltIn, CheckNameTaken, TooManyChecks } from "./Errors.ts"
import { groupOf, valueOf } from "./probes/OperatorValues.ts"

/** Maximum number of checks of operators. Reason: bounds memory and the time of a round. */
export const maxChecks = 5_000

/** Author of a change, as the audit log names it. */
export interface Author {
  readonly actor: string
  readonly address?: string | undefined
}

/** Key of an operator's check. */
export const keyOf = (name: string): string => `check ${name}`

/** Problem of two thresholds; undefined: there is none. Pure. */
export const thresholdProblem = (
  direction: "above" | "below",
  warning: number | null,
  critical: number | null
): string | undefined => {
  if (warning === null || critical === null) return undefined
  if (direction === "above") return critical < warning ? "must not be below the warning threshold" : undefined
  return critical > warning ? "must not be above the warning threshold" : undefined
}

const refuse = (field: string, message: string) =>
  Effect.fail(new InvalidRequest({ errors: [{ field: `payload.${field}`, message }] }))

const recordChange = Effect.fnUntraced(function* (
  by: Author,
  action: string,
  row: Pick<CheckRow, "id" | "key">,
  detail: Audit.Entry["detail"] = {}
) {
  yield* Audit.write({
    tenantId: providerTenant,
    ...by,
    action: `monitoring_check.${action}`,
    entity: "monitoring_check",
    id: String(row.id),
    detail: { key: row.key, ...detail }
  })
  yield* (yield* Wake).announce(checksTopic)
})

/** Locks the check. */
const find = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<CheckRow>`select ${yield* CheckStore.columns} from watchdog.monitoring_check
    where id = ${id} and gone_at is null for update`
  return row ?? (yield* new NotFound({}))
})

const json = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))

export const add = Effect.fnUntraced(function* (check: NewCheck, by: Author) {
  const sql = yield* SqlClient.SqlClient
  const key = keyOf(check.name)
  // One at a time, so that the limit holds.
  yield* sql`select pg_advisory_xact_lock(hashtext('watchdog.monitoring_check'))`
  const [count] = yield* sql<{
    n: number
  }>`select count(*)::int as n from watchdog.monitoring_check where origin = 'operator'`
  if (count!.n >= maxChecks) return yield* new TooManyChecks({ detail: `At most ${maxChecks} checks can be added.` })
  const { kind, thresholds, unit } = valueOf(check.definition)
  const { direction } = thresholds
  const problem = thresholdProblem(
    direction,
    check.warning ?? thresholds.warning,
    check.critical ?? thresholds.critical
  )
  if (problem !== undefined) return yield* refuse("critical", problem)
  const [row] = yield* sql<CheckRow>`
    insert into watchdog.monitoring_check (key, kind, origin, host, found_group, unit, direction, found_warning,
        found_critical, definition, interval_s, timeout_s, warning, critical, failures, successes)
      values (${key}, ${kind}, 'operator', ${check.host ?? null}::text, ${check.group ?? groupOf(check.definition)},
        ${unit}::text, ${direction}, ${thresholds.warning}::float8, ${thresholds.critical}::float8,
        ${json(check.definition)}::jsonb, ${check.interval_s ?? null}::int, ${check.timeout_s ?? null}::int,
        ${check.warning ?? null}::float8, ${check.critical ?? null}::float8, ${check.failures ?? null}::int,
        ${check.successes ?? null}::int)
      on conflict (key) do nothing returning ${yield* CheckStore.columns}`
  if (row === undefined) return yield* new CheckNameTaken({})
  yield* recordChange(by, "added", row, { type: check.definition.type })
  return row
})

export const change = Effect.fnUntraced(function* (id: number, wanted: CheckChange, by: Author) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* find(id)
  if (Object.keys(wanted).length === 0) return yield* refuse("", "must have at least one field")
  if (before.origin === "built_in" && (wanted.definition !== undefined || wanted.group !== undefined))
    return yield* new CheckIsBuiltIn({ detail: "The definition and the group of a built-in check cannot be changed." })
  const after = { ...before, ...wanted, found_group: wanted.group ?? before.found_group }
  const own = after.definition === null ? undefined : valueOf(after.definition)
  const direction = own?.thresholds.direction ?? before.direction
  const found_warning = own === undefined ? before.found_warning : own.thresholds.warning
  const found_critical = own === undefined ? before.found_critical : own.thresholds.critical
  const problem = thresholdProblem(direction, after.warning ?? found_warning, after.critical ?? found_critical)
  if (problem !== undefined) return yield* refuse("critical", problem)
  // A disabled check knows nothing, and one with another definition knows nothing yet.
  const forgets =
    (before.enabled && !after.enabled) ||
    (wanted.definition !== undefined && json(wanted.definition) !== json(before.definition))
  const [row] = yield* sql<CheckRow>`
    update watchdog.monitoring_check set enabled = ${after.enabled}, definition = ${json(after.definition)}::jsonb,
        found_group = ${after.found_group}, kind = ${own?.kind ?? before.kind},
        unit = ${own === undefined ? before.unit : own.unit}::text, direction = ${direction},
        found_warning = ${found_warning}::float8, found_critical = ${found_critical}::float8,
        interval_s = ${after.interval_s}::int, timeout_s = ${after.timeout_s}::int,
        warning = ${after.warning}::float8, critical = ${after.critical}::float8, failures = ${after.failures}::int,
        successes = ${after.successes}::int, changed_at = clock_timestamp()
      where id = ${id} returning ${yield* CheckStore.columns}`
  yield* recordChange(by, "changed", row!, { fields: Object.keys(wanted) })
  if (!forgets) return row!
  if (before.alerting) yield* (yield* Alerts).remove(before.key, new Date())
  const [reset] = yield* sql<CheckRow>`
    update watchdog.monitoring_check set status = 'pending', since = null, seen = null, streak = 0, alerting = false,
        value = null, detail = '', detail_de = '', code = null, code_values = '{}', measurements = '{}',
        run_requested_at = null
      where id = ${id} returning ${yield* CheckStore.columns}`
  return reset!
})

export const remove = Effect.fnUntraced(function* (id: number, by: Author) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* find(id)
  if (row.origin === "built_in") return yield* new CheckIsBuiltIn({})
  yield* sql`delete from watchdog.monitoring_check where id = ${id}`
  // Also when no alert is known: a result may be on its way.
  yield* (yield* Alerts).remove(row.key, new Date())
  yield* recordChange(by, "removed", row)
})

/** The process that runs the check starts it soon. */
export const requestRun = Effect.fnUntraced(function* (id: number, by: Author) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* find(id)
  if (!row.enabled) return yield* new CheckDisabled({})
  const [requested] = yield* sql<CheckRow>`
    update watchdog.monitoring_check set run_requested_at = clock_timestamp(), changed_at = clock_timestamp()
      where id = ${id} returning ${yield* CheckStore.columns}`
  yield* recordChange(by, "run", row)
  return requested!
})
