/**
 * The complete alarm path, with a switch for the outage of each component: the real executable with both daemons, real
 * Postgres, Dovecot and Redis, and doubles of services that cannot run here. One process serves all outages of a table.
 */
import { Context, Effect, Layer } from "effect"
import { mkdirSync, readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { socketTarget } from "#core/postgres/Bootstrap.ts"
import { layoutOf } from "#core/postgres/ServerLayout.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"
import * as Door from "#support/Door.ts"
import { type Fleet, startFleet, type Unit } from "#support/Fleet.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { freePort, poll } from "#support/peers/Loopback.ts"
import * as Redis from "#support/peers/Redis.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { SpeechDouble } from "#support/SpeechDouble.ts"
import { SwitchDouble, type SwitchDoubleShape } from "#support/switch/SwitchDouble.ts"
import { WebhookSink } from "#support/WebhookSink.ts"
import * as Statements from "./Statements.ts"

export const mailbox = { address: "alarm@example.test", password: "secret" }
export const sender = "device@outage.example"

/**
 * Longest wait until the executable is ready. Unit: milliseconds. Reason: 4 s on an idle machine, up to 25 s under
 * sixfold load, and twice that on a slow machine.
 */
const readyTimeout = 180_000

export interface Site {
  readonly fleet: Fleet
  readonly unit: Unit
  readonly smtpPort: number
  readonly token: string
  readonly sink: WebhookSink
  readonly sinkUrl: string
  readonly bot: BotApiDouble
  readonly speech: SpeechDouble
  readonly telephone: SwitchDoubleShape
  readonly dovecot: Dovecot.Dovecot
  readonly redis: Redis.Redis
  readonly doors: Readonly<Record<"postgres" | "messenger" | "speech", Door.Door>>
  /** Number of committed and rolled back transactions of the daemons' database. */
  readonly transactions: Effect.Effect<number>
}

export class OutageSite extends Context.Service<OutageSite, Site>()("signalbox/tests/OutageSite") {}

const tone = readFileSync(join(import.meta.dirname, "../goldens/audio/tone.ogg"))

const double = <A extends { readonly start: () => Promise<string>; readonly stop: () => Promise<void> }>(made: A) =>
  Effect.acquireRelease(
    Effect.map(
      Effect.promise(() => made.start()),
      (url) => ({ double: made, url })
    ),
    () => Effect.promise(() => made.stop())
  )

const portOf = (url: string) => Number(new URL(url).port)

/**
 * `embedded`: the daemons' own Postgres below their data directory. It has no door; tests stop its processes instead.
 */
export const make = Effect.fnUntraced(function* (postgres: "ours" | "embedded") {
  const sink = yield* double(new WebhookSink())
  const bot = yield* double(new BotApiDouble())
  const speech = yield* double(
    new SpeechDouble({ audio: (format) => (format === "ogg" ? { type: "audio/ogg", bytes: tone } : undefined) })
  )
  const telephone = yield* SwitchDouble.make({ timeScale: 0.005 })
  const dovecot = yield* Dovecot.make({ users: [mailbox] })
  const redis = yield* Redis.make
  const database = yield* freshDatabase
  const doors = {
    postgres: yield* Door.make({ path: `${database.target.host}/.s.PGSQL.${database.target.port}` }),
    messenger: yield* Door.make({ port: portOf(bot.url) }),
    speech: yield* Door.make({ port: portOf(speech.url) })
  }
  const dataDir = realpathSync(yield* temporaryDirectory("signalbox-outage"))
  const spoken = join(dataDir, "spoken")
  mkdirSync(spoken)
  const smtpPort = yield* freePort
  const fleet = yield* startFleet({
    units: [{ name: "both", daemons: ["alarm-bridge", "comm-dispatcher"] }],
    dataDir,
    env: {
      ...(postgres === "embedded"
        ? {}
        : {
            DATABASE_URL: `postgres://${database.target.user}@127.0.0.1:${doors.postgres.port}/${database.target.database}?sslmode=disable`
          }),
      REDIS_URL: redis.url,
      SIGNALBOX_ALARM_SMTP_PORT: String(smtpPort),
      SIGNALBOX_ALARM_BRIDGE_PORT: String(yield* freePort),
      SIGNALBOX_COMM_DISPATCHER_PORT: String(yield* freePort),
      SIGNALBOX_ALARM_MAILBOXES: JSON.stringify([
        {
          name: "alarms",
          host: "127.0.0.1",
          port: dovecot.imapPort,
          tls: "none",
          user: mailbox.address,
          password: mailbox.password
        }
      ]),
      SIGNALBOX_ALARM_ALLOWED_DOMAINS: sender.split("@")[1]!,
      SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      SIGNALBOX_MESSENGER_URL: `http://127.0.0.1:${doors.messenger.port}`,
      SIGNALBOX_MESSENGER_TOKEN: bot.double.token,
      SIGNALBOX_SWITCH_HOST: "127.0.0.1",
      SIGNALBOX_SWITCH_PORT: String(telephone.port),
      SIGNALBOX_SWITCH_PASSWORD: telephone.password,
      SIGNALBOX_SIP_GATEWAY: "trunk",
      SIGNALBOX_TTS_URL: `http://127.0.0.1:${doors.speech.port}`,
      SIGNALBOX_SPEECH_DIR: spoken
    }
  })
  const unit = fleet.unit("both")
  const ready = yield* Effect.promise(() => poll(async () => unit.isReady() || undefined, readyTimeout))
  if (ready === undefined) return yield* Effect.die(new Error(`not ready in ${readyTimeout} ms\n${fleet.tail(40)}`))
  const { token } = JSON.parse(yield* fleet.cli("token", "create", "--name", "outage", "--json")) as {
    readonly token: string
  }
  return {
    fleet,
    unit,
    smtpPort,
    token,
    sink: sink.double,
    sinkUrl: sink.url,
    bot: bot.double,
    speech: speech.double,
    telephone,
    dovecot,
    redis,
    doors,
    transactions: yield* Statements.counter(postgres === "embedded" ? embeddedIn(dataDir) : database)
  } satisfies Site as Site
})

const embeddedIn = (dataDir: string) => {
  const { socketDir } = layoutOf(dataDir)
  return {
    target: socketTarget(socketDir, "signalbox", "signalbox"),
    superuser: socketTarget(socketDir, "postgres", "signalbox")
  }
}

export const layer = (postgres: "ours" | "embedded" = "ours") => Layer.effect(OutageSite, make(postgres))
