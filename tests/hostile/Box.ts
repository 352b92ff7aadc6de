/**
 * The real program, `signalbox up`, at debug log level, over its own database behind a port that can be shut, and with
 * a bot API double for codes. For tests that inspect all its output and answers.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { toSqlPg, toUrl } from "#core/postgres/ConnectionTarget.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"
import * as Door from "#support/Door.ts"
import { type Ended, ensureBuilt, environmentOf, run, start } from "#support/Executable.ts"
import { until } from "#support/Frame.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body parsed as JSON; undefined when it is not JSON. */
  readonly json: any
}

export interface Request {
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
  readonly bearer?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Client address, forwarded as by a proxy on this machine. */
  readonly from?: string
}

export interface Box {
  readonly base: string
  readonly env: Readonly<Record<string, string>>
  /** Token of the sign-in link that is shown to the first admin at the first start. */
  readonly firstLink: string
  readonly databasePassword: string
  readonly pid: number
  readonly bot: BotApiDouble
  /** Database client that bypasses the port, so it also works while the port is shut. */
  readonly sql: PgClient.PgClient
  readonly door: Door.Door
  readonly call: (method: string, path: string, request?: Request) => Effect.Effect<Answer>
  /** The six-digit code in the newest of `count` messages to a chat. */
  readonly codeAt: (chat: string, count: number) => Effect.Effect<string>
  /** Runs an operator's CLI command beside the program. */
  readonly command: (...args: ReadonlyArray<string>) => Effect.Effect<Ended>
  /** Values of the metric `name`, by the values of one label. */
  readonly counters: (name: string, label: string) => Effect.Effect<Readonly<Record<string, number>>>
  /** Stops the program in order. Returns all its output. */
  readonly stop: Effect.Effect<Ended>
}

/** When a request fails, the error shows the end of the program's output, of this length. Unit: UTF-16 code units. */
const shownOutput = 4_000

export const startBox = (variables: Readonly<Record<string, string>> = {}): Effect.Effect<Box, never, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Effect.sync(ensureBuilt)
    const database = yield* Effect.orDie(freshDatabase)
    const { host, port } = database.target
    const door = yield* Door.make({ path: join(host, `.s.PGSQL.${port}`) })
    const databasePassword = `db-${randomBytes(18).toString("base64url")}`
    const bot = new BotApiDouble({ token: `4711:${randomBytes(18).toString("base64url")}` })
    const botUrl = yield* Effect.acquireRelease(
      Effect.promise(() => bot.start()),
      () => Effect.promise(() => bot.stop())
    )
    const env = {
      ...environmentOf(yield* temporaryDirectory()),
      DATABASE_URL: toUrl({
        ...database.target,
        host: "127.0.0.1",
        port: door.port,
        password: Redacted.make(databasePassword)
      }),
      SIGNALBOX_IDENTITY_PORT: "0",
      SIGNALBOX_LOG_LEVEL: "debug",
      SIGNALBOX_MESSENGER_URL: botUrl,
      SIGNALBOX_MESSENGER_TOKEN: bot.token,
      ...variables
    }
    const suite = yield* Effect.acquireRelease(
      Effect.sync(() => start(["up"], env)),
      (suite) =>
        Effect.promise(() => {
          suite.signal("SIGKILL", "group")
          return suite.ended
        })
    )
    const base = (yield* Effect.promise(() => suite.line("ready "))).slice("ready ".length)
    const greeting = yield* Effect.promise(() => suite.line("sign-in link: "))
    const sql = Context.get(
      yield* Effect.orDie(
        Layer.build(PgClient.layer({ ...toSqlPg(database.target), applicationName: "test", maxConnections: 2 }))
      ),
      PgClient.PgClient
    )
    const call = (method: string, path: string, request: Request = {}) =>
      Effect.promise(() =>
        send(`${base}${path}`, method, request).catch((cause: unknown) => {
          const last = suite.printed().slice(-shownOutput)
          throw new Error(`${method} ${path} had no answer; the program's last words:\n${last}`, { cause })
        })
      )
    return {
      base,
      env,
      firstLink: /#token=(\S+)/.exec(greeting)![1]!,
      databasePassword,
      pid: suite.pid,
      bot,
      sql,
      door,
      call,
      codeAt: (chat, count) => {
        const to = () => bot.messages.filter(({ chatId }) => chatId === chat)
        return Effect.map(
          until(
            `message ${count} to ${chat}`,
            Effect.sync(() => to().length >= count),
            20
          ),
          () => /^\d{6}/.exec(to().at(-1)!.text)![0]
        )
      },
      command: (...args) => Effect.promise(() => run(args, env)),
      counters: (name, label) => Effect.map(call("GET", "/metrics"), ({ text }) => readCounters(text, name, label)),
      stop: Effect.promise(() => {
        suite.signal("SIGTERM")
        return suite.ended
      })
    } satisfies Box as Box
  })

const readCounters = (text: string, name: string, label: string): Record<string, number> =>
  Object.fromEntries(
    [...text.matchAll(new RegExp(`^${name}\\{[^}]*\\b${label}="([^"]*)"[^}]*\\} (\\d+)$`, "gm"))].map(
      ([, value, count]) => [value!, Number(count)]
    )
  )

const send = async (url: string, method: string, { bearer, body, from, headers }: Request): Promise<Answer> => {
  const response = await fetch(url, {
    method,
    redirect: "manual",
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(from === undefined ? {} : { "x-forwarded-for": from }),
      ...headers
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parsed(text) }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
