/**
 * Ways out to a provider that have not come back yet: what must match when they do. Each comes back once at most,
 * whatever comes of it.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as oidc from "openid-client"
import * as FlowCookie from "./FlowCookie.ts"
import { FederationRefused } from "./FederationRefused.ts"
import type { ProviderSettings } from "./Settings.ts"
import { Providers } from "./Providers.ts"

/**
 * Ways one address may have open. Unit: ways. Reason: an office of people behind one, and no table filled from one
 * place.
 */
const maxOpen = 100

/** Who, signed in, connects the provider with the own account. */
export interface Connecting {
  readonly accountId: number
  readonly session: string
}

export interface Beginning {
  readonly provider: ProviderSettings
  /** Our address as the browser knows it. */
  readonly base: string
  /** A local path (ReturnTo). */
  readonly returnTo: string
  /** The client's address. */
  readonly address: string
  readonly connecting?: Connecting
}

/**
 * Where the provider sends people back to; to be laid down there. A path of its own for each, against mix-ups (RFC 9700
 * §4.4).
 */
export const redirectUri = (base: string, provider: ProviderSettings): string =>
  `${base}${FlowCookie.cookiePath}/${provider.id}/callback`

/** Begins a way: where to send the browser, and the cookie it has to bring back. */
export const begin = Effect.fnUntraced(function* ({ address, base, connecting, provider, returnTo }: Beginning) {
  const sql = yield* SqlClient.SqlClient
  const providers = yield* Providers
  const configuration = yield* providers.configuration(provider)
  const secret = FlowCookie.newSecret()
  const state = oidc.randomState()
  const nonce = oidc.randomNonce()
  const uri = redirectUri(base, provider)
  const challenge = yield* Effect.promise(() => oidc.calculatePKCECodeChallenge(FlowCookie.verifierOf(secret)))
  const made = yield* sql`with gone as (delete from identity.oidc_flow where expires_at < now())
    insert into identity.oidc_flow (state_hash, provider, nonce, browser_hash, redirect_uri, return_to, account_id, session_id, address, expires_at)
    select ${FlowCookie.hashOf(state)}::bytea, ${provider.id}, ${nonce}, ${FlowCookie.hashOf(secret)}::bytea, ${uri}, ${returnTo},
        ${connecting?.accountId ?? null}::int, ${connecting?.session ?? null}::uuid, ${address}, now() + make_interval(secs => ${FlowCookie.flowLifetime})
     where (select count(*) from identity.oidc_flow where address = ${address} and expires_at > now()) < ${maxOpen}
    returning 1`
  if (made.length === 0) return yield* new FederationRefused({ reason: "too_many" })
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: uri,
    scope: provider.scopes,
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: "S256"
  })
  return { url: url.href, cookie: FlowCookie.setCookie(base, state, secret) }
})

/** A way that has come back. */
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

/** Takes a way out of the table: whoever brings the same state a second time finds none. */
export const take = Effect.fnUntraced(function* (state: string) {
  const sql = yield* SqlClient.SqlClient
  const [flow] = yield* sql<Flow>`delete from identity.oidc_flow where state_hash = ${FlowCookie.hashOf(state)}
    returning provider, nonce, browser_hash, redirect_uri, return_to, account_id, session_id, expires_at <= now() as expired`
  return flow
})
