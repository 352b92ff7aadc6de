import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { presentParameters } from "#core/password/PasswordHash.ts"
import { cheapHash } from "#support/CheapArgon2.ts"
import { until } from "#support/Frame.ts"
import { password, signInSuite } from "../SignInSuite.ts"
import { oncePerFile } from "#support/OncePerFile.ts"

const running = oncePerFile(signInSuite())

it.live("the correct password gets tokens with no-store, and /me names the user", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, get, login, sql } = yield* running
      const { email, id } = yield* account({ role: "admin" })
      const answer = yield* login(` ${email.toUpperCase()} `)
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({
        access_token: expect.any(String),
        token_type: "Bearer",
        expires_in: 900,
        refresh_token: expect.stringMatching(/^sbr_/)
      })
      expect([answer.headers.get("cache-control"), answer.headers.get("pragma")]).toEqual(["no-store", "no-cache"])
      const me = yield* get("me", answer.json.access_token)
      expect(me.json).toMatchObject({
        id,
        tenant_id: 1,
        tenant_name: "Provider",
        email,
        role: "admin",
        locale: "en",
        factors: [],
        session: { methods: ["password"], current: true, address: "127.0.0.1" }
      })
      expect(me.json.permissions).toEqual([...me.json.permissions].sort())
      expect(me.json.permissions).toContain("workflows.manage")
      expect(
        (yield* sql`select 1 from core.audit where action = 'session.opened' and actor = ${`user:${id}`}`).length
      ).toBe(1)
    })
  )
)

it.live("all refused sign-ins get the same answer, and the audit log contains no entered text", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, login, post, sql } = yield* signInSuite()
      yield* sql`insert into identity.tenant (id, name, state) values (7, 'Gone', 'suspended')`
      const known = yield* account()
      const suspended = yield* account()
      yield* sql`update identity.account set state = 'suspended' where id = ${suspended.id}`
      const ofSuspended = yield* account({ tenant: 7 })
      const withoutPassword = yield* account({ hash: null })
      const typed = "not the password 1"
      const answers = [
        yield* login(known.email, typed),
        yield* login("nobody@example.org", typed),
        yield* login("no address at all", typed),
        yield* login(suspended.email),
        yield* login(ofSuspended.email),
        yield* login(withoutPassword.email)
      ]
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect([answers[0]!.status, answers[0]!.json.code, answers[0]!.headers.get("cache-control")]).toEqual([
        401,
        "invalid_credentials",
        "no-store"
      ])
      const written = sql<{
        row: string
      }>`select to_jsonb(a)::text as row from core.audit a where action = 'refused.password'`
      // Unknown and malformed addresses are refusals of the same kind, and each kind gets one audit entry per minute.
      yield* until(
        "the refusals are written down",
        Effect.map(written, (rows) => rows.length === 5)
      )
      expect(JSON.stringify(yield* written)).not.toContain(typed)
      expect((yield* sql`select 1 from identity.session`).length).toBe(0)

      const missing = yield* post("login", { email: known.email })
      expect([missing.status, missing.json.errors[0].field]).toEqual([422, "payload.password"])
      const long = yield* post("login", { email: "a".repeat(321), password: "a".repeat(1025), code: "1".repeat(65) })
      expect([long.status, long.json.errors.map(({ field }: { readonly field: string }) => field)]).toEqual([
        422,
        ["payload.email", "payload.password", "payload.code"]
      ])
    })
  )
)

it.live("a password hash with other parameters is replaced at sign-in", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, login, sql } = yield* signInSuite({ argon2Cost: presentParameters })
      const { email, id } = yield* account({ hash: cheapHash(password) })
      expect((yield* login(email)).status).toBe(200)
      const [row] = yield* sql<{
        password_hash: string
        version: number
      }>`select password_hash, version from identity.account where id = ${id}`
      expect([row!.password_hash, row!.version]).toEqual([expect.stringContaining("m=19456,t=2,p=1"), 1])
      expect((yield* login(email)).status).toBe(200)
    })
  )
)

it.live("an account change during hashing prevents the session", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, login, sql } = yield* signInSuite()
      const { email, id } = yield* account()
      const made = yield* Deferred.make<void>()
      const seen = yield* Deferred.make<void>()
      const change = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`update identity.account set state = 'suspended', version = version + 1 where id = ${id}`
            yield* Deferred.succeed(made, undefined)
            yield* Deferred.await(seen)
          })
        )
      )
      yield* Deferred.await(made)
      const signing = yield* Effect.forkChild(login(email))
      const waits = sql`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%identity.account%'`
      yield* until(
        "the sign-in waits for the change",
        Effect.map(waits, (rows) => rows.length > 0)
      )
      yield* Deferred.succeed(seen, undefined)
      yield* Fiber.join(change)
      const { json, status } = yield* Fiber.join(signing)
      expect([status, json.code]).toEqual([401, "invalid_credentials"])
      expect((yield* sql`select 1 from identity.session`).length).toBe(0)
    })
  )
)
