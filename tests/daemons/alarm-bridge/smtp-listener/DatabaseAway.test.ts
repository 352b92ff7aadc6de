/** Mails while the database is away or silent. */
import { it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { describe, expect } from "vitest"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { holdsAfter } from "#support/Frame.ts"
import { freshDatabase, freshDatabaseOn, socketVariable, startServer } from "#support/Postgres.ts"
import { processesIn, signal } from "#support/Processes.ts"
import * as RawSmtp from "#support/RawSmtp.ts"
import { smtpPort, startBridge, statusWhen, subjects } from "../Bridge.ts"
import { begin, message, send } from "./SmtpSession.ts"

/** Longest time to the answer of a mail. Unit: milliseconds. Source: the promise of the listener. */
const answerLimit = 6_000

/** The result of `answers`, which must be there in the promised time. */
const inTime = <A, E, R>(answers: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(answers)
    yield* holdsAfter(
      answerLimit,
      "the mail is answered",
      Effect.sync(() => fiber.pollUnsafe() !== undefined)
    )
    return yield* Fiber.join(fiber)
  })

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

        yield* Effect.scoped(
          Effect.gen(function* () {
            const smtp = yield* begin(port)
            yield* smtp.say("DATA")
            yield* admin(cut)
            yield* smtp.write(RawSmtp.dotStuffed(message("waited")))
            // The first try fails meanwhile. The listener gives up after 3 s, which a busy machine must not reach.
            yield* Effect.sleep(300)
            yield* admin(mend)
            expect((yield* smtp.reply).code).toBe(250)
          })
        )

        yield* admin(cut)
        const long = yield* Effect.scoped(
          Effect.gen(function* () {
            const smtp = yield* begin(port)
            yield* smtp.say("DATA")
            yield* smtp.write(RawSmtp.dotStuffed(message("put off")))
            return yield* inTime(smtp.reply)
          })
        )
        expect(long).toMatchObject({ code: 451, lines: [expect.stringMatching(/^4\.3\.0 .*try again/)] })
        yield* admin(mend)
        yield* statusWhen(bridge, ({ smtp }) => smtp.state === "listening")
        expect(yield* subjects(bridge, 1)).toEqual(["waited"])
        expect((yield* send(port, message("again"))).code).toBe(250)
        expect(yield* subjects(bridge, 2)).toEqual(["waited", "again"])
      }),
    120_000
  )

  it.live(
    "a database that is silent delays the answer no longer; the repeated mail is stored once",
    () =>
      Effect.gen(function* () {
        const server = yield* startServer
        const bridge = yield* startBridge({ database: yield* freshDatabaseOn(server.socketDir) })
        // Listed at each signal, because sessions may have begun in the meantime.
        const all = (name: NodeJS.Signals) =>
          Effect.sync(() => processesIn(server.layout.data).forEach((pid) => signal(pid, name)))
        yield* Effect.addFinalizer(() => all("SIGCONT"))
        const port = yield* smtpPort(bridge)
        yield* all("SIGSTOP")
        const replies = yield* inTime(
          Effect.all([send(port, message("same")), send(port, message("other"))], { concurrency: 2 })
        )
        expect(replies.map(({ code }) => code)).toEqual([451, 451])
        yield* all("SIGCONT")
        expect((yield* send(port, message("same"))).code).toBe(250)
        expect(yield* subjects(bridge, 1)).toEqual(["same"])
      }),
    120_000
  )
})
