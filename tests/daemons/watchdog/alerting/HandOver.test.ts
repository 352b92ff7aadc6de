/** What the sender of alerts leaves behind when another process takes over. */
import type { PgClient } from "@effect/sql-pg"
import { it } from "@effect/vitest"
import { type Context, Deferred, Effect, Fiber, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { expect } from "vitest"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import * as Daemon from "#core/daemon/Daemon.ts"
import * as Feature from "#core/daemon/Feature.ts"
import type { Events } from "#core/events/Events.ts"
import type { Wake } from "#core/events/Wake.ts"
import type { Jobs } from "#core/jobs/Jobs.ts"
import { Actor } from "#core/supervision/Supervisor.ts"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import { AlertDesk } from "#daemons/watchdog/alerting/AlertDesk.ts"
import { deliveriesOf, deliveryKey, testMessage } from "#daemons/watchdog/alerting/Messages.ts"
import * as MessageStore from "#daemons/watchdog/alerting/MessageStore.ts"
import { noOutage } from "#daemons/watchdog/alerting/OutageState.ts"
import { messageSender } from "#daemons/watchdog/alerting/Senders.ts"
import type { AlertSettings } from "#daemons/watchdog/alerting/Settings.ts"
import { alerting as tables } from "#daemons/watchdog/alerting/migrations/0001_alerting.ts"
import { german } from "#daemons/watchdog/alerting/migrations/0052_german.ts"
import { readers } from "#daemons/watchdog/alerting/migrations/0053_readers.ts"
import { startSuite } from "#support/TestSuite.ts"

type Services = SqlClient.SqlClient | PgClient.PgClient | Wake | Jobs | Events

/** Identity of the process that stops. */
const leaving = "00000000-0000-4000-8000-000000000001"

const targets = [
  { way: "mail", target: "" },
  { way: "webhook", target: "" }
] as const

it.live(
  "a sender that is stopped between the claim and the attempt leaves the delivery to the next one at once",
  () =>
    Effect.gen(function* () {
      // The tables and services of the daemon without its senders, which would take the deliveries.
      let services: Context.Context<Services> | undefined
      const feature = Feature.make({
        migrations: [tables, german, readers],
        queues: [NotificationWanted, AlarmTrigger],
        layer: Layer.effectDiscard(Effect.map(Effect.context<Services>(), (found) => (services = found)))
      })
      const daemon = Daemon.make({
        name: watchdog.name,
        title: "Watchdog",
        description: "test",
        port: 0,
        features: [feature]
      })
      const { sql } = yield* startSuite({ daemons: [daemon] })
      const message = testMessage(Date.now())
      yield* Effect.provide(MessageStore.add(message, deliveriesOf(message, targets)), services!)

      const begun: Array<string> = []
      const second = yield* Deferred.make<void>()
      const desk = AlertDesk.of({
        process: leaving,
        settings: { second: 1_000, language: "en" } as AlertSettings,
        targets: () => targets,
        facts: { snapshot: undefined, outage: noOutage, acting: false, awaySince: undefined },
        inFlight: new Set(),
        done: () => new Set(begun),
        change: () => Effect.void,
        reportWithoutDatabase: () => Effect.void,
        wait: () => Effect.void,
        start: (delivery) =>
          Effect.suspend(() => {
            if (begun.length === 1) return Effect.andThen(Deferred.succeed(second, undefined), Effect.never)
            begun.push(deliveryKey(delivery))
            return Effect.void
          })
      })
      const sending = yield* Effect.forkChild(
        messageSender.run.pipe(
          Effect.provideService(AlertDesk, desk),
          Effect.provideService(Actor, Actor.of({ name: "it", progress: Effect.void, note: () => Effect.void })),
          Effect.provide(services!),
          Effect.scoped
        )
      )
      yield* Effect.raceFirst(Deferred.await(second), Effect.asVoid(Fiber.join(sending)))
      yield* Fiber.interrupt(sending)

      const left = yield* sql`select state, attempts, claimed_by from watchdog.alert_delivery order by state`
      expect(left).toEqual([
        { state: "pending", attempts: 0, claimed_by: null },
        { state: "sending", attempts: 1, claimed_by: leaving }
      ])
    }),
  120_000
)
