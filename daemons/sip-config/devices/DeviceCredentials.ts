/** Phone settings for a device that is set up, and a new password when such a device is revoked. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type DeviceRevoked, ExtensionCredentials } from "#core/contracts/Provisioning.ts"
import { Wake } from "#core/events/Wake.ts"
import * as Audit from "#core/log/Audit.ts"
import { RequestRefused } from "#core/requests/RequestContract.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Credentials, dataTopic, Extensions, phoneConfig, sealedExtensions, SipSettings } from "../directory/Exports.ts"

const unknown = new RequestRefused({ type: ExtensionCredentials.type, reason: "unknown" })

/** Settings and password of the user's extension. The audit log names the user and the device. */
export const show = Effect.fnUntraced(function* (asked: typeof ExtensionCredentials.ask.Type) {
  const credentials = yield* Credentials.Credentials
  const settings = yield* SipSettings
  const row = yield* transaction(
    Effect.gen(function* () {
      const row = yield* Extensions.withPassword(asked.extension_id, {
        tenantId: asked.tenant_id,
        userId: asked.user_id
      })
      if (row === undefined || !row.enabled) return yield* unknown
      yield* Audit.write({
        tenantId: row.tenant_id,
        actor: `user:${asked.user_id}`,
        action: "sip_extension.config_shown",
        entity: "sip_extension",
        id: String(row.id),
        address: asked.client_ip,
        detail: { extension: row.extension, domain: row.domain, device_id: asked.device_id }
      })
      return row
    })
  )
  const { codecs, display_name, extension, password, realm, transports, wss_url } = phoneConfig(
    row,
    yield* credentials.open(sealedExtensions, row.id, row.password),
    settings
  )
  return { extension, display_name, realm, password, wss_url, transports, codecs }
})

/** Gives the extension of a revoked device a new password. An extension that is deleted by now needs none. */
export const rotate = ({ device_id, extension_id: id, tenant_id }: typeof DeviceRevoked.data.Type) =>
  id === null
    ? Effect.void
    : Effect.gen(function* () {
        const credentials = yield* Credentials.Credentials
        const wake = yield* Wake
        const envelope = yield* credentials.seal(sealedExtensions, id, Credentials.newPassword())
        yield* transaction(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const [row] = yield* sql`update sip_config.extension set password = ${envelope}, updated_at = now()
              where id = ${id} and tenant_id = ${tenant_id} returning 1`
            if (row === undefined) return
            yield* Audit.write({
              tenantId: tenant_id,
              actor: "system",
              action: "sip_extension.password_set",
              entity: "sip_extension",
              id: String(id),
              detail: { because: "device_revoked", device_id }
            })
            yield* wake.announce(dataTopic)
          })
        )
      })
