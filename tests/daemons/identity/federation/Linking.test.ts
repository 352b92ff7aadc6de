import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Browser } from "#support/Browser.ts"
import { startOidcProvider } from "#support/OidcProvider.ts"
import { bearing } from "../SignInSuite.ts"
import { federationSuite, publicUrl, redirectUris } from "./FederationSuite.ts"

const people = [
  { sub: "ada", email: "private@elsewhere.test", email_verified: true },
  { sub: "eve", email: "eve@elsewhere.test" }
]

const suite = Effect.gen(function* () {
  const provider = yield* startOidcProvider({ people, redirectUris })
  const parts = yield* federationSuite({ 1: provider })
  const list = (bearer: string) => Effect.map(parts.get("linked", bearer), ({ json }) => json.items)
  /** Connects provider 1 like a page of ours: requests the address, keeps the cookie, opens the address. */
  const connect = Effect.fnUntraced(function* (
    bearer: string,
    body: unknown = { return_to: "/settings" },
    inside: Browser = parts.browser()
  ) {
    const begun = yield* parts.post("linked/1", body, { bearer })
    expect(begun.status).toBe(200)
    inside.take(new URL(publicUrl), begun.headers)
    return yield* Effect.promise(() =>
      inside.open(begun.json.url, (url) => url.origin === publicUrl && !url.pathname.endsWith("/callback"))
    )
  })
  const signedIn = Effect.fnUntraced(function* (options: Parameters<typeof parts.account>[0] = {}) {
    const account = yield* parts.account(options)
    return { ...account, bearer: (yield* parts.login(account.email)).json.access_token as string }
  })
  return { ...parts, provider, list, connect, signedIn }
})

it.live("a signed-in user connects a provider, also an admin or a user with a second factor", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { connect, exchange, list, provider, remove, signIn, signedIn, sql } = yield* suite
      const ada = yield* signedIn({ role: "admin" })
      yield* sql`insert into identity.totp (account_id, tenant_id, secret, confirmed_at) values (${ada.id}, 1, 'x', now())`
      provider.present("ada")
      expect((yield* signIn("1")).status).toBe(403)
      const page = yield* connect(ada.bearer)
      expect([page.status, page.url.href]).toEqual([303, `${publicUrl}/settings`])
      expect(yield* list(ada.bearer)).toEqual([
        {
          provider: "1",
          title: "Provider 1",
          email: "private@elsewhere.test",
          linked_by: "owner",
          linked_at: expect.stringMatching(/Z$/),
          last_used_at: null
        }
      ])
      expect((yield* exchange(yield* signIn("1"))).status).toBe(200)
      // After a second factor is added, the provider alone is not accepted until the owner connects it again.
      yield* sql`update identity.totp set confirmed_at = now()`
      expect((yield* signIn("1")).text).toContain("Connect your account first")
      yield* connect(ada.bearer)
      expect((yield* exchange(yield* signIn("1"))).status).toBe(200)
      expect((yield* remove("linked/1", ada.bearer)).status).toBe(204)
      expect([yield* list(ada.bearer), (yield* remove("linked/1", ada.bearer)).status]).toEqual([[], 404])
      expect((yield* signIn("1")).text).toContain("You have no account here")
      const audit = yield* sql<{
        action: string
      }>`select action from core.audit where actor = ${`user:${ada.id}`} and action like 'federation%' order by id`
      expect(audit.map(({ action }) => action)).toEqual([
        "federation.linked",
        "federation.linked",
        "federation.unlinked"
      ])
      // Existing connections are not announced again.
      const told = yield* sql<{
        change: string
      }>`select data->>'change' as change from core.event where type = 'identity.security.changed' and user_id = ${ada.id}`
      expect(told.map(({ change }) => change)).toEqual(["provider_connected"])
    })
  )
)

it.live("a connection joins one account and one provider user, in the same browser, during an active session", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { browser, connect, list, post, provider, refusals, remove, signedIn } = yield* suite
      const [ada, bob] = [yield* signedIn(), yield* signedIn()]
      provider.present("ada")
      expect((yield* connect(ada.bearer, null)).url.href).toBe(`${publicUrl}/console/`)
      // The provider's person is already connected elsewhere, or the account already has a different person.
      expect((yield* connect(bob.bearer)).status).toBe(409)
      provider.present("eve")
      expect((yield* connect(ada.bearer)).status).toBe(409)
      expect([(yield* list(ada.bearer)).length, yield* list(bob.bearer)]).toEqual([1, []])
      // The address is given to a different person. Without the cookie it connects nothing.
      const { json } = yield* post("linked/1", null, { bearer: bob.bearer })
      expect((yield* Effect.promise(() => browser().open(json.url))).text).toContain("started in another browser")
      // Signed out in between.
      const inside = browser()
      const begun = yield* post("linked/1", null, { bearer: bob.bearer })
      inside.take(new URL(publicUrl), begun.headers)
      expect((yield* remove("sessions", ada.bearer)).status).toBeLessThan(300)
      yield* post("logout", undefined, { bearer: bob.bearer })
      expect((yield* Effect.promise(() => inside.open(begun.json.url))).text).toContain("no longer signed in")
      expect(new Set(yield* refusals)).toEqual(new Set(["taken", "cookie", "signed_out"]))
    })
  )
)

it.live("the only way to sign in cannot be removed, and service tokens are refused", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { call, connect, provider, post, remove, signedIn, sql, token } = yield* suite
      const ada = yield* signedIn()
      provider.present("ada")
      yield* connect(ada.bearer)
      yield* sql`update identity.account set password_hash = null where id = ${ada.id}`
      // A connection to a provider that is no longer configured does not count as a way to sign in.
      yield* sql`insert into identity.federated_account (issuer, subject, tenant_id, account_id, linked_by) values ('https://gone.test/', 's', 1, ${ada.id}, 'owner')`
      const last = yield* remove("linked/1", ada.bearer)
      expect([last.status, last.json.code]).toEqual([409, "last_way_in"])
      expect((yield* post("linked/7", null, { bearer: ada.bearer })).status).toBe(404)
      expect((yield* remove("linked/7", ada.bearer)).status).toBe(404)
      const bad = yield* post("linked/1", { return_to: "//evil.test" }, { bearer: ada.bearer })
      expect([bad.status, bad.json.errors[0].field]).toEqual([422, "payload.return_to"])
      expect((yield* call("GET", "/api/v1/auth/linked")).status).toBe(401)
      expect((yield* call("GET", "/api/v1/auth/linked", { token: yield* token })).status).toBe(403)
      yield* provider.stop
      expect((yield* call("GET", "/api/v1/auth/linked", { headers: bearing(ada.bearer) })).json.items.length).toBe(2)
    })
  )
)
