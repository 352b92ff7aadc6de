/** Audit entries of accounts, and the operator as a caller. */
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { Caller, type CallerInfo, nameOf } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"
import * as Audit from "#core/log/Audit.ts"

/** Caller of commands on this machine. The id belongs to no service token. */
export const operatorCaller: CallerInfo = { kind: "service", tokenId: 0, name: Audit.operator, scopes: new Set() }

/** Caller of the daemon itself. The id belongs to no service token. */
export const systemCaller: CallerInfo = { kind: "service", tokenId: -1, name: "system", scopes: new Set() }

/** Name of the caller for audit entries and `accepted_by`. */
export const actorOf = (caller: CallerInfo): string =>
  caller.kind === "service" && caller.tokenId <= 0 ? caller.name : nameOf(caller)

/** Writes an audit entry in the surrounding transaction. Without a caller: `system`. */
export const note = Effect.fnUntraced(function* (
  row: { readonly id: string; readonly tenant_id: number },
  action: string,
  detail: Readonly<Record<string, unknown>> = {}
) {
  const caller = yield* Effect.serviceOption(Caller)
  const request = yield* Effect.serviceOption(HttpServerRequest.HttpServerRequest)
  const address = Option.isNone(request)
    ? undefined
    : (yield* Effect.provideService(client, HttpServerRequest.HttpServerRequest, request.value)).address
  yield* Audit.write({
    tenantId: row.tenant_id,
    actor: Option.isSome(caller) ? actorOf(caller.value) : "system",
    action: `bank_account.${action}`,
    entity: "bank_account",
    id: row.id,
    address,
    detail
  })
})
