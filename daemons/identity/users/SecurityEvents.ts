/** Emits `identity.security.changed` to the owner of an account. Runs in the transaction of the change. */
import { Clock, Effect } from "effect"
import { SecurityChanged } from "#core/contracts/Identity.ts"
import { Events } from "#core/events/Events.ts"
import { source } from "./Accounts.ts"

type Change = (typeof SecurityChanged.data.Type)["change"]

/** Emits the event with the owner as its only audience. */
export const emitSecurityChanged = Effect.fnUntraced(function* (
  { id, tenant_id }: { readonly id: number; readonly tenant_id: number },
  change: Change
) {
  const events = yield* Events
  const at = new Date(yield* Clock.currentTimeMillis).toISOString()
  yield* events.emit(
    SecurityChanged,
    source,
    { user_id: id, tenant_id, change, at },
    { tenantId: tenant_id, userId: id }
  )
})
