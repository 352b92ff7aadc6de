import { expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { generateKeyPair, SignJWT } from "jose"
import type { ForgingProvider } from "#support/ForgingProvider.ts"
import { startForgingProvider } from "#support/ForgingProvider.ts"
import { until } from "#support/Frame.ts"
import { federationSuite, publicUrl } from "./FederationSuite.ts"

type Lie = Parameters<ForgingProvider["lie"]>[0]

const suite = Effect.gen(function* () {
  const provider = yield* startForgingProvider()
  const parts = yield* federationSuite({ 1: provider })
  yield* parts.account({ email: "ada@example.org" })
  /** Starts a sign-in and returns from the provider with a code. */
  const comeBack = Effect.fnUntraced(function* () {
    const inside = parts.browser()
    const { searchParams } = (yield* Effect.promise(() =>
      inside.open(parts.startUrl("1"), (url) => url.origin === provider.issuer)
    )).url
    provider.expect(searchParams.get("nonce")!)
    return yield* parts.open(
      inside,
      `${publicUrl}/api/v1/auth/oidc/1/callback?code=c&state=${searchParams.get("state")}`
    )
  })
  return { ...parts, provider, comeBack }
})

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const honest: Lie = ({ claims, sign }) => sign(claims)

it.live("a forged or unrelated ID token is refused", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { comeBack, provider, refusals, sql } = yield* suite
      provider.lie(honest)
      expect((yield* comeBack()).status).toBe(303)
      const foreign = yield* Effect.promise(() => generateKeyPair("RS256"))
      const past = Math.floor(Date.now() / 1000) - 120
      const lies: Readonly<Record<string, Lie>> = {
        nonce: ({ claims, sign }) => sign({ ...claims, nonce: "another way's" }),
        "no nonce": ({ claims, sign }) => sign({ ...claims, nonce: undefined }),
        "alg none": async ({ claims }) => `${part({ alg: "none" })}.${part(claims)}.`,
        "alg none, signed": async ({ claims }) => `${part({ alg: "none" })}.${part(claims)}.${part("x")}`,
        "shared secret": ({ claims }) =>
          new SignJWT({ ...claims }).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from("secret".padEnd(32))),
        "a foreign key": ({ claims }) =>
          new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", kid: "1" }).sign(foreign.privateKey),
        "an unknown key": ({ claims }) =>
          new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", kid: "2" }).sign(foreign.privateKey),
        "changed after signing": async ({ claims, sign }) => {
          const [header, , signature] = (await sign(claims)).split(".")
          return `${header}.${part({ ...claims, sub: "eve" })}.${signature}`
        },
        "another audience": ({ claims, sign }) => sign({ ...claims, aud: "somebody else" }),
        "two audiences": ({ claims, sign }) => sign({ ...claims, aud: ["signalbox", "somebody else"] }),
        "another issuer": ({ claims, sign }) => sign({ ...claims, iss: "https://other.example" }),
        expired: ({ claims, sign }) => sign({ ...claims, iat: past - 60, exp: past }),
        "no subject": ({ claims, sign }) => sign({ ...claims, sub: undefined }),
        "a subject too long": ({ claims, sign }) => sign({ ...claims, sub: "s".repeat(256) }),
        "no token at all": async () => ""
      }
      for (const [name, lie] of Object.entries(lies)) {
        provider.lie(lie)
        const page = yield* comeBack()
        expect([name, page.status, page.text.includes("could not be trusted")]).toEqual([name, 502, true])
      }
      expect(new Set(yield* refusals)).toEqual(new Set(["nonce", "id_token"]))
      expect((yield* sql`select 1 from identity.sign_in_link`).length).toBe(1)
      provider.lie(honest)
      expect((yield* comeBack()).status).toBe(303)
    })
  )
)

it.live("an address counts as verified only when the provider states it", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { comeBack, provider, sql } = yield* suite
      const tried = Effect.fnUntraced(function* (claim: unknown, email: unknown = "ada@example.org") {
        provider.lie(({ claims, sign }) => sign({ ...claims, email, email_verified: claim }))
        const { status } = yield* comeBack()
        yield* sql`delete from identity.federated_account`
        return status
      })
      for (const no of [undefined, null, false, "false", "yes", 1, {}])
        expect([no, yield* tried(no)]).toEqual([no, 403])
      for (const no of ["", 7, ["ada@example.org"], "ada@example.org, eve@example.org"])
        expect([no, yield* tried(true, no)]).toEqual([no, 403])
      for (const yes of [true, "true"]) expect([yes, yield* tried(yes)]).toEqual([yes, 303])
    })
  )
)

it.live("an address finds no account when MATCH_EMAIL is off", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const provider = yield* startForgingProvider()
      const { account, browser, open, startUrl } = yield* federationSuite(
        { 1: provider },
        { SIGNALBOX_OIDC_1_MATCH_EMAIL: "no" }
      )
      yield* account({ email: "ada@example.org" })
      const inside = browser()
      const { searchParams } = (yield* Effect.promise(() =>
        inside.open(startUrl("1"), (url) => url.origin === provider.issuer)
      )).url
      provider.expect(searchParams.get("nonce")!)
      const page = yield* open(
        inside,
        `${publicUrl}/api/v1/auth/oidc/1/callback?code=c&state=${searchParams.get("state")}`
      )
      expect([page.status, page.text.includes("You have no account here")]).toEqual([403, true])
    })
  )
)

it.live("a provider that closes the connection, fails or redirects is reported as away", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { call, comeBack, provider, refusals } = yield* suite
      const other = yield* startForgingProvider()
      const list = Effect.map(call("GET", "/api/v1/auth/providers"), ({ json }) => json.items[0].available)
      // On busy cores the first list may end before the provider has answered.
      yield* until("the provider is there", list)
      const outcome = Effect.fnUntraced(function* (how: Parameters<ForgingProvider["answer"]>[1]) {
        provider.answer("/token", how)
        return (yield* comeBack()).status
      })
      expect(
        yield* outcome({
          status: 400,
          headers: { "content-type": "application/json" },
          body: `{"error":"invalid_grant","error_description":"<b>"}`
        })
      ).toBe(502)
      expect(yield* outcome({ status: 307, headers: { location: `${other.issuer}/token` } })).toBe(502)
      expect(yield* outcome({ status: 500 })).toBe(503)
      expect(yield* outcome(undefined)).toBe(503)
      expect(other.asked("/token")).toBe(0)
      // The provider was just found unreachable; the list shows it without a new request.
      expect(yield* list).toBe(false)
      expect(yield* refusals).toEqual(["code"])
    })
  )
)

it.live("the log contains nothing of a malformed answer", () =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const keep = Logger.make(({ message }) => void lines.push(String(message)))
    yield* Effect.scoped(
      Effect.gen(function* () {
        const { comeBack, provider } = yield* suite
        provider.answer("/token", {
          status: 200,
          headers: { "content-type": "application/json" },
          body: "sbr_the_secret is no JSON"
        })
        expect((yield* comeBack()).status).toBe(502)
        provider.answer("/token", {
          status: 400,
          headers: { "content-type": "application/json" },
          body: `{"error":"invalid_client","error_description":"sbr_the_secret"}`
        })
        expect((yield* comeBack()).status).toBe(502)
      })
    ).pipe(Effect.provide(Logger.layer([keep])))
    const told = lines.filter((line) => line.includes("refused"))
    expect(told).toEqual([
      expect.stringMatching(/id_token \(.*invalid JSON\)/),
      expect.stringMatching(/code \(.*invalid_client\)/)
    ])
    expect(lines.join().includes("sbr_the_secret")).toBe(false)
  })
)
