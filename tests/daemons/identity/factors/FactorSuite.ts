/** A running identity with a messenger, signed-in people, and the calls of second factors. */
import type { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Fiber } from "effect"
import type { SqlError } from "effect/sql"
import { Secret, TOTP } from "otpauth"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { BotApiDouble, type BotApiDoubleOptions } from "#support/BotApiDouble.ts"
import { until } from "#support/Frame.ts"
import type { StartOptions } from "#support/TestSuite.ts"
import { bearing, password, signInSuite } from "../SignInSuite.ts"

/**
 * Code of an authenticator app, of a step `steps` after the current one. Setup uses the current code and the first
 * sign-in the next; both stay valid long enough.
 */
export const appCode = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

/** A code that is not valid now. */
export const wrongCode = (secret: string): string => {
  const good = [-2, -1, 0, 1, 2].map((steps) => appCode(secret, steps))
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !good.includes(code))!
}

/**
 * Runs `held` while a transaction of the test holds `lock`. Waits until `count` statements wait for the lock, runs
 * `meanwhile`, and releases the lock. The waiting statements then run at the same moment, regardless of the machine's
 * load.
 */
export const waitingFor = Effect.fnUntraced(function* <A, E, R, E2 = never, R2 = never>(
  sql: PgClient.PgClient,
  lock: Effect.Effect<unknown, SqlError.SqlError>,
  count: number,
  held: Effect.Effect<A, E, R>,
  meanwhile: Effect.Effect<void, E2, R2> = Effect.void
) {
  const [locked, enough] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const holding = yield* Effect.forkChild(
    sql.withTransaction(
      Effect.andThen(lock, Effect.andThen(Deferred.succeed(locked, undefined), Deferred.await(enough)))
    )
  )
  yield* Deferred.await(locked)
  const running = yield* Effect.forkChild(held)
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  yield* until(
    `${count} wait for the lock`,
    Effect.map(waiting, (rows) => rows.length >= count)
  )
  yield* meanwhile
  yield* Deferred.succeed(enough, undefined)
  yield* Fiber.join(holding)
  return yield* Fiber.join(running)
})

export const startBot = (options: BotApiDoubleOptions = {}) =>
  Effect.gen(function* () {
    const bot = new BotApiDouble(options)
    const url = yield* Effect.acquireRelease(
      Effect.promise(() => bot.start()),
      () => Effect.promise(() => bot.stop())
    )
    return {
      bot,
      env: { SIGNALBOX_MESSENGER_URL: url, SIGNALBOX_MESSENGER_TOKEN: bot.token, AUTH_RATE_LIMIT_MAX: "1000" }
    }
  })

export const factorSuite = Effect.fnUntraced(function* (
  options: Partial<StartOptions> & { readonly bot?: BotApiDoubleOptions } = {}
) {
  const { bot, env } = yield* startBot(options.bot)
  const suite = yield* signInSuite({ daemons: [identity, commDispatcher], ...options, env: { ...env, ...options.env } })
  const { call, post } = suite

  const signIn = Effect.fnUntraced(function* (email: string, code?: string) {
    return yield* post("login", { email, password, ...(code === undefined ? {} : { code }) })
  })
  /** Creates a signed-in person. */
  const person = Effect.fnUntraced(function* (given: Parameters<typeof suite.account>[0] = {}) {
    const account = yield* suite.account(given)
    const { json } = yield* signIn(account.email)
    return { ...account, bearer: json.access_token as string }
  })
  type Person = Effect.Success<ReturnType<typeof person>>

  const remove = (path: string, bearer: string, body: unknown = { password }) =>
    call("DELETE", `/api/v1/auth/${path}`, { body, headers: bearing(bearer) })
  const list = (bearer: string) =>
    Effect.map(call("GET", "/api/v1/auth/factors", { headers: bearing(bearer) }), ({ json }) => json)

  /** Adds an authenticator app, whose current code is used up. */
  const withApp = Effect.fnUntraced(function* (given: Person) {
    const { json } = yield* post("totp", { password }, { bearer: given.bearer })
    const secret: string = json.secret
    const confirmed = yield* post("totp/confirm", { code: appCode(secret) }, { bearer: given.bearer })
    return { ...given, secret, codes: confirmed.json.recovery_codes as ReadonlyArray<string> }
  })

  /** Code in the newest message to this chat, once there are `count` messages. */
  const codeAt = Effect.fnUntraced(function* (chat: string, count: number) {
    const to = () => bot.messages.filter(({ chatId }) => chatId === chat)
    yield* until(
      `message ${count} to ${chat}`,
      Effect.sync(() => to().length >= count)
    )
    return /^\d{6}/.exec(to()[count - 1]!.text)![0]
  })

  const withMessenger = Effect.fnUntraced(function* (given: Person, chat: string) {
    yield* post("messenger", { chat_id: chat, password }, { bearer: given.bearer })
    const confirmed = yield* post("messenger/confirm", { code: yield* codeAt(chat, 1) }, { bearer: given.bearer })
    return { ...given, chat, codes: confirmed.json.recovery_codes as ReadonlyArray<string> }
  })
  return { ...suite, bot, signIn, person, remove, list, withApp, codeAt, withMessenger }
})
