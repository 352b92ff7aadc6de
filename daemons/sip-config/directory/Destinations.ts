/** Destination types of calls, and checks that a referenced row exists. Runs in the surrounding transaction. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InvalidRequest } from "#core/http/Problem.ts"

/** Types of destinations. Source: interface document 2 §2.3. */
export const DestinationType = Schema.Literals(["extension", "ring_group", "ivr_menu", "voicemail", "external"])
export type DestinationType = typeof DestinationType.Type

export type Table = "extension" | "ring_group" | "ivr_menu" | "voicemail_box" | "external_number" | "trunk" | "did"

/** Table of each destination type. */
export const tableOf: Readonly<Record<DestinationType, Table>> = {
  extension: "extension",
  ring_group: "ring_group",
  ivr_menu: "ivr_menu",
  voicemail: "voicemail_box",
  external: "external_number"
}

/** 422 for one field, found by a check that no schema can do. */
export const invalid = (field: string, message: string) => new InvalidRequest({ errors: [{ field, message }] })

/**
 * Fails with 422 for `field` unless the row belongs to the tenant. Missing rows and rows of other tenants give the same
 * error.
 */
export const owned = Effect.fnUntraced(function* (tenantId: number, table: Table, id: number, field: string) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select 1 from ${sql(`sip_config.${table}`)} where id = ${id} and tenant_id = ${tenantId}`
  if (found.length === 0)
    return yield* invalid(field, `must be the id of ${/^[aei]/.test(table) ? "an" : "a"} ${table.replace("_", " ")}`)
})

/** Fails with 422 unless the destination of a call belongs to the tenant. */
export const led = (tenantId: number, type: DestinationType, id: number, field = "payload.destination_id") =>
  owned(tenantId, tableOf[type], id, field)
