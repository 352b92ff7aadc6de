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

export interface Requester {
  readonly caller: UserCaller
  readonly client: Client
}

const writeAudit = ({ caller, client }: Requester, action: string, detail: Readonly<Record<string, unknown>>) =>
  writeFor({
    tenantId: caller.tenantId,
    action,
    entity: "user",
    id: String(caller.userId),
    address: client.address,
    detail
  })

const endOtherSessions = ({ caller }: Requester) =>
  endSessions({ account: caller.userId, except: caller.session }, "second_factor_changed")

/** Recovery codes as text. They are shown only when they are created. */
const plainCodes = ({ codes }: RecoveryCodes.NewCodes) => codes.map(Redacted.value)

/** Records the start of a set-up in the audit log. */
export const recordBegin = (requester: Requester, factor: Factor) =>
  writeAudit(requester, "second_factor.begun", { factor })

/** Records a confirmed factor. Returns the recovery codes if they are the first of the account, else an empty list. */
export const recordActivation = Effect.fnUntraced(function* (
  requester: Requester,
  factor: Factor,
  newCodes: RecoveryCodes.NewCodes
) {
  const { tenantId: tenant_id, userId: id } = requester.caller
  const { total } = yield* RecoveryCodes.counts(id)
  if (total === 0) yield* RecoveryCodes.replace({ id, tenant_id }, newCodes)
  yield* markChanged(id)
  const ended = yield* endOtherSessions(requester)
  yield* writeAudit(requester, "second_factor.added", { factor, sessions_ended: ended.length })
  yield* emitSecurityChanged({ id, tenant_id }, "second_factor_added")
  return total === 0 ? plainCodes(newCodes) : []
})

/** Records a removed factor. Removing a factor that was never confirmed has no further effects. */
export const recordRemoval = Effect.fnUntraced(function* (requester: Requester, factor: Factor, confirmed: boolean) {
  if (!confirmed) return yield* writeAudit(requester, "second_factor.given_up", { factor })
  const { tenantId: tenant_id, userId: id } = requester.caller
  const left = yield* activeFactors(id)
  if (left.length === 0) yield* RecoveryCodes.remove(id)
  yield* markChanged(id)
  const ended = yield* endOtherSessions(requester)
  yield* writeAudit(requester, "second_factor.removed", { factor, sessions_ended: ended.length })
  yield* emitSecurityChanged({ id, tenant_id }, "second_factor_removed")
})

/** Replaces the recovery codes and returns the new ones. */
export const replaceRecoveryCodes = Effect.fnUntraced(function* (
  requester: Requester,
  newCodes: RecoveryCodes.NewCodes
) {
  const { tenantId: tenant_id, userId: id } = requester.caller
  yield* RecoveryCodes.replace({ id, tenant_id }, newCodes)
  yield* writeAudit(requester, "recovery_codes.renewed", { made: newCodes.codes.length })
  yield* emitSecurityChanged({ id, tenant_id }, "recovery_codes_renewed")
  return plainCodes(newCodes)
})
