/**
 * Handles the return from an OpenID provider: validates the response and exchanges the code. The result is a one-time
 * sign-in link for the user's account, or the connection that the user requested. It never creates an account.
 */
import { Effect, Redacted } from "effect"
import { write } from "#core/log/Audit.ts"
import { transaction } from "#core/sql/Sql.ts"
import { activeFactors } from "../factors/Exports.ts"
import { SignInLinks } from "../sessions/Exports.ts"
import { Accounts, emitSecurityChanged } from "../users/Exports.ts"
import { SqlClient } from "effect/sql"
import { FederationRefused } from "./FederationRefused.ts"
import * as FlowCookie from "./FlowCookie.ts"
import * as LinkedAccounts from "./Store.ts"
import * as OidcFlow from "./OidcFlow.ts"
import type { ProviderSettings } from "./Settings.ts"
import { identityOf, type ProviderIdentity } from "./ProviderAnswer.ts"
import { Providers } from "./Providers.ts"
import { consolePage } from "./ReturnTo.ts"
import { decide } from "./SignInDecision.ts"

/** Entry in `methods` of a session that was opened through a provider. */
export const methodOf = (provider: ProviderSettings): string => `oidc:${provider.id}`

/** Page that redeems the token in the fragment when the sign-in does not return to the console. */
const welcomePath = "/api/v1/auth/welcome"

export interface CallbackRequest {
  readonly provider: ProviderSettings
  /** Query parameters that the provider sent. */
  readonly query: URLSearchParams
  readonly cookies: Readonly<Record<string, string | undefined>>
  /** Public base address, as the browser sees it. */
  readonly base: string
  /** Client address. */
  readonly address: string
}

/** The URL to redirect the browser to. Fails with the reason of a refusal. */
export const handleCallback = Effect.fnUntraced(function* (request: CallbackRequest) {
  const { base, cookies, provider, query } = request
  const state = query.get("state")
  const flow = state === null ? undefined : yield* OidcFlow.take(state)
  if (state === null || flow === undefined) return yield* new FederationRefused({ reason: "state" })
  if (flow.expired) return yield* new FederationRefused({ reason: "expired" })
  const secret = cookies[FlowCookie.cookieName(state)]
  if (!FlowCookie.isSameBrowser(secret, flow.browser_hash)) return yield* new FederationRefused({ reason: "cookie" })
  if (flow.provider !== provider.id) return yield* new FederationRefused({ reason: "provider" })
  const providers = yield* Providers
  const identity = yield* providers.configuration(provider).pipe(
    Effect.mapError(({ detail }) => new FederationRefused({ reason: "away", detail })),
    Effect.flatMap((configuration) =>
      identityOf({
        provider,
        configuration,
        url: new URL(`${flow.redirect_uri}?${query}`),
        state,
        nonce: flow.nonce,
        verifier: FlowCookie.verifierOf(secret)
      })
    ),
    Effect.tapError(({ reason }) => (reason === "away" ? providers.markAway(provider) : Effect.void))
  )
  if (flow.account_id !== null && flow.session_id !== null) {
    yield* transaction(connect(request, identity, flow.account_id, flow.session_id))
    return `${base}${flow.return_to}`
  }
  const token = yield* transaction(createSignInLink(request, identity))
  const page = consolePage(flow.return_to)
  return page === undefined
    ? `${base}${welcomePath}?return_to=${encodeURIComponent(flow.return_to)}#${Redacted.value(token)}`
    : `${base}${page}#token=${Redacted.value(token)}`
})

/** Finds the account, connects it if the verified address suffices, and creates the sign-in link. */
const createSignInLink = Effect.fnUntraced(function* (
  { address, provider }: CallbackRequest,
  identity: ProviderIdentity
) {
  const linked = yield* LinkedAccounts.find(identity)
  const mayMatch = linked === undefined && provider.matchEmail && identity.emailVerified && identity.email !== undefined
  const owner = mayMatch ? yield* Accounts.byEmail(identity.email) : undefined
  const account = linked ?? owner
  const factorSince =
    account === undefined
      ? undefined
      : (yield* activeFactors(account.id)).map(({ since }) => since).toSorted((a, b) => +b - +a)[0]
  const decision = decide({
    linked:
      linked === undefined
        ? undefined
        : { ...linked, factorSince, linkedBy: linked.linked_by, linkedAt: linked.linked_at },
    byEmail:
      owner === undefined
        ? undefined
        : {
            active: owner.state === "active" && owner.tenant_state === "active",
            role: owner.role,
            factorSince,
            linkedToAnother: yield* LinkedAccounts.hasAnother(owner.id, identity)
          }
  })
  const affected = account === undefined ? {} : { accountId: account.id, tenantId: account.tenant_id }
  if (decision._tag === "Refuse") return yield* new FederationRefused({ reason: decision.reason, ...affected })
  if (decision._tag === "LinkAndEnter") {
    if (!(yield* LinkedAccounts.link(account!, identity, "email")))
      return yield* new FederationRefused({ reason: "connect_first", ...affected })
    yield* writeLinked(account!, provider, "email", address)
    yield* emitSecurityChanged(account!, "provider_connected")
  }
  yield* LinkedAccounts.recordSignIn(identity)
  return yield* SignInLinks.make(account!.id, account!.tenant_id, "oidc", [methodOf(provider)])
})

/** Connects the account of the user who started this, provided that the user is still signed in. */
const connect = Effect.fnUntraced(function* (
  { address, provider }: CallbackRequest,
  identity: ProviderIdentity,
  accountId: number,
  session: string
) {
  const sql = yield* SqlClient.SqlClient
  const account = yield* Accounts.credentialsOf(accountId)
  const [activeSession] = yield* sql`select 1 from identity.session
    where id = ${session} and account_id = ${accountId} and ended_at is null and expires_at > now()`
  if (
    account === undefined ||
    account.state !== "active" ||
    account.tenant_state !== "active" ||
    activeSession === undefined
  ) {
    return yield* new FederationRefused({
      reason: "signed_out",
      accountId,
      ...(account === undefined ? {} : { tenantId: account.tenant_id })
    })
  }
  const wasConnected = (yield* LinkedAccounts.find(identity)) !== undefined
  if (!(yield* LinkedAccounts.link(account, identity, "owner"))) {
    return yield* new FederationRefused({ reason: "taken", accountId, tenantId: account.tenant_id })
  }
  yield* writeLinked(account, provider, "owner", address)
  if (!wasConnected) yield* emitSecurityChanged(account, "provider_connected")
})

const writeLinked = (
  account: { readonly id: number; readonly tenant_id: number },
  provider: ProviderSettings,
  by: "email" | "owner",
  address: string
) =>
  write({
    tenantId: account.tenant_id,
    actor: `user:${account.id}`,
    action: "federation.linked",
    entity: "user",
    id: String(account.id),
    address,
    detail: { provider: provider.id, issuer: provider.issuer, by }
  })
