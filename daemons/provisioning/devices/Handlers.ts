import { Effect } from "effect"
import { Caller, inScope, nameOf } from "#core/auth/Caller.ts"
import { requireTenantAccess } from "#core/auth/NamedTenant.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { managedUser, seenUser } from "../tokens/Exports.ts"
import { note } from "../vocabulary/Exports.ts"
import { DevicesApi, type DeviceView } from "./Api.ts"
import { endCredentials } from "./Revocations.ts"
import * as Store from "./Store.ts"

const view = (device: Store.Device): typeof DeviceView.Type => ({
  id: device.id,
  tenant_id: device.tenant_id,
  user_id: device.user_id,
  name: device.name,
  features: device.features,
  client_ip: device.client_ip,
  user_agent: device.user_agent,
  created_at: device.created_at.toISOString(),
  last_seen_at: device.last_seen_at?.toISOString() ?? null,
  revoked_at: device.revoked_at?.toISOString() ?? null,
  token_id: device.token_id,
  shares_extension_with: device.sharing
})

const missing = new NotFound({ detail: "There is no such device." })

export const devices = Handlers.group(DevicesApi, "provisioningDevices", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { revoked, ...filter } }) {
      yield* requireTenantAccess(filter.tenant_id)
      const caller = yield* Caller
      const read = Store.list({ ...filter, revoked: revoked === "true" }, seenUser(caller))
      const found = yield* orUnavailable(
        filter.tenant_id === undefined ? inScope(read) : tenantTransaction(filter.tenant_id, read)
      )
      return { items: found.map(view) }
    }),
    show: Effect.fnUntraced(function* ({ params: { id } }) {
      const caller = yield* Caller
      const device = yield* orUnavailable(inScope(Store.get(id, seenUser(caller))))
      return device === undefined ? yield* missing : view(device)
    }),
    revoke: Effect.fnUntraced(function* ({ params: { id } }) {
      const caller = yield* Caller
      return yield* orUnavailable(
        inScope(
          Effect.gen(function* () {
            const device = yield* Store.get(id, managedUser(caller))
            if (device === undefined) return yield* missing
            const revokedAt = yield* Store.revoke(id, nameOf(caller))
            if (revokedAt === undefined) return yield* missing
            yield* endCredentials(device, "revoked")
            yield* note(device.tenant_id, "device", id, "revoked", {
              user_id: device.user_id,
              name: device.name,
              affected: device.sharing.map((one) => one.id)
            })
            return {
              id,
              revoked_at: revokedAt.toISOString(),
              sip_password_changes: device.extension_id !== null,
              affected_devices: device.sharing
            }
          })
        )
      )
    })
  })
)
