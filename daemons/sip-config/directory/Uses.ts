/** Checks for references before an object is deleted or changed. Runs in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { InUse, type User } from "./Errors.ts"
import type { DestinationType } from "./Destinations.ts"

/** Maximum number of references named in one error. Reason: enough to act on, and bounds the response. */
const maxNamed = 20

interface Row {
  readonly id: number
  readonly tenant_id: number
}

type Use = typeof User.Type

/** Fails with 409 when a DID or another menu leads calls to this object. */
export const notLedTo = (type: DestinationType, { id, tenant_id }: Row) =>
  unused(
    (sql) => sql`select 'did' as type, id, number as name from sip_config.did
    where destination_type = ${type} and destination_id = ${id}
    union all select 'ivr_menu', id, name from sip_config.ivr_menu
    where tenant_id = ${tenant_id} and not (${type} = 'ivr_menu' and id = ${id})
      and entries @> ${JSON.stringify([{ destination_type: type, destination_id: id }])}::text::jsonb`
  )

/** Fails with 409 when a ring group of the same domain contains the extension. */
export const notRung = ({ domain_id, extension }: { readonly domain_id: number; readonly extension: string }) =>
  unused(
    (sql) => sql`select 'ring_group' as type, id, name from sip_config.ring_group
    where domain_id = ${domain_id} and ${extension} = any(extensions)`
  )

/** Fails with 409 when a line uses this extension, DID or trunk. */
export const noLine = (column: "extension_id" | "did_id" | "trunk_id", { id }: Row) =>
  unused(
    (sql) => sql`select 'line' as type, l.id, 'line of ' || e.extension as name
    from sip_config.line l join sip_config.extension e on e.id = l.extension_id where ${sql(`l.${column}`)} = ${id}`
  )

/** Fails with 409 when a DID uses the trunk. */
export const noDid = ({ id }: Row) =>
  unused((sql) => sql`select 'did' as type, id, number as name from sip_config.did where trunk_id = ${id}`)

const unused = Effect.fnUntraced(function* (found: (sql: SqlClient.SqlClient) => Statement.Fragment) {
  const sql = yield* SqlClient.SqlClient
  const uses = yield* sql<Use>`select type, id, name from (${found(sql)}) as found order by type, id limit ${maxNamed}`
  if (uses.length === 0) return
  return yield* new InUse({
    used_by: uses.map(({ id, name, type }) => ({ type, id, name })),
    detail: "Change or delete the objects in used_by first."
  })
})
