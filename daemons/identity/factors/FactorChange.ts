/**
 * Side effects of a changed factor: recovery codes, end of other sessions, audit entry and security event. Runs in the
 * transaction of the change, in the owner's tenant.
 */
import { Effect, Redacted } from "effect"
import { writeFor } from "#core/log/Audit.ts"
import type { Client } from "#core/http/Client.ts"
import { emitSecurityChanged, type UserCaller } from "../users/Exports.ts"
import { endSessions } from "../sessions/Exports.ts"
import { activeFactors, type Factor, markChanged } from "./ActiveFactors.ts"
import * as RecoveryCodes from "./RecoveryCodeStore.ts"

export interface Changing {
  readonly caller: UserCaller
  readonly client: Client
}

const tell = ({ caller, client }: Changing, action: string, detail: Readonly<Record<string, unknown>>) =>
  writeFor({
    tenantId: caller.tenantId,
    action,
    entity: "user",
    id: String(caller.userId),
    address: client.address,
    detail
  })

const endOthers = ({ caller }: Changing) =>
  endSessions({ account: caller.userId, except: caller.session }, "second_factor_changed")

/** Recovery codes as text. They are shown only when they are created. */
const shown = ({ codes }: RecoveryCodes.NewSet) => codes.map(Redacted.value)

/** Records the start of a set-up in the audit log. */
export const begun = (changing: Changing, factor: Factor) => tell(changing, "second_factor.begun", { factor })

/** Records a confirmed factor. Returns the recovery codes if they are the first of the account, else an empty list. */
export const activated = Effect.fnUntraced(function* (changing: Changing, factor: Factor, set: RecoveryCodes.NewSet) {
  const { tenantId: tenant_id, userId: id } = changing.caller
  const { made } = yield* RecoveryCodes.counts(id)
  if (made === 0) yield* RecoveryCodes.replace({ id, tenant_id }, set)
  yield* markChanged(id)
  const ended = yield* endOthers(changing)
  yield* tell(changing, "second_factor.added", { factor, sessions_ended: ended.length })
  yield* emitSecurityChanged({ id, tenant_id }, "second_factor_added")
  return made === 0 ? shown(set) : []
})

/** Records a removed factor. Removing a factor that was never confirmed has no further effects. */
export const deactivated = Effect.fnUntraced(function* (changing: Changing, factor: Factor, confirmed: boolean) {
  if (!confirmed) return yield* tell(changing, "second_factor.given_up", { factor })
  const { tenantId: tenant_id, userId: id } = changing.caller
  const left = yield* activeFactors(id)
  if (left.length === 0) yield* RecoveryCodes.remove(id)
  yield* markChanged(id)
  const ended = yield* endOthers(changing)
  yield* tell(changing, "second_factor.removed", { factor, sessions_ended: ended.length })
  yield* emitSecurityChanged({ id, tenant_id }, "second_factor_removed")
})

/** Replaces the recovery codes and returns the new ones. */
export const renewed = Effect.fnUntraced(function* (changing: Changing, set: RecoveryCodes.NewSet) {
  const { tenantId: tenant_id, userId: id } = changing.caller
  yield* RecoveryCodes.replace({ id, tenant_id }, set)
  yield* tell(changing, "recovery_codes.renewed", { made: set.codes.length })
  yield* emitSecurityChanged({ id, tenant_id }, "recovery_codes_renewed")
  return shown(set)
})
