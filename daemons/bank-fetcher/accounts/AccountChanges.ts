/** Creation and change of accounts, with the checks that no schema can state. */
import { Effect } from "effect"
import { Caller, inScope, tenantOf } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { Forbidden, InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { newKeyBits } from "#protocols/ebics/Keys.ts"
import { view } from "./AccountRow.ts"
import * as AccountStore from "./AccountStore.ts"
import { AccountView, type CreateAccount, type UpdateAccount } from "./Api.ts"
import { BankClient } from "./BankClient.ts"
import { ibanOf } from "../bank-store/Iban.ts"
import { bicOf, problemsOf } from "./Normalise.ts"

/** Currency of an account when none is given. */
const usualCurrency = "EUR"

const checked = Effect.fnUntraced(function* (payload: Parameters<typeof problemsOf>[0]) {
  const { allow } = yield* BankClient
  const errors = problemsOf(payload, allow)
  if (errors.length > 0) return yield* new InvalidRequest({ errors })
})

const ownerOf = Effect.fnUntraced(function* (named: number | undefined) {
  const caller = yield* Caller
  if (caller.kind === "user" && named !== undefined && named !== caller.tenantId)
    return yield* new Forbidden({ detail: "Only service tokens may name another tenant." })
  return named ?? tenantOf(caller)
})

export const create = Effect.fnUntraced(function* (payload: typeof CreateAccount.Type, key: string | undefined) {
  const tenantId = yield* ownerOf(payload.tenant_id)
  yield* checked(payload)
  const { bic, holder, host_id, partner_id, server_url, user_id } = payload
  const made = {
    name: payload.name,
    iban: ibanOf(payload.iban)!,
    currency: payload.currency ?? usualCurrency,
    bic: bic === undefined || bic === null ? null : bicOf(bic),
    holder: holder ?? null,
    host_id: host_id ?? null,
    partner_id: partner_id ?? null,
    user_id: user_id ?? null,
    server_url: server_url ?? null,
    ebics_version: payload.ebics_version ?? null,
    signature_version: payload.signature_version ?? "A006",
    key_bits: payload.key_bits ?? newKeyBits,
    digest_kind: payload.digest_kind ?? "key",
    order_types: payload.order_types ?? null,
    daily_schedule: payload.daily_schedule ?? null,
    intraday_schedule: payload.intraday_schedule ?? null,
    fetch_enabled: payload.fetch_enabled ?? true
  } as const
  const errors = AccountStore.problemsOfIds(made, {})
  if (errors.length > 0) return yield* new InvalidRequest({ errors })
  return yield* orUnavailable(
    Idempotency.once({
      key,
      endpoint: "bank.accounts.create",
      body: payload,
      response: AccountView,
      create: Effect.map(AccountStore.create(tenantId, made), view)
    })
  )
})

export const update = Effect.fnUntraced(function* (id: string, payload: typeof UpdateAccount.Type) {
  if (Object.keys(payload).length === 0)
    return yield* new InvalidRequest({ errors: [{ field: "payload", message: "must have at least one field" }] })
  yield* checked(payload)
  const { bic, ...others } = payload
  const to = { ...others, ...(bic === undefined ? {} : { bic: bic === null ? null : bicOf(bic) }) }
  return view(yield* orUnavailable(inScope(AccountStore.update(id, to))))
})
