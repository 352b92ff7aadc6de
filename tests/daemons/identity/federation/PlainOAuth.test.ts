/** Sign-in through a provider with OAuth 2.0 and no OpenID Connect. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { fieldOf } from "#daemons/identity/federation/ProviderAnswer.ts"
import { PlainOAuthProvider } from "#support/PlainOAuthProvider.ts"
import { federationSuite, redirectUris } from "./FederationSuite.ts"

const started = Effect.fnUntraced(function* (more: Readonly<Record<string, string>> = {}) {
  const provider = yield* PlainOAuthProvider.start(redirectUris)
  return { provider, ...(yield* federationSuite({}, provider.variables(more))) }
})

it.live("the user info names the account: first by its verified address, then by its id", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, exchange, get, provider, signIn, sql } = yield* started({
        SUBJECT_FIELD: "data.id",
        EMAIL_FIELD: "data.mail",
        VERIFIED_FIELD: "data.confirmed"
      })
      const ada = yield* account({ email: "ada@example.org" })
      provider.info = { data: { id: 4711, mail: "Ada@Example.org", confirmed: true } }
      const tokens = yield* exchange(yield* signIn("1"))
      expect(tokens.status).toBe(200)
      expect((yield* get("me", tokens.json.access_token)).json).toMatchObject({
        id: ada.id,
        session: { methods: ["oidc:1"] }
      })
      const [asked] = provider.asked
      expect(Object.fromEntries(asked!)).toMatchObject({
        kind: "web",
        scope: "read:user",
        code_challenge_method: "S256"
      })
      expect(asked!.has("nonce")).toBe(false)
      expect(yield* sql`select issuer, subject from identity.federated_account`).toEqual([
        { issuer: `${provider.base}/`, subject: "4711" }
      ])
      provider.info = { data: { id: "4711" } }
      expect((yield* exchange(yield* signIn("1"))).status).toBe(200)
    })
  )
)

it.live("an address counts as verified only when a field says so", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, provider, signIn } = yield* started()
      yield* account({ email: "ada@example.org" })
      provider.info = { id: 1, email: "ada@example.org", email_verified: true }
      expect((yield* signIn("1")).status).toBe(403)
    })
  )
)

it.live("a user info without id, a refused one and a replayed answer open nothing", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, browser, open, provider, refusals, signIn, untilBack } = yield* started({
        VERIFIED_FIELD: "verified"
      })
      yield* account({ email: "ada@example.org" })
      const person = { id: 1, email: "ada@example.org", verified: true }
      for (const info of [{ ...person, id: null }, { ...person, id: "" }, { ...person, id: 1.5 }, [], "x", null]) {
        provider.info = info
        expect((yield* signIn("1")).status).toBeGreaterThanOrEqual(400)
      }
      provider.info = person
      provider.status = 403
      expect((yield* signIn("1")).status).toBeGreaterThanOrEqual(400)
      provider.status = 200
      const inside = browser()
      const back = yield* untilBack("1", inside)
      expect((yield* open(inside, back)).status).toBe(303)
      expect((yield* open(inside, back)).status).toBeGreaterThanOrEqual(400)
      // A fault of the provider is no refused attempt of a person.
      expect(yield* refusals).toEqual(["code", "state"])
    })
  )
)

it("a field is an own member of nested objects", () => {
  expect(fieldOf({ a: { b: 1 } }, "a.b")).toBe(1)
  expect(fieldOf({ a: { b: 1 } }, "a.c")).toBe(undefined)
  expect(fieldOf({}, "constructor.name")).toBe(undefined)
  expect(fieldOf({}, "__proto__")).toBe(undefined)
  fc.assert(fc.property(fc.jsonValue(), fc.string(), (value, path) => void fieldOf(value, path)))
})
