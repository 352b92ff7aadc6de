/**
 * Helpers for changes of telephony data: locking, audit entries and announcements. All run in the surrounding
 * transaction.
 */
import { Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type * as Audit from "#core/log/Audit.ts"
import { noteChange } from "#core/log/ChangeNote.ts"
import { Wake } from "#core/events/Wake.ts"

/** Wake topic that announces every change of data that the switch uses. */
export const dataTopic = "sip_config.data"

/** Announces a change to the projections when the surrounding transaction commits. */
export const announceData = Effect.flatMap(Wake, (wake) => wake.announce(dataTopic))

/** Entity names in the audit log. */
export type Entity =
  | "sip_domain"
  | "sip_extension"
  | "sip_trunk"
  | "sip_did"
  | "sip_line"
  | "sip_ring_group"
  | "sip_call_filter"
  | "sip_ivr_menu"
  | "sip_voicemail_box"
  | "sip_external_number"

interface Row {
  readonly id: number
  readonly tenant_id: number
}

/** Writes an audit entry with the caller of the request or command. */
export const note = (entity: Entity, row: Row, action: string, detail: Audit.Entry["detail"] = {}) =>
  noteChange(entity, row, action, detail)

/** Completes a change: writes the audit entry and announces the change to the projections. */
export const changed = (entity: Entity, row: Row, action: string, detail: Audit.Entry["detail"] = {}) =>
  Effect.andThen(note(entity, row, action, detail), announceData)

/**
 * Locks a tenant's telephony data until the transaction ends. Concurrent changes of one tenant run one after another,
 * so no transaction deletes a row that another one is about to reference.
 */
export const inTurn = (tenantId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select pg_advisory_xact_lock(hashtext('sip_config'), ${tenantId})`)

/** Changed fields with their old and new values; undefined when all are equal. Pure. */
export const differences = <A extends object>(before: A, after: A, fields: ReadonlyArray<keyof A & string>) => {
  const found = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  return found.length === 0
    ? undefined
    : Object.fromEntries(found.map((field) => [field, { from: before[field], to: after[field] }]))
}

/** Turns a unique violation into `problem`; the conflicting row may belong to any tenant. */
export const orTaken = <A, E, R, P>(write: Effect.Effect<A, E, R>, problem: P) =>
  Effect.catchIf(
    write,
    (error) => SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation",
    () => Effect.fail(problem)
  )
