import { expect, it } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { until } from "#support/Frame.ts"
import { answered } from "./Answered.ts"
import { startMail } from "./MailSuite.ts"
import { oncePerFile } from "#support/OncePerFile.ts"
import type { TestSuite } from "#support/TestSuite.ts"

const running = oncePerFile(
  Effect.map(startMail(), (mail) => ({
    ...mail,
    ask: (...question: Parameters<typeof mail.ask>) => answered(mail.ask(...question))
  }))
)

const user = { userId: 7, tenantId: 2, email: "u@x.test" }
const inactive = '{"active":false}'

it.live("a valid token gets its user name, scope and expiry, nothing more", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { ask, key, tell } = yield* running
      yield* tell()
      const expires = Math.floor(Date.now() / 1000) + 99
      const answer = yield* ask(yield* Effect.promise(() => key.mail({ ...user, expires })))
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({
        active: true,
        username: "u@x.test",
        scope: "imap smtp",
        token_type: "Bearer",
        exp: expires
      })
      expect(answer.headers.get("content-type")).toBe("application/json")
      expect(answer.headers.get("cache-control")).toBe("no-store")
    })
  )
)

it.live(
  "every unusable token gets the same answer",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask, key, sql, tell } = yield* running
        yield* tell()
        const now = Math.floor(Date.now() / 1000)
        const stranger = yield* Effect.promise(() => generateKeyPair("EdDSA"))
        const rsa = yield* Effect.promise(() => generateKeyPair("RS256"))
        const jwk = yield* Effect.promise(() => exportJWK(stranger.publicKey))
        const good = yield* Effect.promise(() => key.mail(user))
        const payload = JSON.parse(Buffer.from(good.split(".")[1]!, "base64url").toString())
        const signedBy = (header: Record<string, unknown>, with_: any = stranger.privateKey) =>
          new SignJWT(payload).setProtectedHeader({ alg: "EdDSA", ...header } as never).sign(with_)
        const publicText = (yield* sql<{ jwk: any }>`select jwk from core.verification_key where kid = ${key.kid}`)[0]!
          .jwk.x as string
        const bad: Record<string, string> = {
          empty_parts: "..",
          text: "hello",
          expired: yield* Effect.promise(() => key.mail({ ...user, expires: now - 1 })),
          "an access token": yield* Effect.promise(() => key.access(user)),
          "another's key under our id": yield* Effect.promise(() => signedBy({ kid: key.kid })),
          "an unknown key": yield* Effect.promise(() => signedBy({ kid: randomUUID() })),
          "no key id": yield* Effect.promise(() => signedBy({})),
          "a key in the header": yield* Effect.promise(() => signedBy({ jwk, kid: key.kid })),
          "a key's address in the header": yield* Effect.promise(() =>
            signedBy({ jku: "http://127.0.0.1:9/keys", kid: key.kid })
          ),
          "a key id that is a path": yield* Effect.promise(() => signedBy({ kid: "../../etc/passwd" })),
          "a key id that is SQL": yield* Effect.promise(() => signedBy({ kid: "' or 1=1 --" })),
          "a key id that is a member of every object": yield* Effect.promise(() => signedBy({ kid: "__proto__" })),
          "no signature": new UnsecuredJWT(payload).encode(),
          "an empty signature": `${good.slice(0, good.lastIndexOf("."))}.`,
          RS256: yield* Effect.promise(() => signedBy({ alg: "RS256", kid: key.kid }, rsa.privateKey)),
          "HS256 with the public key": yield* Effect.promise(() =>
            signedBy({ alg: "HS256", kid: key.kid }, new TextEncoder().encode(publicText.padEnd(32)))
          ),
          "another user of the address": yield* Effect.promise(() => key.mail({ ...user, userId: 8 })),
          "another tenant": yield* Effect.promise(() => key.mail({ ...user, tenantId: 3 })),
          "no such account": yield* Effect.promise(() => key.mail({ ...user, email: "v@x.test" })),
          "another audience": yield* Effect.promise(() => key.sign({ ...payload, aud: "signalbox" })),
          "another issuer": yield* Effect.promise(() => key.sign({ ...payload, iss: "someone" })),
          "no expiry": yield* Effect.promise(() => key.sign({ ...payload, exp: undefined })),
          "a kind of its own": yield* Effect.promise(() => key.sign({ ...payload, type: "mail" })),
          "4 KB": "a".repeat(4096),
          "changed payload": good.replace(
            /\.([^.]+)\./,
            (_, part: string) =>
              `.${Buffer.from(Buffer.from(part, "base64url").toString().replace("u@x", "v@x")).toString("base64url")}.`
          )
        }
        for (const [what, token] of Object.entries(bad)) {
          const { status, text } = yield* ask(token)
          expect([what, status, text]).toEqual([what, 200, inactive])
        }
        expect((yield* ask(good)).json.active).toBe(true)
        yield* until(
          "tries are in the audit log",
          Effect.map(
            sql<{
              reason: string
            }>`select detail->>'reason' as reason from core.audit where action = 'refused.mail_token'`,
            (rows) => rows.length > 0
          )
        )
      })
    ),
  120_000
)

