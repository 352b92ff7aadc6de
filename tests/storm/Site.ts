/** The real executable with both daemons over its embedded Postgres, and the receivers of a storm. */
import { realpathSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { databaseName, socketTarget } from "#core/postgres/Bootstrap.ts"
import { superuserRole } from "#core/postgres/ServerAccess.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { layoutOf } from "#core/postgres/ServerLayout.ts"
import * as PostmasterFile from "#core/postgres/PostmasterFile.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"
import { type Fleet, startFleet } from "#support/Fleet.ts"
import { freePort, poll } from "#support/peers/Loopback.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { SwitchDouble, type SwitchDoubleShape } from "#support/switch/SwitchDouble.ts"
import { WebhookSink } from "#support/WebhookSink.ts"
import { blockedChat, failsFirst, type Hosts, idOfChat } from "./Alarms.ts"

export const sender = "device@storm.example"

/**
 * Longest wait until the executable is ready. Unit: milliseconds. Reason: initdb and migrations on a loaded machine.
 */
const readyTimeout = 60_000

/**
 * `promptAnswer`: answer time of prompt receivers, so that a backlog builds up. `slowAnswer`: answer time of the slow
 * host. Unit: milliseconds.
 */
const promptAnswer = 15
const slowAnswer = 1_500

/** Real milliseconds per millisecond of the switch: a call of about 20 s takes 0.2 s. */
const timeScale = 0.01

/** Length of a RETRY minute. Unit: milliseconds. */
const minute = 3_000

/**
 * Messages per second over all chats. Reason: the bot API's real limit of 30 would make the storm too long; other tests
 * check the rate.
 */
const messengerRate = 10_000

export interface Site {
  readonly fleet: Fleet
  readonly pid: number
  readonly base: string
  readonly smtpPort: number
  readonly token: string
  readonly sink: WebhookSink
  readonly slow: WebhookSink
  readonly hanging: WebhookSink
  readonly hosts: Hosts
  readonly bot: BotApiDouble
  readonly telephone: SwitchDoubleShape
  /** Client of the daemons' database, as superuser. */
  readonly sql: PgClient.PgClient
}

const started = <A extends { readonly start: () => Promise<string>; readonly stop: () => Promise<void> }>(double: A) =>
  Effect.acquireRelease(
    Effect.map(
      Effect.promise(() => double.start()),
      (url) => ({ double, url })
    ),
    () => Effect.promise(() => double.stop())
  )

export const make = Effect.gen(function* () {
  const sink = yield* started(new WebhookSink())
  const slow = yield* started(new WebhookSink())
  const hanging = yield* started(new WebhookSink())
  const bot = yield* started(
    new BotApiDouble({
      blocked: [blockedChat],
      // The API asks for at most one message per second and chat, but lets a few more pass.
      perSecond: 3,
      failing: (chat, before) =>
        before === 0 && idOfChat(chat) !== undefined && failsFirst(idOfChat(chat)!) ? "500" : undefined,
      delay: () => promptAnswer
    })
  )
  sink.double.behaviour = ({ path }, before) => {
    const [, , id = "", nth] = path.split("/")
    return { delay: promptAnswer, status: nth === "2" ? 410 : failsFirst(Number(id)) && before === 0 ? 503 : 200 }
  }
  slow.double.behaviour = { delay: slowAnswer }
  hanging.double.behaviour = { hang: true }
  const telephone = yield* SwitchDouble.make({ timeScale })

  const dataDir = realpathSync(yield* temporaryDirectory("signalbox-storm"))
  const smtpPort = yield* freePort
  const fleet = yield* startFleet({
    units: [{ name: "both", daemons: ["alarm-bridge", "comm-dispatcher"] }],
    dataDir,
    env: {
      SIGNALBOX_ALARM_SMTP_PORT: String(smtpPort),
      SIGNALBOX_ALARM_BRIDGE_PORT: String(yield* freePort),
      SIGNALBOX_COMM_DISPATCHER_PORT: String(yield* freePort),
      SIGNALBOX_ALARM_ALLOWED_DOMAINS: sender.split("@")[1]!,
      SIGNALBOX_ALARM_MINUTE_MS: String(minute),
      SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      SIGNALBOX_MESSENGER_URL: bot.url,
      SIGNALBOX_MESSENGER_TOKEN: bot.double.token,
      SIGNALBOX_MESSENGER_RATE: String(messengerRate),
      SIGNALBOX_SWITCH_HOST: "127.0.0.1",
      SIGNALBOX_SWITCH_PORT: String(telephone.port),
      SIGNALBOX_SWITCH_PASSWORD: telephone.password,
      SIGNALBOX_SIP_GATEWAY: "trunk",
      SIGNALBOX_SPEECH_DIR: join(dataDir, "spoken"),
      // Below `error` each delivery logs a line, which would hide the failures in a failing test.
      SIGNALBOX_LOG_LEVEL: "warn"
    }
  })
  const unit = fleet.unit("both")
  const ready = yield* Effect.promise(() => poll(async () => unit.isReady() || undefined, readyTimeout))
  if (ready === undefined) return yield* Effect.die(new Error(`not ready in ${readyTimeout} ms\n${fleet.tail(40)}`))
  const { token } = JSON.parse(yield* fleet.cli("token", "create", "--name", "storm", "--json")) as {
    readonly token: string
  }
  const server = PostmasterFile.read(layoutOf(dataDir).data)
  const database = yield* Layer.build(
    PgClient.layer({
      ...toSqlPg(socketTarget(server?.socketDir ?? "", superuserRole, databaseName)),
      applicationName: "test",
      maxConnections: 1
    })
  )
  return {
    fleet,
    pid: unit.pid()!,
    base: unit.addresses()["comm-dispatcher"]!,
    smtpPort,
    token,
    sink: sink.double,
    slow: slow.double,
    hanging: hanging.double,
    hosts: { prompt: sink.url, slow: slow.url, hanging: hanging.url },
    bot: bot.double,
    telephone,
    sql: Context.get(database, PgClient.PgClient)
  } satisfies Site as Site
})
