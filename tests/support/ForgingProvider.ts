/**
 * An OpenID provider that forges answers: it answers any code with any ID token. OidcProvider shows the behaviour of an
 * honest provider.
 */
import { Effect, type Scope } from "effect"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { HttpDouble, type Incoming } from "./HttpDouble.ts"

export interface Claims {
  readonly [claim: string]: unknown
}

export interface ForgingProvider {
  readonly issuer: string
  readonly clientId: "signalbox"
  readonly clientSecret: "secret"
  /** Makes the next ID tokens. `claims` are the honest ones, with the nonce that was sent. */
  readonly lie: (
    token: (honest: { readonly claims: Claims; readonly sign: (claims: Claims) => Promise<string> }) => Promise<string>
  ) => void
  /** Sets the nonce of an honest token. */
  readonly expect: (nonce: string) => void
  /** Sets the answer of a path. `undefined` cuts the connection; `"silent"` never answers. */
  readonly answer: (path: string, how: Answer | "silent" | undefined) => void
  /** Number of requests to a path. */
  readonly asked: (path: string) => number
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export const startForgingProvider = (
  sub = "ada",
  email = "ada@example.org"
): Effect.Effect<ForgingProvider, never, Scope.Scope> =>
  Effect.gen(function* () {
    const pair = yield* Effect.promise(() => generateKeyPair("RS256", { extractable: true }))
    const jwk = { ...(yield* Effect.promise(() => exportJWK(pair.publicKey))), kid: "1", alg: "RS256", use: "sig" }
    const sign = (claims: Claims) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", kid: "1" }).sign(pair.privateKey)
    const answers = new Map<string, Answer | "silent" | undefined>()
    const counts = new Map<string, number>()
    let nonce = ""
    let issuer = ""
    let token: Parameters<ForgingProvider["lie"]>[0] = ({ claims, sign }) => sign(claims)

    const json = (value: unknown): Answer => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(value)
    })
    const honest = async (path: string): Promise<Answer> => {
      if (path === "/.well-known/openid-configuration") {
        return json({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256"]
        })
      }
      if (path === "/jwks") return json({ keys: [jwk] })
      if (path !== "/token") return { status: 404 }
      const now = Math.floor(Date.now() / 1000)
      const claims = { iss: issuer, sub, aud: "signalbox", iat: now, exp: now + 60, nonce, email, email_verified: true }
      return json({ access_token: "a", token_type: "Bearer", expires_in: 60, id_token: await token({ claims, sign }) })
    }
    const double = new HttpDouble((incoming: Incoming) => {
      const path = incoming.request.url!.split("?", 1)[0]!
      counts.set(path, (counts.get(path) ?? 0) + 1)
      const set = answers.get(path)
      if (set === "silent") return
      if (answers.has(path) && set === undefined) return void incoming.request.socket.destroy()
      void (set === undefined ? honest(path) : Promise.resolve(set)).then(({ body, headers, status }) =>
        incoming.response.writeHead(status, headers).end(body)
      )
    })
    issuer = yield* Effect.acquireRelease(
      Effect.promise(() => double.start()),
      () => Effect.promise(() => double.stop())
    )
    return {
      issuer,
      clientId: "signalbox",
      clientSecret: "secret",
      lie: (next) => {
        token = next
      },
      expect: (next) => {
        nonce = next
      },
      answer: (path, how) => void answers.set(path, how),
      asked: (path) => counts.get(path) ?? 0
    }
  })
