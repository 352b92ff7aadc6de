import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "#support/Frame.ts"
import { cancelled, startOidcProvider } from "#support/OidcProvider.ts"
import { federationSuite, publicUrl, redirectUris } from "./FederationSuite.ts"

const people = [
  { sub: "ada", email: "Ada@Example.org", email_verified: true },
  { sub: "bob", email: "bob@example.org", email_verified: false },
  { sub: "eve", email: "admin@example.org", email_verified: true },
  { sub: "nobody", email: "nobody@example.org", email_verified: true },
  { sub: "heir", email: "ada@example.org", email_verified: true }
]

const suite = Effect.gen(function* () {
  const provider = yield* startOidcProvider({ people, redirectUris })
  return { provider, ...(yield* federationSuite({ 1: provider })) }
})

it.live("the first sign-in finds the account by the verified address, later ones by the subject", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, browser, exchange, get, provider, signIn, sql } = yield* suite
      const ada = yield* account({ email: "ada@example.org" })
      provider.present("ada")
      const inside = browser()
      const page = yield* signIn("1", inside)
      expect([page.status, page.url.href]).toEqual([
        303,
        expect.stringMatching(/^https:\/\/signalbox\.test\/console\/#token=sbl_[\w-]{43}$/)
      ])
      expect(page.headers.get("cache-control")).toBe("no-store")
      const tokens = yield* exchange(page)
      expect(tokens.status).toBe(200)
      expect((yield* get("me", tokens.json.access_token)).json).toMatchObject({
        id: ada.id,
        session: { methods: ["oidc:1"] }
      })
      expect((yield* exchange(page)).json.code).toBe("invalid_link")
      // Checks the request to the provider, and that nothing of the sign-in remains.
      const asked = new URL(inside.visited.find((url) => url.includes("code_challenge"))!).searchParams
      expect(Object.fromEntries(asked)).toMatchObject({
        code_challenge_method: "S256",
        response_type: "code",
        scope: "openid email profile",
        nonce: expect.stringMatching(/^.{43}$/)
      })
      expect(inside.cookies.filter(({ name }) => name.startsWith("signalbox"))).toEqual([])
      expect((yield* sql`select 1 from identity.oidc_flow`).length).toBe(0)
      // The address moved to a different account. The linked subject still belongs to its account, and a new subject
      // with the old address does not.
      yield* sql`update identity.account set email = 'ada.new@example.org' where id = ${ada.id}`
      expect((yield* exchange(yield* signIn("1"))).status).toBe(200)
      yield* sql`update identity.account set email = 'ada@example.org' where id = ${ada.id}`
      provider.present("heir")
      expect((yield* signIn("1")).text).toContain("Connect your account first")
      const audit = yield* sql`select action, actor, detail from core.audit where action = 'federation.linked'`
      expect(audit).toEqual([
        {
          action: "federation.linked",
          actor: `user:${ada.id}`,
          detail: { provider: "1", issuer: provider.issuer, by: "email" }
        }
      ])
    })
  )
)

it.live("an unverified address, an unknown user and an account that its owner must connect are refused", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, provider, refusals, signIn, sql } = yield* suite
      yield* account({ email: "bob@example.org" })
      yield* account({ email: "admin@example.org", role: "admin" })
      const ada = yield* account({ email: "ada@example.org" })
      const outcome = Effect.fnUntraced(function* (sub: string) {
        provider.present(sub)
        const page = yield* signIn("1")
        return [page.status, /<h1>(.*)<\/h1>/.exec(page.text)?.[1]]
      })
      expect(yield* outcome("bob")).toEqual([403, "You have no account here"])
      expect(yield* outcome("nobody")).toEqual([403, "You have no account here"])
      expect(yield* outcome("eve")).toEqual([403, "Connect your account first"])
      expect((yield* sql`select 1 from identity.federated_account`).length).toBe(0)
      expect((yield* sql`select 1 from identity.account where email = 'nobody@example.org'`).length).toBe(0)
      // Connected by its address, and protected by a second factor since.
      expect(yield* outcome("ada")).toEqual([303, undefined])
      yield* sql`insert into identity.totp (account_id, tenant_id, secret, confirmed_at) values (${ada.id}, 1, 'x', now())`
      expect(yield* outcome("ada")).toEqual([403, "Connect your account first"])
      yield* sql`delete from identity.totp`
      yield* sql`update identity.account set state = 'suspended' where id = ${ada.id}`
      expect(yield* outcome("ada")).toEqual([403, "You have no account here"])
      expect(new Set(yield* refusals)).toEqual(new Set(["unknown_account", "connect_first"]))
    })
  )
)