it.live("the mail server must authenticate from a permitted address", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { ask, key, secret, sql, tell, token: platformToken } = yield* running
      yield* tell()
      const good = yield* Effect.promise(() => key.mail(user))
      const platform = yield* platformToken
      const none = { authorization: "" }
      const ways: Record<string, Effect.Effect<{ status: number; json: any }>> = {
        basic: ask(good),
        fields: ask(good, { headers: none, form: `token=${good}&client_id=dovecot&client_secret=${secret}` }),
        "basic and fields": ask(good, {
          form: `token=${good}&client_id=dovecot&client_secret=${secret}&token_type_hint=access_token`
        }),
        header: ask(good, { headers: { ...none, "x-service-token": secret } }),
        "a platform token": ask(good, { headers: { ...none, "x-service-token": platform } })
      }
      for (const [way, asked] of Object.entries(ways)) {
        const { json, status } = yield* asked
        expect([way, status, json.active]).toEqual([way, 200, true])
      }
      yield* sql`insert into core.service_token (name, hash, scopes) values ('narrow', sha256('sbx_narrow'), '{workflows.manage}')`
      const strangers: Record<string, Effect.Effect<{ status: number; json: any; headers: Headers }>> = {
        nobody: ask(good, { headers: none }),
        "a wrong secret": ask(good, {
          headers: { authorization: `Basic ${Buffer.from("dovecot:sbx_x").toString("base64")}` }
        }),
        "no colon": ask(good, { headers: { authorization: `Basic ${Buffer.from("dovecot").toString("base64")}` } }),
        "two secrets": ask(good, { form: `token=${good}&client_secret=${platform}` }),
        "the mail token as bearer": ask(good, { headers: { authorization: `Bearer ${good}` } }),
        "a token for other things": ask(good, { headers: { ...none, "x-service-token": "sbx_narrow" } }),
        "an address that is not ours": ask(good, { headers: { "x-forwarded-for": "198.51.100.7" } })
      }
      for (const [who, asked] of Object.entries(strangers)) {
        const { headers, json, status } = yield* asked
        expect([who, status, json.error, headers.get("www-authenticate")]).toEqual([
          who,
          401,
          "invalid_client",
          'Basic realm="signalbox"'
        ])
      }
      const noToken = yield* ask("", { form: "token_type_hint=x" })
      expect([noToken.status, noToken.json.error]).toEqual([400, "invalid_request"])
      for (const form of ["token=", "token=a&token=b", "token=%zz", "\0"])
        expect([form, (yield* ask("", { form })).status]).toEqual([form, 400])
      expect((yield* ask("", { form: `token=${"a".repeat(20_000)}` })).status).toBe(413)
      expect((yield* ask("", { headers: { "content-type": "application/json" }, form: "{}" })).status).toBe(415)
    })
  )
)

