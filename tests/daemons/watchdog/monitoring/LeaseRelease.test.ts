/** The lease of the checks, when the process stops between the commit of its claim and the answer. */
import type { PgClient } from "@effect/sql-pg"
import { it } from "@effect/vitest"
import { type Context, Deferred, Effect, Fiber, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import * as Daemon from "#core/daemon/Daemon.ts"
import * as Feature from "#core/daemon/Feature.ts"
import type { Wake } from "#core/events/Wake.ts"
import { Actor, layerLocal } from "#core/supervision/Supervisor.ts"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import { Alerts } from "#daemons/watchdog/alerting/Exports.ts"
import { checkSet, maxProbes } from "#daemons/watchdog/monitoring/CheckSet.ts"
import { ResultWriter } from "#daemons/watchdog/monitoring/ResultWriter.ts"
import type { MonitoringConfig } from "#daemons/watchdog/monitoring/Settings.ts"
import { checks as tables } from "#daemons/watchdog/monitoring/migrations/0011_checks.ts"
import { startSuite } from "#support/TestSuite.ts"

type Services = SqlClient.SqlClient | PgClient.PgClient | Wake

it.live(
  "checks that stop after the commit of their first claim leave no lease",
  () =>
    Effect.gen(function* () {
      let services: Context.Context<Services> | undefined
      let client: SqlClient.SqlClient | undefined
      const feature = Feature.make({
        migrations: [tables],
        layer: Layer.effectDiscard(
          Effect.gen(function* () {
            services = yield* Effect.context<Services>()
            client = yield* SqlClient.SqlClient
          })
        )
      })
      const daemon = Daemon.make({
        name: watchdog.name,
        title: "Watchdog",
        description: "test",
        port: 0,
        features: [feature]
      })
      const { sql } = yield* startSuite({ daemons: [daemon] })

      const committed = yield* Deferred.make<void>()
      let transactions = 0
      const { withTransaction } = client!
      // The first transaction is the claim. Its answer never arrives.
      const late: SqlClient.SqlClient["withTransaction"] = (effect) =>
        transactions++ === 0
          ? Effect.andThen(
              withTransaction(effect),
              Effect.andThen(Deferred.succeed(committed, undefined), Effect.never)
            )
          : withTransaction(effect)
      const slow = Object.assign((...args: Parameters<SqlClient.SqlClient>) => client!(...args), client, {
        withTransaction: late
      }) as SqlClient.SqlClient
      const spec = checkSet({
        host: "here",
        sources: [],
        ofOperator: () => undefined,
        config: { second: 1_000, interval: 60 } as MonitoringConfig,
        places: Semaphore.makeUnsafe(maxProbes)
      })
      const running = yield* Effect.forkChild(
        spec.run.pipe(
          Effect.provideService(Actor, Actor.of({ name: "it", progress: Effect.void, note: () => Effect.void })),
          Effect.provideService(SqlClient.SqlClient, slow),
          Effect.provideService(ResultWriter, {} as ResultWriter["Service"]),
          Effect.provideService(Alerts, {} as Alerts["Service"]),
          Effect.provide(layerLocal("watchdog")),
          // Before the services, whose context has the scope of the daemon.
          Effect.scoped,
          Effect.provide(services!)
        )
      )
      yield* Effect.raceFirst(Deferred.await(committed), Effect.asVoid(Fiber.join(running)))
      expect(yield* sql`select scope from watchdog.monitoring_lease`).toHaveLength(1)
      yield* Fiber.interrupt(running)
      expect(yield* sql`select scope from watchdog.monitoring_lease`).toEqual([])
    }),
  120_000
)
