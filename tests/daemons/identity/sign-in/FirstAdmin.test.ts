import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fstatSync } from "node:fs"
import type { Line } from "#core/daemon/Greeting.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { startSuite } from "#support/TestSuite.ts"
import { password, signInSuite } from "../SignInSuite.ts"

const base = "http://192.0.2.1:8080"
const place = { base, gateway: false }
const tokenOf = (lines: ReadonlyArray<Line>) =>
  /^http:\/\/192\.0\.2\.1:8080\/api\/v1\/auth\/welcome#(sbl_[\w-]{43}) \(once, as admin@localhost\)$/.exec(
    lines.map(({ text }) => text).join("\n")
  )![1]!

it.live("each start prints a new link for the same account until the first admin has signed in", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const first = yield* signInSuite()
      const { database, env, get, post, sql } = first
      const second = yield* startSuite({
        daemons: [identity],
        database,
        env: { SIGNALBOX_KEY_FILE: `${env["SIGNALBOX_DATA_DIR"]}/keys` }
      })
      const greet = (suite: typeof second) => suite.suite.daemon("identity")!.greeting(place)

      // Processes that start together create one account, and exactly one of their links is valid.
      const both = yield* Effect.all([greet(first), greet(second), greet(first), greet(second)], {
        concurrency: "unbounded"
      })
      const admins = sql<{
        id: number
        email: string
        role: string
        name: string
      }>`select id, email, role, name from identity.account`
      expect(yield* admins).toEqual([
        { id: expect.any(Number), email: "admin@localhost", role: "admin", name: "Administrator" }
      ])
      expect((yield* sql`select 1 from identity.sign_in_link`).length).toBe(1)
      const earlier = tokenOf(both[0]!)
      const token = tokenOf(yield* greet(second))
      expect(token).not.toBe(earlier)
      expect((yield* post("link", { token: earlier })).status).toBe(401)

      const opened = yield* post("link", { token })
      const me = yield* get("me", opened.json.access_token)
      expect(me.json).toMatchObject({
        email: "admin@localhost",
        role: "admin",
        tenant_id: 1,
        session: { methods: ["link:first_admin"] }
      })
      expect(yield* greet(first)).toEqual([])
      expect(yield* greet(second)).toEqual([])
      const entries = yield* sql<{ row: string }>`select to_jsonb(a)::text as row from core.audit a`
      expect(entries.some(({ row }) => row.includes("user.created"))).toBe(true)
      expect(JSON.stringify(entries)).not.toContain("sbl_")
    })
  )
)

it.live("the link uses SIGNALBOX_ADMIN_EMAIL and SIGNALBOX_PUBLIC_URL", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { sql, suite } = yield* signInSuite({
        env: {
          SIGNALBOX_ADMIN_EMAIL: "Anna@Example.org,other@example.org",
          SIGNALBOX_PUBLIC_URL: "https://box.example.org"
        }
      })
      const lines = yield* suite.daemon("identity")!.greeting(place)
      expect(lines).toEqual([
        {
          kind: "sign-in link",
          text: expect.stringMatching(
            /^https:\/\/box\.example\.org\/console\/#token=sbl_\S+ \(once, as anna@example\.org\)$/
          )
        }
      ])
      expect(yield* sql`select email from identity.account`).toEqual([{ email: "anna@example.org" }])
    })
  )
)

it.live("no link is printed when an admin of the provider has a password; other tenants and roles do not count", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, login, sql, suite } = yield* signInSuite()
      const greet = suite.daemon("identity")!.greeting(place)
      yield* sql`insert into identity.tenant (id, name) values (7, 'Another')`
      yield* account({ role: "admin", tenant: 7 })
      yield* login((yield* account({ role: "reseller" })).email, password)
      expect((yield* greet).length).toBe(1)
      yield* account({ role: "admin" })
      expect(yield* greet).toEqual([])
    })
  )
)

it.live("under journald the greeting names the command instead of a link", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { dev, ino } = fstatSync(2, { bigint: true })
      const { sql, suite } = yield* signInSuite({ env: { JOURNAL_STREAM: `${dev}:${ino}` } })
      expect(yield* suite.daemon("identity")!.greeting(place)).toEqual([
        { kind: "sign-in link", text: "signalbox user link admin@localhost (prints one; not kept in the journal)" }
      ])
      expect([
        (yield* sql`select 1 from identity.account`).length,
        (yield* sql`select 1 from identity.sign_in_link`).length
      ]).toEqual([1, 0])
    })
  )
)
