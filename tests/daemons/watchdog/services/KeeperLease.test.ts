/** The lease of the process that restarts critical services, when that process stops. */
import type { PgClient } from "@effect/sql-pg"
import { it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { expect } from "vitest"
import { Environment } from "#core/config/Environment.ts"
import * as Daemon from "#core/daemon/Daemon.ts"
import * as Feature from "#core/daemon/Feature.ts"
import type { Database } from "#core/sql/Database.ts"
import { Actor } from "#core/supervision/Supervisor.ts"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import { Alerts } from "#daemons/watchdog/alerting/Exports.ts"
import * as CriticalKeeper from "#daemons/watchdog/services/CriticalKeeper.ts"
import * as CriticalStore from "#daemons/watchdog/services/CriticalStore.ts"
import { ServiceRuntime } from "#daemons/watchdog/services/ServiceRuntime.ts"
import { services as tables } from "#daemons/watchdog/services/migrations/0021_services.ts"
import { until } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"

type Services = SqlClient.SqlClient | PgClient.PgClient | Database

/** Identity of another process of the host. */
const other = "00000000-0000-4000-8000-000000000002"

it.live(
  "a keeper that stops leaves its lease to the next process at once, and no other lease",
  () =>
    Effect.gen(function* () {
      let found: Context.Context<Services> | undefined
      const feature = Feature.make({
        migrations: [tables],
        layer: Layer.effectDiscard(Effect.map(Effect.context<Services>(), (services) => (found = services)))
      })
      const daemon = Daemon.make({
        name: watchdog.name,
        title: "Watchdog",
        description: "test",
        port: 0,
        features: [feature]
      })
      const { sql } = yield* startSuite({ daemons: [daemon] })
      const keeper = Context.get(
        yield* Effect.provideService(Layer.build(CriticalKeeper.layer), Environment, { WATCHDOG_CRITICAL: "db" }),
        CriticalKeeper.CriticalKeeper
      )
      let note = ""
      const running = keeper.actors[0]!.run.pipe(
        Effect.provideService(
          Actor,
          Actor.of({ name: "it", progress: Effect.void, note: (text) => Effect.sync(() => void (note = text)) })
        ),
        // The state of the service stays unknown, so nothing is restarted.
        Effect.provideService(ServiceRuntime, { parse: () => undefined } as unknown as ServiceRuntime["Service"]),
        Effect.provideService(Alerts, {} as Alerts["Service"]),
        // Before the services, whose context has the scope of the daemon.
        Effect.scoped,
        Effect.provide(found!)
      )
      const runUntilNote = Effect.gen(function* () {
        note = ""
        const fiber = yield* Effect.forkChild(running)
        yield* until(
          "a round has ended",
          Effect.sync(() => note !== "")
        )
        yield* Fiber.interrupt(fiber)
      })
      const holders = sql`select worker from watchdog.service_keeper`

      yield* runUntilNote
      expect(yield* holders).toEqual([])

      expect(yield* Effect.provide(CriticalStore.lease(other, 60), found!)).toBe(true)
      yield* runUntilNote
      expect(yield* holders).toEqual([{ worker: other }])
    }),
  120_000
)
