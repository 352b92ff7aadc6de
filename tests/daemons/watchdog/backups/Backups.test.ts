import { it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect } from "vitest"
import { Environment, settings } from "#core/config/Environment.ts"
import type { ConnectionTarget } from "#core/postgres/ConnectionTarget.ts"
import * as Restic from "#daemons/watchdog/backups/engine/Restic.ts"
import { libpqEnvironment } from "#daemons/watchdog/backups/parts/DatabaseDump.ts"
import { backupSettings } from "#daemons/watchdog/backups/Settings.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { makeRepository } from "#support/ResticRepository.ts"
import { callsOf, folders, password, postgres15, startWatchdog, unwatched } from "./BackupSuite.ts"
import { nothingDue } from "./WallClock.ts"

/** Longest test. Unit: milliseconds. Reason: a few seconds on an idle machine. */
const patience = 300_000

const resticOf = (env: Readonly<Record<string, string>>) =>
  Effect.map(Effect.provideService(settings(backupSettings), Environment, env), Restic.make)

/** Replaces the newest backup by one with the same manifest and a dump of now. */
const dumpAgain = Effect.fnUntraced(function* (root: string, restic: Restic.Restic, target: ConnectionTarget) {
  const [snapshot] = yield* restic.snapshots
  const place = join(root, "again")
  yield* restic.restore({ snapshot: snapshot!.id, target: place, include: ["/signalbox-backup"] })
  const folder = join(place, "signalbox-backup/databases/signalbox")
  rmSync(folder, { recursive: true })
  yield* Effect.promise(() =>
    promisify(execFile)("/usr/lib/postgresql/15/bin/pg_dump", ["-Fd", "-Z0", "--enable-row-security", "-f", folder], {
      env: libpqEnvironment(target)
    })
  )
  yield* restic.backup({
    cwd: place,
    paths: ["signalbox-backup"],
    excludes: [],
    tags: snapshot!.tags ?? [],
    onProgress: () => {}
  })
})

