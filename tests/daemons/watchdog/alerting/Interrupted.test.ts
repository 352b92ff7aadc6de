/** What an attempt to send an alert leaves behind when the daemon stops during it. */
import type { PgClient } from "@effect/sql-pg"
import { it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { expect } from "vitest"
import * as Daemon from "#core/daemon/Daemon.ts"
import * as Feature from "#core/daemon/Feature.ts"
import type { StoredSettings } from "#core/settings/StoredSettings.ts"
import { transaction } from "#core/sql/Sql.ts"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import { AlertDesk, alertDesk } from "#daemons/watchdog/alerting/AlertDesk.ts"
import { deliveriesOf, testMessage } from "#daemons/watchdog/alerting/Messages.ts"
import * as MessageStore from "#daemons/watchdog/alerting/MessageStore.ts"
import { alerting as tables } from "#daemons/watchdog/alerting/migrations/0001_alerting.ts"
import { german } from "#daemons/watchdog/alerting/migrations/0052_german.ts"
import { readers } from "#daemons/watchdog/alerting/migrations/0053_readers.ts"
import { startSuite } from "#support/TestSuite.ts"
import { chat, eventually } from "./Watch.ts"

type Services = SqlClient.SqlClient | PgClient.PgClient | StoredSettings

const targets = [
  { way: "mail", target: "" },
  { way: "messenger", target: chat },
  { way: "webhook", target: "" }
] as const

/** A server that stands for mail, messenger and webhook: it accepts connections and never answers. */
const silent = Effect.gen(function* () {
  const sockets: Array<Socket> = []
  const server = createServer((socket) => void sockets.push(socket.on("error", () => undefined)))
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
  )
  return { port: (server.address() as AddressInfo).port, sockets }
})

it.live(
  "attempts that the daemon's stop interrupts leave no claim; only the messenger's counts as perhaps arrived",
  () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* silent
      let services: Context.Context<Services> | undefined
      const feature = Feature.make({
        migrations: [tables, german, readers],
        layer: Layer.effectDiscard(Effect.map(Effect.context<Services>(), (found) => (services = found)))
      })
      const daemon = Daemon.make({
        name: watchdog.name,
        title: "Watchdog",
        description: "test",
        port: 0,
        features: [feature]
      })
      const { sql } = yield* startSuite({
        daemons: [daemon],
        env: {
          SIGNALBOX_ADMIN_EMAIL: "boss@example.test",
          SIGNALBOX_NOTICE_SMTP_URL: `smtp://127.0.0.1:${port}`,
          SIGNALBOX_NOTICE_FROM: "signalbox@example.test",
          SIGNALBOX_MESSENGER_TOKEN: "1:token",
          SIGNALBOX_MESSENGER_URL: `http://127.0.0.1:${port}`,
          SIGNALBOX_ALERT_CHATS: chat,
          SIGNALBOX_ALERT_WEBHOOK_URL: `http://127.0.0.1:${port}/hook`,
          SIGNALBOX_ALARM_LANGUAGE: "en"
        }
      })
      const message = testMessage(Date.now())
      const stop = yield* Scope.make()
      yield* Effect.gen(function* () {
        const desk = Context.get(yield* Scope.provide(Layer.build(alertDesk), stop), AlertDesk)
        yield* MessageStore.add(message, deliveriesOf(message, targets))
        const claims = yield* transaction(MessageStore.claim(desk.process, MessageStore.mostInFlight, []))
        for (const { message, ...delivery } of claims) yield* desk.start(delivery, message)
      }).pipe(Effect.provide(services!))
      yield* eventually("all attempts are under way", () => sockets.length === targets.length)
      yield* Scope.close(stop, Exit.void)

      const left = yield* sql`select way, state, attempts, claimed_by, problem from watchdog.alert_delivery
        order by way`
      const due = { state: "pending", attempts: 0, claimed_by: null, problem: null }
      expect(left).toEqual([
        { ...due, way: "mail" },
        { ...due, way: "messenger", attempts: 1, problem: "the watchdog stopped during the attempt" },
        { ...due, way: "webhook" }
      ])
    }),
  120_000
)
