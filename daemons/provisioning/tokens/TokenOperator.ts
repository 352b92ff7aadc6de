/** Implementation of `signalbox provisioning link`, `links` and `revoke-link`. Uses the database, without a daemon. */
import { Effect, Option, Redacted, Schema } from "effect"
import { renderUnicodeCompact } from "uqr"
import { fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { columns, print } from "#core/cli/Output.ts"
import { settings } from "#core/config/Environment.ts"
import { platformSettings } from "#core/config/PlatformSettings.ts"
import { plainText } from "#core/http/Paging.ts"
import { publicUrl } from "#core/http/PublicBase.ts"
import * as Audit from "#core/log/Audit.ts"
import { readOnce } from "#core/settings/ReadOnce.ts"
import { Bookings } from "../bookings/Exports.ts"
import { inTransaction, userNamed } from "../OperatorStorage.ts"
import { maxLabel } from "./Api.ts"
import { tokenSettings } from "./Settings.ts"
import * as Store from "./Store.ts"
import { newToken } from "./Token.ts"
import { emitChange } from "./TokenChange.ts"
import type { TokenState } from "./TokenState.ts"
import { tokenView } from "./TokenView.ts"

const isLabel = Schema.is(plainText(maxLabel))

/** Writes the change to the audit log, and emits its event. */
const told = Effect.fnUntraced(function* (token: Store.Token, state: "unused" | "revoked") {
  const { id, prefix, tenant_id, user_id } = token
  yield* Audit.write({
    tenantId: tenant_id,
    actor: Audit.operator,
    action: state === "unused" ? "client_token.created" : "client_token.revoked",
    entity: "client_token",
    id: String(id),
    detail: { user_id, prefix }
  })
  yield* emitChange(token, { state })
})

/** Host of links when neither the tenant nor the installation has an address. */
const localBase = Effect.map(
  settings({ gatewayPort: platformSettings.gatewayPort }),
  ({ gatewayPort }) => `http://127.0.0.1:${gatewayPort}`
)

export const link = Effect.fnUntraced(function* (flags: {
  readonly user: string
  readonly label: Option.Option<string>
  readonly qr: boolean
  readonly json: boolean
}) {
  const { tokenDays } = yield* settings(tokenSettings)
  const otherwise = yield* localBase
  const label = Option.getOrNull(flags.label)?.trim() ?? null
  if (label !== null && !isLabel(label))
    return yield* fail(`--label: must have 1 to ${maxLabel} characters and no control characters`)
  const { hash, prefix, token } = newToken()
  const made = yield* inTransaction(
    Effect.gen(function* () {
      const user = yield* userNamed(flags.user)
      if (user.state !== "active") return yield* fail(`${user.email} is suspended; unsuspend the user first`)
      const row = yield* Store.add({
        tenantId: user.tenant_id,
        userId: user.user_id,
        prefix,
        hash,
        label,
        createdBy: Audit.operator,
        days: tokenDays
      })
      yield* told(row, "unused")
      const { base_domain: domain } = yield* Bookings.planOf(user.tenant_id)
      return {
        ...tokenView(row),
        email: user.email,
        base: domain === null ? ((yield* readOnce(publicUrl)) ?? otherwise) : `https://${domain}`
      }
    })
  )
  const { base, email, ...shown } = made
  const address = `${base}/provision/${Redacted.value(token)}`
  yield* print(flags.json, { ...shown, link: address }, () => [
    ...(flags.qr ? [renderUnicodeCompact(address, { border: 2 }), ""] : []),
    address,
    `Link ${shown.id} for ${email}. It works once, until ${minute(shown.expires_at)}. ` + "It is shown only now."
  ])
})

export const links = Effect.fnUntraced(function* (flags: {
  readonly user: Option.Option<string>
  readonly state: Option.Option<TokenState>
  readonly limit: number
  readonly json: boolean
}) {
  const found = yield* inTransaction(
    Effect.gen(function* () {
      const user = Option.isSome(flags.user) ? (yield* userNamed(flags.user.value)).user_id : undefined
      const filter = { user_id: user, state: Option.getOrUndefined(flags.state) }
      return (yield* Store.list(filter, undefined, undefined, flags.limit)).map(tokenView)
    })
  )
  yield* print(flags.json, found, () =>
    columns([
      ["id", "prefix", "state", "user", "tenant", "expires", "label"],
      ...found.map((one) => [
        String(one.id),
        one.prefix,
        one.state,
        String(one.user_id),
        String(one.tenant_id),
        minute(new Date(one.expires_at)),
        one.label ?? ""
      ])
    ])
  )
})

export const revoke = Effect.fnUntraced(function* (flags: { readonly id: number; readonly json: boolean }) {
  const revoked = yield* inTransaction(
    Effect.gen(function* () {
      const row = yield* Store.revoke(flags.id, undefined)
      if (row === undefined) return yield* fail(`there is no unused link ${flags.id}`)
      yield* told(row, "revoked")
      return tokenView(row)
    })
  )
  yield* print(flags.json, revoked, () => [`Link ${revoked.id} is revoked.`])
})
