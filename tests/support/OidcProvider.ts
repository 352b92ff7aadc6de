/**
 * A real OpenID provider (npm oidc-provider) on a loopback port. The `present` person is signed in without a prompt,
 * like a browser with a session. Every client must use PKCE.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import { exportJWK, generateKeyPair } from "jose"
import { Provider } from "oidc-provider"

/** A person with an account at the provider. */
export interface OutsidePerson {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
}

export interface OidcProviderOptions {
  readonly people: ReadonlyArray<OutsidePerson>
  readonly redirectUris: ReadonlyArray<string>
  /** Default `client_secret_basic`. */
  readonly clientAuth?: "client_secret_basic" | "client_secret_post" | "none"
}

export interface OidcProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Sets the person at the provider's page; `undefined`: a person who presses "cancel". */
  readonly present: (sub: string | undefined) => void
  /** Closes the port. */
  readonly stop: Effect.Effect<void>
}

/** Error description of the provider. Tests check that our pages never show it. */
export const cancelled = "<script>alert(1)</script> the person pressed cancel"

export const startOidcProvider = (options: OidcProviderOptions): Effect.Effect<OidcProvider, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => start(options)),
    ({ stop }) => stop
  )

const start = async (options: OidcProviderOptions): Promise<OidcProvider> => {
  let present: string | undefined
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair("RS256", { extractable: true })
  const clientId = "signalbox"
  // No dictionary words: log checks search for parts of the secret, and words would match by chance.
  const clientSecret = "q7Xv-2mKd9-Rw4tZ-8hLp3-Ys6nB-1fGc5"
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        redirect_uris: [...options.redirectUris],
        token_endpoint_auth_method: options.clientAuth ?? "client_secret_basic",
        ...(options.clientAuth === "none" ? {} : { client_secret: clientSecret })
      }
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "1" }] },
    cookies: { keys: ["a key of the test"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    clientAuthMethods: options.clientAuth === undefined ? undefined : [options.clientAuth],
    findAccount: (_, sub) => {
      const person = options.people.find((candidate) => candidate.sub === sub)
      return person === undefined ? undefined : { accountId: sub, claims: () => ({ ...person, name: "A Person" }) }
    },
    // Skips the consent prompt, because the client belongs to the operator.
    loadExistingGrant: async (context) => {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client!.clientId,
        accountId: context.oidc.session!.accountId!
      })
      grant.addOIDCScope("openid email profile")
      await grant.save()
      return grant
    }
  })
  const callback = provider.callback()
  handle = (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return void callback(request, response)
    const result =
      present === undefined
        ? { error: "access_denied", error_description: cancelled }
        : { login: { accountId: present, remember: false } }
    provider.interactionFinished(request, response, result).catch(() => response.writeHead(500).end())
  }
  return {
    issuer,
    clientId,
    clientSecret,
    present: (sub) => {
      present = sub
    },
    stop: Effect.promise(
      () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        })
    )
  }
}
