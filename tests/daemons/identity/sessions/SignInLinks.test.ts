import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { transaction } from "#core/sql/Sql.ts"
import * as SignInLinks from "#daemons/identity/sessions/SignInLinks.ts"
import { until } from "#support/Frame.ts"
import { signInSuite } from "../SignInSuite.ts"

it.live("one of two concurrent uses opens a session, and later uses fail", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, get, post, sql } = yield* signInSuite()
      const make = (id: number, purpose: SignInLinks.LinkPurpose, methods?: ReadonlyArray<string>) =>
        transaction(SignInLinks.make(id, 1, purpose, methods)).pipe(
          Effect.provideService(SqlClient.SqlClient, sql),
          Effect.map(Redacted.value)
        )
      const use = (token: string) => post("link", { token })
      const { id } = yield* account({ hash: null })

      const token = yield* make(id, "invitation")
      expect(token).toMatch(/^sbl_[\w-]{43}$/)
      expect(yield* sql`select encode(hash, 'hex') as hash from identity.sign_in_link`).toEqual([
        { hash: createHash("sha256").update(token).digest("hex") }
      ])
      const all = yield* Effect.all(
        Array.from({ length: 6 }, () => use(token)),
        { concurrency: "unbounded" }
      )
      expect(all.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401, 401])
      const opened = all.find(({ status }) => status === 200)!
      expect(opened.headers.get("cache-control")).toBe("no-store")
      expect((yield* get("me", opened.json.access_token)).json.session.methods).toEqual(["link:invitation"])
      const refused = all.find(({ status }) => status === 401)!
      expect([refused.json.code, (yield* use("sbl_never")).text]).toEqual(["invalid_link", refused.text])

      // A new link invalidates older ones with the same purpose only.
      const reset = yield* make(id, "reset")
      const older = yield* make(id, "invitation")
      const newer = yield* make(id, "invitation")
      expect([(yield* use(older)).text, (yield* use(newer)).status, (yield* use(reset)).status]).toEqual([
        refused.text,
        200,
        200
      ])

      const oidc = yield* make(id, "oidc", ["oidc:example"])
      expect((yield* get("me", (yield* use(oidc)).json.access_token)).json.session.methods).toEqual(["oidc:example"])

      const late = yield* make(id, "reset")
      yield* sql`update identity.sign_in_link set expires_at = now() where used_at is null`
      expect((yield* use(late)).text).toBe(refused.text)
      const suspended = yield* make(id, "reset")
      yield* sql`update identity.account set state = 'suspended' where id = ${id}`
      expect((yield* use(suspended)).text).toBe(refused.text)
      yield* until(
        "a refusal is written down",
        Effect.map(sql`select 1 from core.audit where action = 'refused.link'`, (rows) => rows.length === 1)
      )
    })
  )
)

it.live("the lifetime of a link depends on its purpose", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, sql } = yield* signInSuite()
      const { id } = yield* account()
      for (const purpose of Object.keys(SignInLinks.linkLifetimes) as ReadonlyArray<SignInLinks.LinkPurpose>) {
        yield* transaction(SignInLinks.make(id, 1, purpose)).pipe(Effect.provideService(SqlClient.SqlClient, sql))
      }
      const rows = yield* sql<{ purpose: string; seconds: number }>`
      select purpose, extract(epoch from expires_at - created_at)::int as seconds from identity.sign_in_link order by seconds`
      expect(rows.map(({ purpose, seconds }) => [purpose, seconds])).toEqual([
        ["oidc", 60],
        ["reset", 3600],
        ["first_admin", 86_400],
        ["invitation", 604_800]
      ])
    })
  )
)
