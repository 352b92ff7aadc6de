/**
 * Side effects of a changed factor: recovery codes, the end of other sessions, the audit entry and the security event.
 * Runs in the transaction of the change, in the owner's scope.
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

/** Codes are shown once: here, or when they are made anew. */
const shown = ({ codes }: RecoveryCodes.NewSet) => codes.map(Redacted.value)

/** Whoever begins to set one up is written down, too. */
export const begun = (changing: Changing, factor: Factor) => tell(changing, "second_factor.begun", { factor })

/** A factor was confirmed. Answers the recovery codes when they are the account's first, else none. */
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

/** A factor was removed; one that was never confirmed leaves everything else as it was. */
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

/** New recovery codes in place of the old; answers them. */
export const renewed = Effect.fnUntraced(function* (changing: Changing, set: RecoveryCodes.NewSet) {
  const { tenantId: tenant_id, userId: id } = changing.caller
  yield* RecoveryCodes.replace({ id, tenant_id }, set)
  yield* tell(changing, "recovery_codes.renewed", { made: set.codes.length })
  yield* emitSecurityChanged({ id, tenant_id }, "recovery_codes_renewed")
  return shown(set)
})
