/** A writer with an open transaction holds back all events. Health reports it until the transaction ends. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { client, until } from "#support/Frame.ts"
import { freshDatabaseOn, startServer } from "#support/Postgres.ts"
import { probeDaemon } from "#support/ProbeDaemon.ts"
import { startSuite } from "#support/TestSuite.ts"

it.live(
  "health reports a transaction that holds back events while it is open for more than 10 s",
  () =>
    Effect.gen(function* () {
      // On a server of its own, because an open transaction keeps back the events of all databases of a server.
      const { socketDir } = yield* startServer
      const database = yield* freshDatabaseOn(socketDir)
      const suite = yield* startSuite({ daemons: [probeDaemon("probe")], database })
      const sql = yield* client(database.target)
      const end = yield* Latch.make()
      const writer = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.andThen(sql`insert into core.event (type, source, data) values ('probe.one', 'test', '{}')`, end.await)
        )
      )
      const health = Effect.map(suite.call("GET", "/health"), ({ json }) => json.components.database)
      yield* until(
        "it is told",
        Effect.map(
          health,
          ({ detail, status }) => status === "degraded" && /open for \d+ s and holds back events/.test(detail)
        ),
        20
      )
      yield* end.open
      yield* Fiber.join(writer)
      yield* until(
        "it is over",
        Effect.map(health, ({ status }) => status === "ok")
      )
      expect((yield* suite.call("GET", "/ready")).status).toBe(200)
    }).pipe(Effect.scoped),
  120_000
)
