/**
 * Table of sign-ins in progress at a provider (flows), with the values that the response must match. Each flow can be
 * completed only once, whatever the result.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as oidc from "openid-client"
import * as FlowCookie from "./FlowCookie.ts"
import { FederationRefused } from "./FederationRefused.ts"
import type { ProviderSettings } from "./Settings.ts"
import { Providers } from "./Providers.ts"

/**
 * Maximum number of open flows per client address. Reason: enough for an office behind one address, and one client
 * cannot fill the table.
 */
const maxOpen = 100

/** The signed-in user who connects the provider with the account. */
export interface ConnectRequest {
  readonly accountId: number
  readonly session: string
}

export interface FlowRequest {
  readonly provider: ProviderSettings
  /** Public base address, as the browser sees it. */
  readonly base: string
  /** Local path to return to (ReturnTo.ts). */
  readonly returnTo: string
  /** Client address. */
  readonly address: string
  readonly connecting?: ConnectRequest
}

/**
 * Callback URL, to be registered at the provider. Each provider has its own path, against mix-up attacks (RFC 9700
 * §4.4).
 */
export const redirectUri = (base: string, provider: ProviderSettings): string =>
  `${base}${FlowCookie.cookiePath}/${provider.id}/callback`

/** Starts a flow. Returns the URL to redirect the browser to, and the cookie that it must send back. */
export const begin = Effect.fnUntraced(function* ({ address, base, connecting, provider, returnTo }: FlowRequest) {
  const sql = yield* SqlClient.SqlClient
  const providers = yield* Providers
  const configuration = yield* providers.configuration(provider)
  const secret = FlowCookie.newSecret()
  const state = oidc.randomState()
  const nonce = oidc.randomNonce()
  const uri = redirectUri(base, provider)
  const challenge = yield* Effect.promise(() => oidc.calculatePKCECodeChallenge(FlowCookie.verifierOf(secret)))
  const inserted = yield* sql`with gone as (delete from identity.oidc_flow where expires_at < now())
    insert into identity.oidc_flow
        (state_hash, provider, nonce, browser_hash, redirect_uri, return_to, account_id, session_id, address,
         expires_at)
    select ${FlowCookie.hashOf(state)}::bytea, ${provider.id}, ${nonce}, ${FlowCookie.hashOf(secret)}::bytea,
        ${uri}, ${returnTo}, ${connecting?.accountId ?? null}::int, ${connecting?.session ?? null}::uuid, ${address},
        now() + make_interval(secs => ${FlowCookie.flowLifetime})
     where (select count(*) from identity.oidc_flow where address = ${address} and expires_at > now()) < ${maxOpen}
    returning 1`
  if (inserted.length === 0) return yield* new FederationRefused({ reason: "too_many" })
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: uri,
    ...(provider.scopes === "" ? {} : { scope: provider.scopes }),
    state,
    // Returned in the ID token, which a provider without OpenID Connect does not have.
    ...(provider.plain === undefined ? { nonce } : {}),
    code_challenge: challenge,
    code_challenge_method: "S256"
  })
  return { url: url.href, cookie: FlowCookie.setCookie(base, state, secret) }
})

/** A flow whose response has arrived. */
export interface Flow {
  readonly provider: string
  readonly nonce: string
  readonly browser_hash: Uint8Array
  readonly redirect_uri: string
  readonly return_to: string
  readonly account_id: number | null
  readonly session_id: string | null
  readonly expired: boolean
}

/** Removes a flow from the table and returns it; the same `state` is therefore accepted only once. */
export const take = Effect.fnUntraced(function* (state: string) {
  const sql = yield* SqlClient.SqlClient
  const [flow] = yield* sql<Flow>`delete from identity.oidc_flow where state_hash = ${FlowCookie.hashOf(state)}
    returning provider, nonce, browser_hash, redirect_uri, return_to, account_id, session_id,
      expires_at <= now() as expired`
  return flow
})
