/** Table of the addresses of telephones. Functions run in the surrounding transaction as the platform role. */
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { newSecret, storedForm } from "./PhoneSecret.ts"

/** The device of an address, and the extension whose settings its telephone gets. */
export interface PhoneLink {
  readonly device_id: string
  readonly tenant_id: number
  readonly user_id: number
  readonly extension_id: number
}

/** Creates the address of a device; returns its secret, which is not stored. An earlier address ends. */
export const create = Effect.fnUntraced(function* (link: PhoneLink) {
  const sql = yield* SqlClient.SqlClient
  const secret = newSecret()
  yield* sql`insert into provisioning.phone_link (device_id, tenant_id, user_id, extension_id, hash)
    values (${link.device_id}, ${link.tenant_id}, ${link.user_id}, ${link.extension_id},
      ${storedForm(Redacted.value(secret))})
    on conflict (device_id) do update set extension_id = excluded.extension_id, hash = excluded.hash,
      created_at = now(), fetched_at = null, fetched_from = null`
  return secret
})

/** The link of a secret; undefined when it is unknown or its device is revoked. */
export const find = Effect.fnUntraced(function* (secret: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<PhoneLink>`select l.device_id, l.tenant_id, l.user_id, l.extension_id
    from provisioning.phone_link l join provisioning.device d on d.id = l.device_id
    where l.hash = ${storedForm(secret)} and d.revoked_at is null`
  return row
})

/** Records that a telephone loaded its configuration; its device was then seen. */
export const fetched = Effect.fnUntraced(function* (deviceId: string, address: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update provisioning.phone_link set fetched_at = now(), fetched_from = ${address}
    where device_id = ${deviceId}`
  yield* sql`update provisioning.device set last_seen_at = date_trunc('minute', now()) where id = ${deviceId}`
})

/** Whether the device exists and is not revoked. */
export const isActive = Effect.fnUntraced(function* (deviceId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select 1 from provisioning.device where id = ${deviceId} and revoked_at is null`
  return rows.length > 0
})
