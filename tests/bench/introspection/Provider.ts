/**
 * The npm `oidc-provider` in a separate process: opaque access tokens in memory, and its introspection endpoint with
 * client_secret_basic. The adapter is a plain Map, because the built-in one keeps only 1,000 entries.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type Adapter, type AdapterPayload, Provider } from "oidc-provider"

/** Number of tokens, and the credentials of the caller. */
export interface ProviderOrder {
  readonly tokens: number
  readonly id: string
  readonly secret: string
}

/** Lifetime of a token. Unit: seconds. */
const lifetime = 3_600

class Memory implements Adapter {
  static readonly #stored = new Map<string, AdapterPayload>()
  readonly #model: string

  constructor(model: string) {
    this.#model = model
  }

  async upsert(id: string, payload: AdapterPayload) {
    Memory.#stored.set(`${this.#model}:${id}`, payload)
  }

  async find(id: string) {
    return Memory.#stored.get(`${this.#model}:${id}`)
  }

  async findByUid() {
    return undefined
  }

  async findByUserCode() {
    return undefined
  }

  async consume() {}

  async destroy(id: string) {
    Memory.#stored.delete(`${this.#model}:${id}`)
  }

  async revokeByGrantId() {}
}

process.once("message", async ({ id, secret, tokens }: ProviderOrder) => {
  const provider = new Provider("http://127.0.0.1", {
    adapter: Memory,
    clients: [
      {
        client_id: id,
        client_secret: secret,
        token_endpoint_auth_method: "client_secret_basic",
        redirect_uris: [],
        response_types: [],
        grant_types: []
      }
    ],
    features: { introspection: { enabled: true, allowedPolicy: () => true }, devInteractions: { enabled: false } },
    ttl: { AccessToken: lifetime, Grant: lifetime },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) })
  })
  const client = await provider.Client.find(id)
  const issued: Array<string> = []
  for (let n = 0; n < tokens; n++) {
    const grant = new provider.Grant({ clientId: id, accountId: `user${n}@example.test` })
    grant.addOIDCScope("imap smtp")
    const token = new provider.AccessToken({
      client: client!,
      accountId: `user${n}@example.test`,
      grantId: await grant.save(),
      scope: "imap smtp",
      gty: "authorization_code"
    } as never)
    issued.push(await token.save())
  }
  const server = createServer(provider.callback())
  server.listen(0, "127.0.0.1", () =>
    process.send!({ port: (server.address() as AddressInfo).port, path: "/token/introspection", tokens: issued })
  )
})
process.on("disconnect", () => process.exit(0))