it.live("an answer is accepted once, from the browser that started the sign-in", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, browser, open, provider, refusals, untilBack } = yield* suite
      yield* account({ email: "ada@example.org" })
      provider.present("ada")
      const [mine, other] = [browser(), browser()]
      const back = yield* untilBack("1", mine)
      const cookie = mine.cookies.find(({ name }) => name.startsWith("signalbox_oidc_"))!
      expect([
        cookie.path,
        cookie.attributes
          .split("; ")
          .filter((part) => !part.startsWith("Path"))
          .sort()
      ]).toEqual(["/api/v1/auth/oidc", ["HttpOnly", "Max-Age=600", "SameSite=Lax", "Secure"]])
      // The answer arrives in a different browser. It is then invalid in the original browser too.
      const elsewhere = yield* open(other, back)
      expect([elsewhere.status, elsewhere.text.includes("started in another browser")]).toEqual([400, true])
      expect((yield* open(mine, back)).text).toContain("no longer valid")
      // The same answer a second time.
      const again = yield* untilBack("1", mine)
      const held = mine.cookies
      expect((yield* open(mine, again)).status).toBe(303)
      mine.cookies = held
      const replayed = yield* open(mine, again)
      expect([replayed.status, replayed.text.includes("no longer valid")]).toEqual([400, true])
      // A forged state.
      const wrong = yield* untilBack("1", mine)
      wrong.searchParams.set("state", "made up")
      expect((yield* open(mine, wrong)).text).toContain("no longer valid")
      // The cookie of a different sign-in.
      const [first, second] = [yield* untilBack("1", mine), yield* untilBack("1", mine)]
      const latest = mine.cookies.findLast(({ name }) => name.startsWith("signalbox_oidc_"))!
      mine.cookies = mine.cookies.map((cookie) =>
        cookie.host === latest.host ? { ...cookie, value: latest.value } : cookie
      )
      expect((yield* open(mine, first)).text).toContain("started in another browser")
      expect((yield* open(mine, second)).status).toBe(303)
      expect(new Set(yield* refusals)).toEqual(new Set(["cookie", "state"]))
    })
  )
)

it.live("a sign-in in progress expires after ten minutes", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, browser, open, provider, sql, untilBack } = yield* suite
      yield* account({ email: "ada@example.org" })
      provider.present("ada")
      const mine = browser()
      const back = yield* untilBack("1", mine)
      const [flow] = yield* sql`select expires_at - created_at = interval '10 minutes' as ten from identity.oidc_flow`
      expect(flow).toEqual({ ten: true })
      yield* sql`update identity.oidc_flow set expires_at = now()`
      expect((yield* open(mine, back)).text).toContain("no longer valid")
    })
  )
)

it.live("an answer of one provider is refused at the callback of the other", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const first = yield* startOidcProvider({ people, redirectUris, clientAuth: "client_secret_post" })
      const second = yield* startOidcProvider({
        people: [{ sub: "ada", email: "other@example.org", email_verified: true }],
        redirectUris,
        clientAuth: "none"
      })
      const { account, browser, call, exchange, get, open, refusals, signIn, untilBack } = yield* federationSuite({
        1: first,
        2: { issuer: second.issuer, clientId: second.clientId }
      })
      const providers = Effect.map(call("GET", "/api/v1/auth/providers"), ({ json }) => json)
      // On busy cores the first list may end before both have answered.
      yield* until(
        "both providers have answered",
        Effect.map(providers, ({ items }) => items.every((item: { readonly available: boolean }) => item.available))
      )
      expect(yield* providers).toEqual({
        items: ["1", "2"].map((id) => ({
          id,
          title: `Provider ${id}`,
          available: true,
          start_url: `${publicUrl}/api/v1/auth/oidc/${id}/start`
        }))
      })
      const [ada, other] = [
        yield* account({ email: "ada@example.org" }),
        yield* account({ email: "other@example.org" })
      ]
      first.present("ada")
      second.present("ada")
      const into = Effect.fnUntraced(function* (id: string) {
        return (yield* get("me", (yield* exchange(yield* signIn(id))).json.access_token)).json
      })
      // The same subject at a different issuer is a different person.
      expect(yield* into("1")).toMatchObject({ id: ada.id, session: { methods: ["oidc:1"] } })
      expect(yield* into("2")).toMatchObject({ id: other.id, session: { methods: ["oidc:2"] } })
      // An answer of the first provider at the second provider's address.
      const mine = browser()
      const crossed = yield* untilBack("1", mine)
      crossed.pathname = crossed.pathname.replace("/1/", "/2/")
      expect((yield* open(mine, crossed)).status).toBe(400)
      // An answer that names the second provider as issuer, at the first provider's address. Source: RFC 9207 §2.4.
      const named = yield* untilBack("1", mine)
      expect(named.searchParams.get("iss")).toBe(first.issuer)
      named.searchParams.set("iss", second.issuer)
      expect((yield* open(mine, named)).status).toBe(502)
      const unnamed = yield* untilBack("1", mine)
      unnamed.searchParams.delete("iss")
      expect((yield* open(mine, unnamed)).status).toBe(502)
      expect(yield* refusals).toEqual(["provider", "issuer"])
    })
  )
)

