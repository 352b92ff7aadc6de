/**
 * Walk cases of external providers. The configured provider only publishes its addresses, so answers from a provider
 * are not covered.
 */
import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { issuerKey } from "#daemons/identity/federation/Settings.ts"
import { type Cases, list, open, own, type Who } from "#support/walk/Case.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import type { People } from "./People.ts"

const base = "/api/v1/auth"
const page = "errors on a browser's way are pages for people"
const noProvider = ["0", "-1", "x", "1e99", "beyond integers", "NUL", "..%2f", "../"].map((input) => ({
  input: `path.provider: ${input}`,
  why: page,
  status: 404
}))

/** Starts the provider. Returns its issuer. */
export const provider = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly issuer: string; readonly stop: () => void }>((resolve) => {
        const server = createServer((_, response) => {
          const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
          response.setHeader("content-type", "application/json")
          response.end(
            JSON.stringify({
              issuer,
              authorization_endpoint: `${issuer}/auth`,
              token_endpoint: `${issuer}/token`,
              jwks_uri: `${issuer}/jwks`,
              response_types_supported: ["code"],
              subject_types_supported: ["public"],
              id_token_signing_alg_values_supported: ["RS256"],
              code_challenge_methods_supported: ["S256"]
            })
          )
        }).listen(0, "127.0.0.1", () =>
          resolve({
            issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
            stop: () => void server.close()
          })
        )
      })
  ),
  ({ stop }) => Effect.sync(stop)
)

export const federationSettings = (issuer: string) => ({
  SIGNALBOX_OIDC_1_ISSUER: issuer,
  SIGNALBOX_OIDC_1_CLIENT_ID: "signalbox"
})

export const federationCases = (people: People, { sql }: TestSuite, issuer: string): Cases => {
  let count = 0
  const connect = (tenant: number, account: number, at: string, email: string) =>
    sql`insert into identity.federated_account (issuer, subject, tenant_id, account_id, email, linked_by)
      values (${at}, ${`subject ${count++}`}, ${tenant}, ${account}, ${email}, 'owner')`
  return {
    [`GET ${base}/providers`]: open("what a sign-in page shows", {
      success: 200,
      wrong: ({ json }) => (json.items[0]?.available === true ? undefined : "not available")
    }),
    [`GET ${base}/oidc/{provider}/start`]: open("who signs in has shown nothing yet", {
      request: () => ({ path: { provider: "1" }, query: { return_to: "/mail" } }),
      success: 302,
      except: noProvider
    }),
    [`GET ${base}/oidc/{provider}/callback`]: open("the browser's way back; its state is of nobody's flow here", {
      request: () => ({ path: { provider: "1" }, query: { state: "none", code: "none", iss: issuer, error: "none" } }),
      success: 400,
      except: [
        ...noProvider,
        ...["empty", "-1", "x", "1.5", "1e99", "beyond integers", "NUL", "10 kB"].map((input) => ({
          input: `query.*: ${input}`,
          why: page,
          status: 400
        }))
      ]
    }),
    [`GET ${base}/linked`]: list({
      personal: true,
      seed: Effect.fnUntraced(function* (as) {
        const email = `${as.mark}-${count++}@outside.test`
        yield* connect(as.tenant, Number(as.headers["x-account"]), `https://issuer-${count}.test`, email)
        return { email }
      }),
      never: { email: "nobody@outside.test" },
      request: () => ({}),
      success: 200,
      shows: ({ json }) => json.items.map((item: { readonly email: string }) => item.email),
      by: "email",
      naming: () => []
    }),
    [`POST ${base}/linked/{provider}`]: own("begins a way out of the caller's own", {
      request: () => ({ path: { provider: "1" }, body: { return_to: "/mail" } }),
      success: 200
    }),
    [`DELETE ${base}/linked/{provider}`]: own("ends a connection of the caller's own", {
      seed: Effect.fnUntraced(function* (as: Who) {
        const { headers, id } = yield* people.person(as)
        yield* connect(as.tenant, id, issuerKey(issuer), `${as.mark}@outside.test`)
        return headers
      }),
      request: ({ authorization }) => ({ path: { provider: "1" }, headers: { authorization: String(authorization) } }),
      success: 204
    })
  }
}
