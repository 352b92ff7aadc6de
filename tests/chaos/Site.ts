/**
 * The suite as one process for each daemon over an external Postgres, with a real Dovecot and the receivers of alarms.
 */
import { realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { portVariable } from "#core/daemon/KnownDaemons.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"
import { startFleet, type UnitOptions } from "#support/Fleet.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { eventually } from "#support/Processes.ts"
import type { Random } from "#support/Random.ts"
import * as RestartablePostgres from "#support/RestartablePostgres.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { type SinkRequest, WebhookSink } from "#support/WebhookSink.ts"
import { addAccount, password } from "../daemons/mail-watcher/Watcher.ts"
import { behaviourOf, type ChaosAlarm } from "./Alarms.ts"

export const sender = "device@chaos.example"
export const mailbox = { address: "ann@example.test", password }
export const user = { email: "anna@chaos.example", password: "a long password of chaos" }
export const phone = { extension: "1001", domain: "voice.chaos.test" }

/** Connection limit of Postgres. Reason: nine daemons of seven connections, and some that `fill` can take. */
const maxConnections = 100

/** Pause before a process starts again. Unit: milliseconds. Source: RestartSec of the shipped units. */
const restartDelay = 1_000

/** Length of a RETRY minute. Unit: milliseconds. */
const minute = 3_000

/** Messages per second. Reason: the real limit of 30 would only lengthen the run. */
const messengerRate = 10_000

/** Longest wait for all processes. Unit: seconds. */
const readyTimeout = 180

/** A request on which a receiver acted. */
export interface Accepted {
  readonly path: string
  readonly key: string | undefined
  readonly body: string
  readonly at: number
}

export type Site = Effect.Success<ReturnType<typeof make>>

/** `daemons`: groups of daemons that share a process; a unit has the name of its first daemon. */
export const make = Effect.fnUntraced(function* (
  random: Random,
  daemons: ReadonlyArray<ReadonlyArray<string>>,
  alarmOf: (path: string) => ChaosAlarm | undefined
) {
  const postgres = yield* RestartablePostgres.make(maxConnections)
  const dovecot = yield* Dovecot.make({ users: [mailbox], tls: true })
  yield* dovecot.start
  const accepted: Array<Accepted> = []
  const act = (request: Omit<SinkRequest, "answered">, before: number) => {
    const { accepts, ...behaviour } = behaviourOf(alarmOf(request.path)?.kind ?? "prompt", before)
    if (accepts) accepted.push({ path: request.path, key: request.key, body: request.body, at: request.at })
    return behaviour
  }
  const sinks = { prompt: new WebhookSink(), silent: new WebhookSink() }
  const bot = new BotApiDouble({ delay: () => random.between(0, 60) })
  const urls = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      sinks.prompt.behaviour = act
      sinks.silent.behaviour = act
      return { prompt: await sinks.prompt.start(), silent: await sinks.silent.start(), bot: await bot.start() }
    }),
    () => Effect.promise(() => Promise.all([sinks.prompt.stop(), sinks.silent.stop(), bot.stop()]))
  )

  const dataDir = realpathSync(yield* temporaryDirectory("signalbox-chaos"))
  const ca = join(dataDir, "ca.pem")
  writeFileSync(ca, dovecot.certificate!)
  const smtpPort = yield* freePort
  const units = yield* Effect.forEach(daemons, (group) =>
    Effect.map(
      Effect.forEach(group, () => freePort),
      (ports): UnitOptions => ({
        name: group[0]!,
        daemons: group,
        env: Object.fromEntries(group.map((daemon, index) => [portVariable(daemon), String(ports[index])]))
      })
    )
  )
  const fleet = yield* startFleet({
    units,
    dataDir,
    env: {
      DATABASE_URL: postgres.url,
      SIGNALBOX_ALARM_SMTP_PORT: String(smtpPort),
      SIGNALBOX_ALARM_ALLOWED_DOMAINS: sender.split("@")[1]!,
      SIGNALBOX_ALARM_MINUTE_MS: String(minute),
      SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      SIGNALBOX_MESSENGER_URL: urls.bot,
      SIGNALBOX_MESSENGER_TOKEN: bot.token,
      SIGNALBOX_MESSENGER_RATE: String(messengerRate),
      SIGNALBOX_MAIL_CA: ca,
      SIGNALBOX_MAIL_ALLOW_CIDRS: "127.0.0.0/8"
    },
    restartDelay: () => restartDelay
  })
  yield* eventually(`all are ready`, () => fleet.units.every((unit) => unit.isReady()), readyTimeout).pipe(
    Effect.catchDefect((defect) => Effect.die(new Error(`${String(defect)}\n${fleet.tail()}`)))
  )
  const tokenOf = (scope: string) =>
    Effect.map(
      fleet.cli("token", "create", "--name", scope, "--scope", scope, "--json"),
      (text) => (JSON.parse(text) as { readonly token: string }).token
    )
  const token = yield* tokenOf("platform")
  const baseOf = (daemon: string): string | undefined =>
    fleet.units.find((unit) => unit.daemons.includes(daemon))?.addresses()[daemon]
  yield* fleet.cli("user", "create", "--email", user.email, "--password", user.password, "--role", "admin", "--json")
  yield* makePhone(baseOf("sip-config")!, token)
  yield* Effect.scoped(
    Effect.gen(function* () {
      const client = yield* Layer.build(
        PgClient.layer({ ...toSqlPg(postgres.target), applicationName: "test", maxConnections: 1 })
      )
      const sql = Context.get(client, PgClient.PgClient)
      const placed = { dovecot, suite: { sql, env: { SIGNALBOX_DATA_DIR: dataDir } } as unknown as TestSuite }
      yield* addAccount(placed, { address: mailbox.address, tenant: 7, watch: "always" })
      yield* untilWatched(sql)
    })
  )
  return {
    fleet,
    postgres,
    dovecot,
    bot,
    accepted: accepted as ReadonlyArray<Accepted>,
    hosts: { prompt: urls.prompt, silent: urls.silent },
    smtpPort,
    token,
    switchToken: yield* tokenOf("switch"),
    baseOf
  }
})

const makePhone = (base: string, token: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${base}/api/v1/sip/extensions`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-token": token },
      body: JSON.stringify({ tenant_id: 2, name: "Ann", password: "a-password-that-is-known", ...phone })
    })
    if (response.status !== 201) throw new Error(`POST extensions: ${response.status} ${await response.text()}`)
  })

/** Mails before the first look at a mailbox are not announced. */
const untilWatched = (sql: PgClient.PgClient) =>
  Effect.gen(function* () {
    for (;;) {
      const rows = yield* sql`select 1 from mail_watcher.watch where first_look_at is not null`
      if (rows.length > 0) return
      yield* Effect.sleep(50)
    }
  })