it.live("the error page uses the reader's language and contains no text of the provider", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { base, browser, open, provider, signIn, startUrl, sql } = yield* suite
      provider.present(undefined)
      const inside = browser()
      const page = yield* signIn("1", inside)
      expect([page.status, page.headers.get("content-type"), page.headers.get("cache-control")]).toEqual([
        403,
        "text/html; charset=utf-8",
        "no-store"
      ])
      expect(page.text).toContain("You were not signed in")
      expect(page.text).not.toContain("cancel</")
      expect(page.text.includes(cancelled) || page.text.includes("<script")).toBe(false)
      expect(page.text).toMatch(/<code>[0-9a-f]{12}<\/code>/)
      expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'.*style-src 'sha256-/)
      const german = yield* Effect.promise(() =>
        fetch(`${base()}/api/v1/auth/oidc/9/start`, { headers: { "accept-language": "fr, de-AT;q=0.9, en;q=0.1" } })
      )
      expect([german.status, yield* Effect.promise(() => german.text())]).toEqual([
        404,
        expect.stringContaining("Diesen Anbieter gibt es nicht")
      ])
      // Without a code challenge the provider returns an error.
      const away = yield* Effect.promise(() => inside.open(startUrl("1"), (url) => url.origin === provider.issuer))
      away.url.searchParams.delete("code_challenge")
      away.url.searchParams.delete("code_challenge_method")
      const bare = yield* open(inside, away.url)
      expect([new URL(inside.visited.at(-1)!).searchParams.get("error"), bare.status]).toEqual(["invalid_request", 502])
      // This is not an attack, so nothing is audited.
      expect((yield* sql`select 1 from core.audit where action like 'refused%'`).length).toBe(0)
    })
  )
)

it.live("return_to accepts only paths of this host", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, call, provider, signIn, sql } = yield* suite
      yield* account({ email: "ada@example.org" })
      provider.present("ada")
      const inside = yield* signIn("1", undefined, "/console/runs?state=failed#old")
      expect(inside.url.href).toMatch(/^https:\/\/signalbox\.test\/console\/runs\?state=failed#token=sbl_/)
      const page = yield* signIn("1", undefined, "/mail?folder=a b".replace(" ", "%20"))
      expect(page.url.href).toMatch(
        /^https:\/\/signalbox\.test\/api\/v1\/auth\/welcome\?return_to=%2Fmail%3Ffolder%3Da%2520b#sbl_/
      )
      for (const foreign of [
        "//evil.test",
        "https://evil.test",
        "/\\evil.test",
        "\\\\evil.test",
        "/a\r\nset-cookie: a=b",
        "/\t/evil.test",
        "/.//evil.test",
        "javascript:alert(1)",
        ""
      ]) {
        const answer = yield* call("GET", `/api/v1/auth/oidc/1/start?return_to=${encodeURIComponent(foreign)}`)
        expect([foreign, answer.status, answer.json.errors?.[0].field]).toEqual([foreign, 422, "query.return_to"])
      }
      expect((yield* sql`select 1 from identity.oidc_flow`).length).toBe(0)
    })
  )
)

it.live("the number of open sign-ins per client address is limited", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { call, sql } = yield* suite
      yield* sql`insert into identity.oidc_flow (state_hash, provider, nonce, browser_hash, redirect_uri, return_to, address, expires_at)
      select sha256(n::text::bytea), '1', 'n', '', '', '/', '127.0.0.1', now() + interval '1 minute' from generate_series(1, 99) n`
      const begin = call("GET", "/api/v1/auth/oidc/1/start")
      expect([(yield* begin).status, (yield* begin).status]).toEqual([302, 429])
      yield* sql`update identity.oidc_flow set expires_at = now() - interval '1 second'`
      expect((yield* begin).status).toBe(302)
      expect((yield* sql`select 1 from identity.oidc_flow`).length).toBe(1)
    })
  )
)

it.live("the sign-in works behind the gateway, and the pages keep their own policy", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const provider = yield* startOidcProvider({ people, redirectUris })
      const { account, exchange, signIn } = yield* federationSuite({ 1: provider }, {}, { gateway: true })
      yield* account({ email: "ada@example.org" })
      provider.present("ada")
      expect((yield* exchange(yield* signIn("1"))).status).toBe(200)
      provider.present("nobody")
      const page = yield* signIn("1")
      expect([page.status, page.headers.get("content-type"), page.headers.get("referrer-policy")]).toEqual([
        403,
        "text/html; charset=utf-8",
        "no-referrer"
      ])
      expect(page.headers.get("content-security-policy")).toMatch(/style-src 'sha256-/)
    })
  )
)