describePeers(["restic", "postgres15"], "backups of a living suite", () => {
  it.live(
    "are made, listed, told, kept by retention, and restore in part",
    () =>
      Effect.gen(function* () {
        const place = yield* folders
        const database = yield* postgres15
        const restic = yield* resticOf(place.env)
        makeRepository(place.repository, password)
        const suite = yield* startWatchdog({ ...place.env, ...nothingDue, ...unwatched }, database)
        const { ended, get, job, post } = callsOf(suite)
        // The schedule of the migration is younger than its latest time, so nothing is due.
        const [nightly] = (yield* get("/schedules")).json
        expect(nightly).toMatchObject({ name: "nightly", cron: "0 3 * * *", type: "full", enabled: true })

        // The same key answers the same job; a second request while it waits too.
        const first = yield* post(`/trigger/${nightly.id}`, undefined, { "idempotency-key": "one" })
        expect(first.status).toBe(202)
        const again = yield* post(`/trigger/${nightly.id}`, undefined, { "idempotency-key": "one" })
        expect(again.json.id).toBe(first.json.id)
        const done = yield* ended(first.json.id)
        expect(done).toMatchObject({ state: "done", problem: null, schedule: "nightly", requested_by: "user:10" })
        expect(done.size).toBeGreaterThan(1_000)
        expect(done.left_out.map(({ what }: { what: string }) => what)).toEqual([
          "certificates",
          "key of stored secrets"
        ])

        const { json: list } = yield* get("")
        expect(list.items).toHaveLength(1)
        expect(list.items[0]).toMatchObject({ id: done.snapshot, job_id: done.id, type: "full", schedule: "nightly" })
        expect(list.next_before).toBeNull()

        // Row, event and message are of one transaction.
        const events = yield* suite.sql<{ type: string; data: any; tenant_id: number }>`
          select type, data, tenant_id from core.event where type like 'backup.%' order by id`
        expect(events.filter(({ type }) => type === "backup.completed")).toMatchObject([
          { tenant_id: 1, data: { backup_id: done.id, size: done.size, left_out: done.left_out } }
        ])
        const progress = events.filter(({ type }) => type === "backup.progress").map(({ data }) => data)
        expect(progress[0]).toMatchObject({ step: "begin", finished: false })
        expect(progress.at(-1)).toMatchObject({ finished: true })
        const wanted = yield* suite.sql<{ data: any }>`select data from pgboss.job where name = 'notification.wanted'`
        expect(wanted).toHaveLength(1)
        const body: string = wanted[0]!.data.content.body
        expect(body).toMatch(/Size .*\nDuration .*\nLeft out:\n- certificates/)
        expect(wanted[0]!.data.words.de.title).toBe("Sicherung nightly fertig")

        // The snapshot has everything but what was left out.
        const paths: Array<string> = []
        yield* restic.list(done.snapshot, ({ path }) => paths.push(path))
        expect(paths).toContain(join(place.customers, "müller/*.txt"))
        expect(paths).toContain(join(place.mail, "b/new/3"))
        expect(paths).toContain(join(place.etc, "signalbox.env"))
        expect(paths).toContain("/signalbox-backup/databases/signalbox/toc.dat")

        // A drill proves it; the report says how long a restore takes.
        const drill = yield* job("/drill")
        expect(drill.report?.checks.filter((check: { ok: boolean }) => !check.ok)).toEqual([])
        expect(drill.report.checks.map(({ check }: { check: string }) => check)).toEqual([
          "repository",
          "restore",
          "postgres",
          "rows",
          "files",
          "mail",
          "secrets"
        ])
        expect(drill).toMatchObject({ work: "drill", state: "done", problem: null })
        expect(drill.report.real_restore_ms).toBeGreaterThan(0)

        const { json: retention } = yield* get("/retention")
        expect(retention.removed).toEqual([])
        expect(retention.kept).toMatchObject([
          { id: done.snapshot, reasons: ["daily within 30d", "weekly within 84d", "monthly within 6m"] }
        ])
        // Nothing of the secrets is in an answer or the database.
        const held = yield* suite.sql<{ found: number }>`
          select count(*)::int as found from watchdog.backup_job j where j::text like ${`%${password}%`}`
        expect(held[0]!.found).toBe(0)
      }).pipe(Effect.scoped),
    patience
  )

  it.live(
    "raise an alarm for each of: bytes flipped, a table missing, the wrong key",
    () =>
      Effect.gen(function* () {
        const place = yield* folders
        const database = yield* postgres15
        const restic = yield* resticOf(place.env)
        makeRepository(place.repository, password)
        const keyFile = { SIGNALBOX_KEY_FILE: join(place.root, "keys") }
        const suite = yield* startWatchdog({ ...place.env, ...nothingDue, ...keyFile }, database)
        const { job } = callsOf(suite)
        writeFileSync(join(place.root, "keys"), `${Buffer.alloc(32, 1).toString("base64")}\n`)
        yield* suite.sql`create table public.ledger (id int)`
        yield* suite.sql`insert into public.ledger select generate_series(1, 1000)`
        expect((yield* job("/trigger/1")).state).toBe("done")

        // The key that the backup needs is gone.
        writeFileSync(join(place.root, "keys"), `${Buffer.alloc(32, 2).toString("base64")}\n`)
        const wrongKey = yield* job("/drill")
        expect(wrongKey.state).toBe("failed")
        expect(wrongKey.problem).toMatch(/^secrets: the key file has no longer a key of the backup/)
        writeFileSync(join(place.root, "keys"), `${Buffer.alloc(32, 1).toString("base64")}\n`)

        // A backup whose dump lacks a table that was there: the newest snapshot is replaced by one without it.
        yield* suite.sql`drop table public.ledger`
        yield* dumpAgain(place.root, restic, database.target)
        const missing = yield* job("/drill")
        expect(missing.state).toBe("failed")
        expect(missing.problem).toMatch(/rows: .*the table public\.ledger is missing/)

        for (const folder of readdirSync(join(place.repository, "data"))) {
          for (const name of readdirSync(join(place.repository, "data", folder))) {
            const path = join(place.repository, "data", folder, name)
            const bytes = readFileSync(path)
            const at = Math.floor(bytes.length / 3)
            bytes[at] = bytes[at]! ^ 0xff
            writeFileSync(path, bytes, { mode: 0o600 })
          }
        }
        const flipped = yield* job("/drill")
        expect(flipped.state).toBe("failed")
        expect(flipped.problem).toMatch(/repository: the repository is damaged/)

        const failures = yield* suite.sql<{ data: any }>`
          select data from core.event where type = 'backup.failed' order by id`
        expect(failures.map(({ data }) => data.backup_id)).toEqual([wrongKey.id, missing.id, flipped.id])
      }).pipe(Effect.scoped),
    patience
  )
})
