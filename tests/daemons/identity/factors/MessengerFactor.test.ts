/** Codes by messenger, from identity's endpoint through the queue and comm-dispatcher to a chat. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { MessengerCode } from "#core/contracts/Messenger.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { until } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"
import { password, signInSuite } from "../SignInSuite.ts"
import { factorSuite, startBot, waitingFor } from "./FactorSuite.ts"

const chat = "4711"
const others = (code: string) =>
  ["111111", "222222", "333333", "444444", "555555", "666666"].filter((other) => other !== code).slice(0, 5)

it.live(
  "a code sent to a chat confirms the chat, which then receives a code at each sign-in",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { bot, codeAt, list, person, post, remove, signIn, sql } = yield* factorSuite()
        const { bearer, email, id } = yield* person()
        yield* sql`update identity.account set locale = 'de-AT' where id = ${id}`
        expect((yield* post("messenger", { chat_id: chat, password }, { bearer })).status).toBe(204)
        const binding = yield* codeAt(chat, 1)
        expect(bot.messages[0]!.text).toMatch(
          new RegExp(`^\\d{6} ist der Code, mit dem ${email} bei Signalbox diesen Chat .* niemandem`)
        )
        // An unconfirmed factor is not required.
        expect((yield* signIn(email)).status).toBe(200)
        const confirmed = yield* post("messenger/confirm", { code: binding }, { bearer })
        expect([confirmed.status, confirmed.json.recovery_codes.length]).toEqual([200, 10])
        expect((yield* post("messenger/confirm", { code: binding }, { bearer })).json.code).toBe("invalid_code")
        expect((yield* list(bearer)).factors).toEqual([{ type: "messenger", since: expect.any(String), chat_id: chat }])

        const asked = yield* signIn(email)
        expect([asked.json.code, asked.json.methods]).toEqual(["second_factor_required", ["messenger"]])
        const code = yield* codeAt(chat, 2)
        expect(bot.messages[1]!.text).toContain("zum Anmelden als")
        const both = yield* waitingFor(
          sql,
          sql`select 1 from identity.one_time_code where account_id = ${id} for update`,
          2,
          Effect.all([signIn(email, code), signIn(email, code)], { concurrency: 2 })
        )
        expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
        const inNow = both.find(({ status }) => status === 200)!.json.access_token
        expect((yield* post("messenger", { chat_id: "4712", password }, { bearer: inNow })).json.code).toBe(
          "factor_active"
        )
        expect((yield* remove("messenger", inNow)).status).toBe(204)
        expect((yield* signIn(email)).status).toBe(200)
        // Events announce the chat when it is confirmed and when it is removed.
        const told = yield* sql<{
          user_id: number
          data: { chat_id: string | null; version: number }
        }>`select user_id, data from core.event where type = 'identity.messenger.changed' order by id`
        expect(told.map(({ data, user_id }) => [user_id, data.chat_id])).toEqual([
          [id, chat],
          [id, null]
        ])
        expect(told[1]!.data.version).toBeGreaterThan(told[0]!.data.version)
      })
    ),
  120_000
)

it.live(
  "a code permits five tries, also concurrent ones, and a new code starts at zero",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { codeAt, person, signIn, sql, withMessenger } = yield* factorSuite()
        const { email, id } = yield* Effect.flatMap(person(), (given) => withMessenger(given, chat))
        yield* signIn(email)
        const code = yield* codeAt(chat, 2)
        const wrong = others(code)
        yield* Effect.all(
          wrong.map((other) => signIn(email, other)),
          { concurrency: "unbounded" }
        )
        const [row] = yield* sql<{ tries: number }>`select tries from identity.one_time_code where account_id = ${id}`
        expect(row!.tries).toBe(5)
        expect((yield* signIn(email, code)).status).toBe(401)
        yield* signIn(email)
        const next = yield* codeAt(chat, 3)
        for (const other of others(next).slice(0, 4)) yield* signIn(email, other)
        expect((yield* signIn(email, next)).status).toBe(200)
      })
    ),
  120_000
)

it.live(
  "a code is valid for five minutes",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { codeAt, person, signIn, sql, withMessenger } = yield* factorSuite()
        const { email, id } = yield* Effect.flatMap(person(), (given) => withMessenger(given, chat))
        yield* signIn(email)
        const code = yield* codeAt(chat, 2)
        const [row] = yield* sql<{ lives: number }>`select extract(epoch from expires_at - created_at)::float8 as lives
      from identity.one_time_code where account_id = ${id}`
        expect(Math.abs(row!.lives - 300)).toBeLessThan(30)
        yield* sql`update identity.one_time_code set expires_at = now()`
        expect((yield* signIn(email, code)).status).toBe(401)
      })
    ),
  120_000
)

it.live(
  "at most three codes in ten minutes are sent for an account, and to a chat for any account",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { bot, codeAt, person, post, signIn, sql, withMessenger } = yield* factorSuite()
        const someone = yield* Effect.flatMap(person(), (given) => withMessenger(given, chat))
        yield* Effect.all(
          Array.from({ length: 6 }, () => signIn(someone.email)),
          { concurrency: "unbounded" }
        )
        // Concurrent sign-ins may deliver their codes in another order than they store them.
        const sent = [yield* codeAt(chat, 2), yield* codeAt(chat, 3)]
        const another = yield* person()
        const refused = yield* post("messenger", { chat_id: chat, password }, { bearer: another.bearer })
        expect([refused.status, refused.json.code]).toEqual([429, "too_many_requests"])
        expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500)
        const [jobs] = yield* sql<{
          n: number
        }>`select count(*)::int as n from pgboss.job where name = ${MessengerCode.queue}`
        expect([jobs!.n, bot.messages.length]).toEqual([3, 3])
        // After too many requests the code that was stored last is still valid.
        const answers = yield* Effect.forEach(sent, (code) => signIn(someone.email, code))
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
        expect((yield* post("messenger", { chat_id: "4712", password }, { bearer: another.bearer })).status).toBe(204)
        yield* sql`update identity.code_send set sent_at = sent_at - interval '10 minutes'`
        yield* signIn(someone.email)
        yield* codeAt(chat, 4)
      })
    ),
  120_000
)

it.live(
  "codes work with identity and comm-dispatcher in two processes that share only database and key file",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { bot, env } = yield* startBot()
        const fleet = [identity, commDispatcher]
        // Only comm-dispatcher has the messenger token.
        const people = yield* signInSuite({
          daemons: [identity],
          fleet,
          env: { SIGNALBOX_MESSENGER_FACTOR: "on", SIGNALBOX_PUBLIC_URL: "https://id.example.org" }
        })
        yield* startSuite({
          daemons: [commDispatcher],
          fleet,
          database: people.database,
          env: { ...env, SIGNALBOX_DATA_DIR: people.env["SIGNALBOX_DATA_DIR"]! }
        })
        const { email } = yield* people.account()
        const { json } = yield* people.login(email)
        yield* people.post("messenger", { chat_id: chat, password }, { bearer: json.access_token })
        yield* until(
          "the message is there",
          Effect.sync(() => bot.messages.length === 1)
        )
        expect(bot.messages[0]!.text).toMatch(
          new RegExp(
            `^\\d{6} is the code with which ${email} at id\\.example\\.org connects this chat .* Do not give it`
          )
        )
        const confirmed = yield* people.post(
          "messenger/confirm",
          { code: bot.messages[0]!.text.slice(0, 6) },
          { bearer: json.access_token }
        )
        expect(confirmed.status).toBe(200)
      })
    ),
  120_000
)

it.live(
  "the factor requires a configured messenger and a private chat",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { list, person, post } = yield* factorSuite({ env: { SIGNALBOX_MESSENGER_TOKEN: "" } })
        const { bearer } = yield* person()
        expect((yield* list(bearer)).available).toEqual(["totp"])
        const none = yield* post("messenger", { chat_id: chat, password }, { bearer })
        expect([none.status, none.json.code]).toEqual([409, "messenger_not_configured"])
        for (const chat_id of ["@everybody", "-100123", "042", "0", "", "9007199254740993", 42]) {
          const answer = yield* post("messenger", { chat_id, password }, { bearer })
          expect([chat_id, answer.status, answer.json.errors[0].field]).toEqual([chat_id, 422, "payload.chat_id"])
        }
      })
    ),
  120_000
)
