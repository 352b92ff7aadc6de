/** Where a call may be led, and that what a request names is there. Runs in the surrounding transaction. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InvalidRequest } from "#core/http/Problem.ts"

/** Source: interface document 2 §2.3. */
export const DestinationType = Schema.Literals(["extension", "ring_group", "ivr_menu", "voicemail", "external"])
export type DestinationType = typeof DestinationType.Type

export type Table = "extension" | "ring_group" | "ivr_menu" | "voicemail_box" | "external_number" | "trunk" | "did"

/** The table that holds what each type means. */
export const tableOf: Readonly<Record<DestinationType, Table>> = {
  extension: "extension",
  ring_group: "ring_group",
  ivr_menu: "ivr_menu",
  voicemail: "voicemail_box",
  external: "external_number"
}

/** One bad field that no schema can judge. */
export const invalid = (field: string, message: string) => new InvalidRequest({ errors: [{ field, message }] })

/** Fails with 422 of `field` when the tenant has no such thing, whether nobody has it or another tenant. */
export const owned = Effect.fnUntraced(function* (tenantId: number, table: Table, id: number, field: string) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select 1 from ${sql(`sip_config.${table}`)} where id = ${id} and tenant_id = ${tenantId}`
  if (found.length === 0)
    return yield* invalid(field, `must be the id of ${/^[aei]/.test(table) ? "an" : "a"} ${table.replace("_", " ")}`)
})

/** The same of where a call is led. */
export const led = (tenantId: number, type: DestinationType, id: number, field = "payload.destination_id") =>
  owned(tenantId, tableOf[type], id, field)