/** Longest time after which an answer may still be of before a change. Unit: milliseconds. */
const longestOld = 1_000

/**
 * Asks until all answers are as wanted, for at most ten seconds. A question that is asked later than `longestOld` must
 * not get the former answer. On busy cores it may get none: the program refuses while it cannot know.
 */
const soon = <E, R>(
  what: string,
  wanted: boolean,
  asking: Effect.Effect<ReadonlyArray<{ readonly json: any }>, E, R>
) =>
  Effect.suspend(() => {
    const begun = performance.now()
    return until(
      what,
      Effect.suspend(() => {
        const after = performance.now() - begun
        return Effect.map(asking, (answers) => {
          if (answers.some(({ json }) => json?.active === !wanted)) expect(after, what).toBeLessThan(longestOld)
          return answers.every(({ json }) => json?.active === wanted)
        })
      })
    )
  })

/** Waits until the table has this version of the account u@x.test, or a later one. */
const stored = (sql: TestSuite["sql"], { version }: { readonly version: number }) =>
  until(
    `the table has version ${version}`,
    Effect.map(
      sql`select from identity.mail_account where address = 'u@x.test' and version >= ${version}`,
      ({ length }) => length === 1
    )
  )

/** State of the account u@x.test in the table. */
const stateOf = (sql: TestSuite["sql"]) =>
  Effect.map(
    sql<{ state: string }>`select state from identity.mail_account where address = 'u@x.test'`,
    (rows) => rows[0]?.state
  )

it.live(
  "a suspension and an ended session take effect in every process within a second, also without a notice",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask, database, key, sql, tell } = yield* running
        const other = yield* startMail({ database })
        const session = randomUUID()
        const token = yield* Effect.promise(() => key.mail({ ...user, session }))
        const both = Effect.all([ask(token), ask(token, { base: other.base("identity") })])
        for (const announce of [true, false]) {
          yield* tell({}, announce)
          yield* soon("active", true, both)
          yield* tell({ state: "suspended" }, announce)
          yield* soon("suspended", false, both)
        }
        yield* tell({})
        yield* soon("active", true, both)
        yield* sql`insert into core.ended_session (session, forget_at) values (${session}, now() + interval '1 day')`
        yield* soon("ended", false, both)
      })
    ),
  120_000
)

it.live("an older event does not overwrite a newer one", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { ask, key, sql, tell } = yield* running
      const token = yield* Effect.promise(() => key.mail(user))
      const later = yield* Effect.promise(() => key.mail({ ...user, email: "later@x.test" }))
      const isOpen = (mailToken: string) => Effect.map(ask(mailToken), ({ json }) => json.active)
      const first = yield* tell({})
      yield* until("active", isOpen(token))
      yield* stored(sql, yield* tell({ state: "suspended" }))
      yield* tell({ ...first })
      yield* tell({ account_id: 2, address: "later@x.test" })
      yield* until("the events before this one have been read", isOpen(later))
      expect((yield* ask(token)).text).toBe(inactive)
      expect(yield* stateOf(sql)).toBe("suspended")
    })
  )
)

it.live("a suspension takes effect while a long transaction delays the event readers", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { ask, database, key, sql, tell } = yield* running
      yield* stored(sql, yield* tell({}))
      const token = yield* Effect.promise(() => key.mail(user))
      const long = yield* PgConnection.make(toSqlPg(database.target))
      yield* long.query("begin")
      yield* long.query("select pg_current_xact_id()::text")
      const told = yield* tell({ state: "suspended" })
      yield* soon("suspended", false, Effect.all([ask(token)]))
      expect(yield* stateOf(sql)).toBe("active")
      yield* long.query("commit")
      yield* stored(sql, told)
    })
  )
)
