/**
 * Backup and restore of a suite that is in use: the executable takes alarms, a mail server delivers mail, and rows are
 * written while the backup runs. The backup is restored elsewhere, with the key of stored secrets supplied separately.
 * There `signalbox check` and a demo alarm pass, nothing accepted before the backup is missing, and the rows are of one
 * moment. SIGNALBOX_TEST_LONG=1: more data and more backups.
 */
import { it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted } from "effect"
import { copyFileSync, existsSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { socketTarget } from "#core/postgres/Bootstrap.ts"
import { type ConnectionTarget, toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { layoutOf } from "#core/postgres/ServerLayout.ts"
import { headersOf } from "#daemons/comm-dispatcher/webhook-secrets/Signature.ts"
import { type Fleet, startFleet } from "#support/Fleet.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { type FreshDatabase, freshDatabaseOn } from "#support/Postgres.ts"
import { databaseDirectory } from "#support/PreparedCluster.ts"
import * as Random from "#support/Random.ts"
import { makeRepository } from "#support/ResticRepository.ts"
import type { WebhookSink } from "#support/WebhookSink.ts"
import { folders, password, postgres15, unwatched } from "../daemons/watchdog/backups/BackupSuite.ts"
import { contradictionsIn, mailsIn, pairsIn, startLoad } from "./BackupLoad.ts"
import { allReady } from "./Kills.ts"
import { handIn, makeAlarms, sender } from "./Load.ts"
import { allRuns, ledgerOf, start, triggerOf } from "./Running.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

/** Alarms that may be raised, alarms that must be accepted before a backup begins, and number of backups. */
const size = long ? { alarms: 4_000, before: 300, backups: 3 } : { alarms: 1_000, before: 15, backups: 1 }

const daemons = ["alarm-bridge", "comm-dispatcher", "watchdog"]

/** Settings of the suite that is backed up, and of the one that is restored from the backup. */
const common = { ...unwatched, SIGNALBOX_FSYNC: "false" }

const connect = (target: ConnectionTarget) =>
  Effect.map(
    Layer.build(PgClient.layer({ ...toSqlPg(target), applicationName: "test", maxConnections: 2 })),
    (context) => Context.get(context, PgClient.PgClient)
  )

/** Calls of the backups' API with a service token. Dies with the answer unless it succeeds. */
const backupsOf = (fleet: Fleet, token: string) =>
  Effect.fnUntraced(function* (method: "GET" | "POST", path: string) {
    const response = yield* Effect.promise(() =>
      fetch(`${fleet.unit("suite").addresses()["watchdog"]}/api/v1/backups${path}`, {
        method,
        headers: { "x-service-token": token }
      })
    )
    const text = yield* Effect.promise(() => response.text())
    return response.ok
      ? JSON.parse(text)
      : yield* Effect.die(new Error(`${method} ${path}: ${response.status} ${text}`))
  })

/** Whether a request carries the signature of this secret. */
const isSigned = ({ body, headers }: WebhookSink["requests"][number], secret: string): boolean => {
  const signed = headersOf([Redacted.make(secret)], {
    tenantId: Number(headers["x-signalbox-tenant"]),
    delivery: String(headers["x-signalbox-delivery"]),
    timestamp: Number(headers["x-signalbox-timestamp"]),
    body
  })
  return signed["X-Signalbox-Signature"] === headers["x-signalbox-signature"]
}

const story = (layout: "embedded" | "outside") =>
  Effect.gen(function* () {
    const place = yield* folders
    const outside = layout === "outside" ? yield* twoDatabases : undefined
    const running = yield* start([{ name: "suite", daemons }], Random.make(), {
      minute: 500,
      behaviourOf: () => ({ failures: 0, long: false }),
      env: {
        ...common,
        ...place.env,
        SIGNALBOX_WATCHDOG_PORT: String(yield* freePort),
        ...(outside === undefined ? {} : { DATABASE_URL: outside.from.url, RESTORE_URL: outside.to.url })
      }
    })
    const { dataDir, doors, fleet, receivers } = running
    const databaseIn = (folder: string) =>
      socketTarget(layoutOf(realpathSync(folder)).socketDir, "signalbox", "signalbox")
    const sql = yield* connect(outside?.from.target ?? databaseIn(dataDir))
    makeRepository(place.repository, password)
    // A secret in the database, which only the key file opens.
    const { secret } = JSON.parse(yield* fleet.cli("webhook-secret", "rotate", "--json")) as { readonly secret: string }

    const maildir = join(place.mail, "busy")
    const alarms = makeAlarms(size.alarms, receivers.sinkUrl, (id) => (id % 2 === 0 ? "smtp" : "http"))
    const saved = yield* Effect.scoped(
      Effect.gen(function* () {
        const load = yield* startLoad({ sql, alarms, doors, maildir })
        const call = backupsOf(fleet, doors.token)
        let before = { alarms: 0, mails: 0, pairs: 0 }
        for (let nth = 1; nth <= size.backups; nth++) {
          yield* until(
            "enough is going on",
            Effect.sync(() => load.accepted.length >= nth * size.before && load.pairs() > 20),
            120
          )
          before = { alarms: load.accepted.length, mails: load.delivered.length, pairs: load.pairs() }
          const { id } = yield* call("POST", "/trigger/1")
          let job: any
          yield* until(
            "the backup ends",
            Effect.map(call("GET", `/jobs/${id}`), (now) => (job = now).finished_at !== null),
            180
          )
          expect(job).toMatchObject({ state: "done", problem: null })
        }
        // The load went on while the backup ran.
        expect(load.accepted.length).toBeGreaterThan(before.alarms)
        expect(load.delivered.length).toBeGreaterThan(before.mails)
        expect(load.pairs()).toBeGreaterThan(before.pairs)
        return {
          alarms: load.accepted.slice(0, before.alarms),
          mails: load.delivered.slice(0, before.mails),
          pairs: before.pairs
        }
      })
    )

    // Another folder on another machine has neither the suite's data nor its key.
    const target = join(realpathSync(yield* databaseDirectory("elsewhere")), "restored")
    const restore = ["backup", "restore", "--target", target, "--json"]
    const plan = JSON.parse(yield* fleet.cli(...restore))
    expect(plan).toMatchObject({ carried_out: false, target })
    expect(existsSync(target)).toBe(false)
    const into = outside === undefined ? [] : ["--into-database", "RESTORE_URL"]
    const restored = JSON.parse(yield* fleet.cli(...restore, ...into, "--yes"))
    expect(restored).toMatchObject({ carried_out: true, files: plan.files, size: plan.size })
    expect(existsSync(join(target, "keys"))).toBe(false)
    copyFileSync(join(dataDir, "keys"), join(target, "keys"))

    const smtpPort = yield* freePort
    const again = yield* startFleet({
      units: [{ name: "restored", daemons }],
      dataDir: target,
      env: {
        ...common,
        SIGNALBOX_ALARM_SMTP_PORT: String(smtpPort),
        SIGNALBOX_ALARM_BRIDGE_PORT: String(yield* freePort),
        SIGNALBOX_COMM_DISPATCHER_PORT: String(yield* freePort),
        SIGNALBOX_WATCHDOG_PORT: String(yield* freePort),
        SIGNALBOX_ALARM_ALLOWED_DOMAINS: sender.split("@")[1]!,
        SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
        ...(outside === undefined ? {} : { DATABASE_URL: outside.to.url })
      }
    })
    yield* allReady(again, outside === undefined)

    // The rows are of one moment. Alarms that were under way may have gone on since, in transactions.
    const there = yield* connect(outside?.to.target ?? databaseIn(target))
    const { odd, pairs } = yield* pairsIn(there)
    expect(odd).toBe(0)
    expect(pairs).toBeGreaterThanOrEqual(saved.pairs)
    expect(yield* contradictionsIn(there)).toBe(0)

    // The service token of the saved suite opens the restored one. Each alarm from before the backup is there once. A
    // mail is stored as a job when it is accepted, so the restored suite may begin its run only now.
    const counts = Effect.map(allRuns({ fleet: again, call: ledgerOf(again, doors.token) }), (runs) => {
      const all = new Map<string, number>()
      for (const { subject } of runs) all.set(subject, (all.get(subject) ?? 0) + 1)
      return saved.alarms.map(({ id, subject }) => ({ id, runs: all.get(subject) ?? 0 }))
    })
    yield* until(
      "each alarm from before the backup has its run",
      Effect.map(counts, (all) => all.every(({ runs }) => runs > 0)),
      30
    )
    expect((yield* counts).filter(({ runs }) => runs !== 1)).toEqual([])
    const { incomplete, names } = mailsIn(join(target, maildir))
    expect(incomplete).toEqual([])
    expect(saved.mails.filter((name) => !names.includes(name))).toEqual([])

    expect(JSON.parse(yield* again.cli("check", "--json"))).toMatchObject({ ok: true })
    const demo = JSON.parse(yield* again.cli("alarm", "send", "--demo", "--json"))
    expect(demo.run.state).toBe("delivered")
    expect(demo.arrived).toHaveLength(1)
    // A new alarm is signed with the stored secret.
    const last = makeAlarms(1, `${receivers.sinkUrl}/restored`, () => "smtp")[0]!
    yield* handIn(last, { smtpPort, token: doors.token, trigger: () => triggerOf(again) })
    const arrived = () => receivers.sink.requests.find(({ path }) => path === "/restored/alarm/0")
    yield* until(
      "the alarm of the restored suite arrives",
      Effect.sync(() => arrived() !== undefined),
      60
    )
    expect(isSigned(arrived()!, secret)).toBe(true)
  })

/** Two databases of one outside Postgres 15. */
const twoDatabases = Effect.gen(function* () {
  const { target } = yield* postgres15
  const [from, to]: ReadonlyArray<FreshDatabase> = [
    yield* freshDatabaseOn(target.host),
    yield* freshDatabaseOn(target.host)
  ]
  return { from: from!, to: to! }
})

describePeers(["restic", "postgres15"], "a backup of a suite in use", () => {
  for (const layout of ["embedded", "outside"] as const)
    it.live(`restores elsewhere: ${layout} Postgres`, () => Effect.scoped(story(layout)), long ? 900_000 : 300_000)
})
