/**
 * A provider with OAuth 2.0 and no OpenID Connect, as code hosts and chat services have it: no discovery, no ID token,
 * a user info with fields of its own. It refuses what these refuse: a foreign redirect address, a wrong secret, a
 * second use of a code, a wrong PKCE verifier, a request without token. No library has such a server: oidc-provider
 * answers its user info only for scope `openid`.
 */
import { Effect } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { HttpDouble, type Incoming } from "./HttpDouble.ts"

/** Answer of the user info; any JSON. */
export type UserInfo = unknown

export class PlainOAuthProvider {
  readonly clientId = "signalbox"
  readonly clientSecret = "q7Xv-2mKd9-Rw4tZ-8hLp3-Ys6nB-1fGc5"
  /** Queries of the authorisation endpoint. */
  readonly asked: Array<URLSearchParams> = []
  /** What the user info says of the person at the provider's page. */
  info: UserInfo = {}
  /** Status of the user info. */
  status = 200
  base = ""
  readonly #redirectUris: ReadonlyArray<string>
  readonly #codes = new Map<string, { readonly redirect: string; readonly challenge: string }>()
  readonly #tokens = new Set<string>()
  readonly #http = new HttpDouble((incoming) => this.#handle(incoming))

  private constructor(redirectUris: ReadonlyArray<string>) {
    this.#redirectUris = redirectUris
  }

  static readonly start = (redirectUris: ReadonlyArray<string>) =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const provider = new PlainOAuthProvider(redirectUris)
        provider.base = await provider.#http.start()
        return provider
      }),
      (provider) => Effect.promise(() => provider.#http.stop())
    )

  /** Environment variables of provider 1. */
  variables(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const all = {
      ISSUER: this.base,
      CLIENT_ID: this.clientId,
      CLIENT_SECRET: this.clientSecret,
      AUTHORIZE_URL: `${this.base}/login/authorize?kind=web`,
      TOKEN_URL: `${this.base}/login/token`,
      USERINFO_URL: `${this.base}/api/user`,
      SCOPES: "read:user",
      ...more
    }
    return Object.fromEntries(Object.entries(all).map(([name, value]) => [`SIGNALBOX_OIDC_1_${name}`, value]))
  }

  #handle({ body, request, response }: Incoming): void {
    const url = new URL(request.url ?? "/", this.base)
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))
    if (url.pathname === "/login/authorize") {
      this.asked.push(url.searchParams)
      const redirect = url.searchParams.get("redirect_uri") ?? ""
      const challenge = url.searchParams.get("code_challenge") ?? ""
      if (!this.#redirectUris.includes(redirect) || url.searchParams.get("client_id") !== this.clientId)
        return void json(400, { error: "invalid_request" })
      const code = randomUUID()
      this.#codes.set(code, { redirect, challenge })
      const back = new URLSearchParams({ code, state: url.searchParams.get("state") ?? "" })
      return void response.writeHead(302, { location: `${redirect}?${back}` }).end()
    }
    if (url.pathname === "/login/token" && request.method === "POST") {
      const form = new URLSearchParams(body)
      const known = this.#codes.get(form.get("code") ?? "")
      this.#codes.delete(form.get("code") ?? "")
      if (form.get("client_id") !== this.clientId || form.get("client_secret") !== this.clientSecret)
        return void json(401, { error: "invalid_client" })
      const verifier = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url")
      if (known === undefined || known.redirect !== form.get("redirect_uri") || known.challenge !== verifier)
        return void json(400, { error: "invalid_grant" })
      const token = randomUUID()
      this.#tokens.add(token)
      return void json(200, { access_token: token, token_type: "bearer", scope: "read:user" })
    }
    if (url.pathname === "/api/user") {
      const [, token = ""] = /^bearer (.+)$/i.exec(request.headers.authorization ?? "") ?? []
      return void (this.#tokens.has(token) ? json(this.status, this.info) : json(401, { message: "Bad credentials" }))
    }
    json(404, { message: "Not Found" })
  }
}
