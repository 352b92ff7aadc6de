/** Mails while the database is away or silent. */
import { it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { describe, expect } from "vitest"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { freshDatabase, freshDatabaseOn, socketVariable, startServer } from "#support/Postgres.ts"
import { processesIn, signal } from "#support/Processes.ts"
import * as RawSmtp from "#support/RawSmtp.ts"
import { smtpPort, startBridge, statusWhen, subjects } from "../Bridge.ts"
import { begin, message, send } from "./SmtpSession.ts"

/** Longest time to the answer of a mail. Unit: milliseconds. Source: the promise of the listener. */
const answerLimit = 6_000

describe("the SMTP listener without its database", () => {
  it.live(
    "while the database is away a mail waits, then gets 451; nothing is stored twice",
    () =>
      Effect.gen(function* () {
        const database = yield* freshDatabase
        const bridge = yield* startBridge({ database })
        const port = yield* smtpPort(bridge)
        const name = database.target.database
        const admin = (statements: ReadonlyArray<string>) =>
          withClient(socketTarget(process.env[socketVariable]!, "postgres", "postgres"), (sql) =>
            Effect.forEach(statements, (statement) => sql.unsafe(statement))
          )
        const cut = [
          `alter database ${name} with allow_connections false`,
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
        ]
        const mend = [`alter database ${name} with allow_connections true`]

        yield* admin(cut)
        const short = yield* Effect.forkChild(send(port, message("waited")))
        yield* Effect.sleep(1_500)
        yield* admin(mend)
        expect((yield* Fiber.join(short)).code).toBe(250)

        yield* admin(cut)
        const started = performance.now()
        const long = yield* Effect.scoped(
          Effect.gen(function* () {
            const smtp = yield* begin(port)
            yield* smtp.say("DATA")
            yield* smtp.write(RawSmtp.dotStuffed(message("put off")))
            return yield* smtp.reply
          })
        )
        expect(long).toMatchObject({ code: 451, lines: [expect.stringMatching(/^4\.3\.0 .*try again/)] })
        expect(performance.now() - started).toBeLessThan(answerLimit)
        yield* admin(mend)
        yield* statusWhen(bridge, ({ smtp }) => smtp.state === "listening")
        expect(yield* subjects(bridge, 1)).toEqual(["waited"])
        expect((yield* send(port, message("again"))).code).toBe(250)
        expect(yield* subjects(bridge, 2)).toEqual(["waited", "again"])
      }),
    60_000
  )

  it.live(
    "a database that is silent delays the answer no longer; the repeated mail is stored once",
    () =>
      Effect.gen(function* () {
        const server = yield* startServer
        const bridge = yield* startBridge({ database: yield* freshDatabaseOn(server.socketDir) })
        const processes = processesIn(server.layout.data)
        const all = (name: NodeJS.Signals) => Effect.sync(() => processes.forEach((pid) => signal(pid, name)))
        yield* Effect.addFinalizer(() => all("SIGCONT"))
        const port = yield* smtpPort(bridge)
        yield* all("SIGSTOP")
        const started = performance.now()
        const replies = yield* Effect.all([send(port, message("same")), send(port, message("other"))], {
          concurrency: 2
        })
        expect(replies.map(({ code }) => code)).toEqual([451, 451])
        expect(performance.now() - started).toBeLessThan(answerLimit)
        yield* all("SIGCONT")
        expect((yield* send(port, message("same"))).code).toBe(250)
        expect(yield* subjects(bridge, 1)).toEqual(["same"])
      }),
    60_000
  )
})
