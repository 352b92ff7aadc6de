/** What all changes of telephony data have in common. Everything here runs in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as Audit from "#core/log/Audit.ts"
import { client } from "#core/http/Client.ts"
import { announceData } from "./DataTopic.ts"

/** Kinds of things, as the audit log names them. */
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

/** What the caller of the request did, into the audit log, from where. */
export const note = (entity: Entity, row: Row, action: string, detail: Audit.Entry["detail"] = {}) =>
  Effect.flatMap(client, ({ address }) =>
    Audit.writeFor({
      tenantId: row.tenant_id,
      action: `${entity}.${action}`,
      entity,
      id: String(row.id),
      address,
      detail
    })
  )

/** The end of every change: its audit line, and the ring for those who keep a picture. */
export const changed = (entity: Entity, row: Row, action: string, detail: Audit.Entry["detail"] = {}) =>
  Effect.andThen(note(entity, row, action, detail), announceData)

/**
 * Of those who change one tenant's telephony each waits for the one before, until the transaction ends: what one names
 * is not deleted by the other meanwhile.
 */
export const inTurn = (tenantId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select pg_advisory_xact_lock(hashtext('sip_config'), ${tenantId})`)

/** Which of these fields are others in `after`, with both values; undefined when none is. Pure. */
export const differences = <A extends object>(before: A, after: A, fields: ReadonlyArray<keyof A & string>) => {
  const found = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  return found.length === 0
    ? undefined
    : Object.fromEntries(found.map((field) => [field, { from: before[field], to: after[field] }]))
}

/** Fails with `problem` when what is written is there already, in whichever tenant. */
export const orTaken = <A, E, R, P>(write: Effect.Effect<A, E, R>, problem: P) =>
  Effect.catchIf(
    write,
    (error) => SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation",
    () => Effect.fail(problem)
  )
