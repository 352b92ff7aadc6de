/** The event about a token that was made, used or revoked. Open console pages show the change. */
import { Effect } from "effect"
import { ProvisioningTokenChanged } from "#core/contracts/Provisioning.ts"
import { Events } from "#core/events/Events.ts"
import type { Token } from "./Store.ts"

/** Emits the event. `device`: id of the device that used the token. */
export const emitChange = Effect.fnUntraced(function* (
  { id, prefix, tenant_id, user_id }: Token,
  change: { readonly state: "unused" | "revoked" } | { readonly state: "used"; readonly device: string }
) {
  const events = yield* Events
  yield* events.emit(
    ProvisioningTokenChanged,
    "provisioning",
    {
      token_id: id,
      prefix,
      tenant_id,
      user_id,
      state: change.state,
      device_id: change.state === "used" ? change.device : null,
      at: new Date().toISOString()
    },
    { tenantId: tenant_id }
  )
})
