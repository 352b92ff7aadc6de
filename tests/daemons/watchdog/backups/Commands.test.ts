/** `signalbox backup`, beside a running daemon. */
import { it } from "@effect/vitest"
import { Console, Effect, Option } from "effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { Environment } from "#core/config/Environment.ts"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { toUrl } from "#core/postgres/ConnectionTarget.ts"
import * as Operator from "#daemons/watchdog/backups/Operator.ts"
import { restore } from "#daemons/watchdog/backups/RestoreOperator.ts"
import { recording } from "#support/CapturedOutput.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freshDatabaseOn } from "#support/Postgres.ts"
import { makeKeyCheap, makeRepository } from "#support/ResticRepository.ts"
import { untilWithin } from "#support/Within.ts"
import { fastTick, folders, password, postgres15, restoreFlags, startWatchdog, unwatched } from "./BackupSuite.ts"
import { nothingDue, oneDay } from "./WallClock.ts"

const none = Option.none()

/** `more`: further variables of the watchdog. */
const begin = Effect.fnUntraced(function* (more: Readonly<Record<string, string>> = {}) {
  const place = yield* folders
  const database = yield* postgres15
  const suite = yield* startWatchdog({ ...place.env, ...more }, database)
  const env: Record<string, string> = { ...suite.env, EMPTY_URL: "", FULL_URL: database.url, WRONG_URL: "http://x" }
  /** Output of a command, and why it was refused: exit status and sentence. */
  const ran = Effect.fnUntraced(function* <E>(command: Effect.Effect<void, E>) {
    const out: Array<string> = []
    const result = yield* Effect.result(
      command.pipe(Effect.provideService(Environment, env), Effect.provideService(Console.Console, recording(out)))
    )
    const text = out.join("\n")
    expect(text).not.toContain(password)
    if (result._tag === "Success") return { text, refused: undefined }
    const { code, message } = result.failure as { readonly code: number; readonly message: string }
    return { text, refused: [code, message] as const }
  })
  const json = <E>(command: Effect.Effect<void, E>) =>
    Effect.map(ran(command), ({ refused, text }) => {
      expect(refused).toBeUndefined()
      return JSON.parse(text)
    })
  return { place, database, suite, env, ran, json }
})

describePeers(["restic", "postgres15"], "signalbox backup", () => {
  it.live(
    "makes a repository, runs schedules, drills and lists",
    () =>
      Effect.gen(function* () {
        yield* oneDay
        const { json, place, ran, suite } = yield* begin({ ...fastTick, ...nothingDue, ...unwatched })
        const all = { type: none, limit: 50, json: false }
        expect((yield* ran(Operator.list(all))).refused?.[1]).toMatch(/there is no repository; `signalbox backup init`/)
        expect((yield* ran(Operator.init({ json: false }))).text).toMatch(/^The repository is created/)
        expect((yield* ran(Operator.init({ json: false }))).refused?.[0]).toBe(1)
        makeKeyCheap(place.repository, password)

        // A schedule whose latest backup is due for days, and did not run.
        const open = Effect.map(
          suite.sql<{ key: string }>`select key from watchdog.alert where closed_at is null order by key`,
          (rows) => rows.map(({ key }) => key)
        )
        let there: ReadonlyArray<string> = []
        const opens = (...keys: ReadonlyArray<string>) =>
          untilWithin(
            60,
            () => `the open alerts are ${keys.join(", ")}, and not ${there.join(", ")}`,
            Effect.map(open, (found) => (there = found).join() === keys.join())
          )
        yield* suite.sql`update watchdog.backup_schedule
          set created_at = now() - interval '3 days', updated_at = now() - interval '3 days', last_firing = now()`
        yield* opens("backup nightly missed")

        const asked = { schedule: "nightly", wait: true, json: false }
        expect((yield* ran(Operator.run({ ...asked, schedule: "x" }))).refused).toEqual([1, "There is no schedule x."])
        const run = yield* ran(Operator.run(asked))
        expect(run.refused).toBeUndefined()
        expect(run.text).toMatch(
          /^backup [0-9a-f-]{36}: done\n {2}size .*\n {2}duration .*\n {2}left out: certificates/
        )
        const listed = yield* ran(Operator.list(all))
        yield* opens()
        expect(listed.text).toMatch(
          /^ID +TIME .*\n[0-9a-f]{8} .* nightly +full .* certificates, key of stored secrets$/
        )
        expect(yield* json(Operator.list({ ...all, type: Option.some("files"), json: true }))).toEqual([])
        const drill = yield* json(Operator.drill({ wait: true, json: true }))
        expect(drill).toMatchObject({ work: "drill", state: "done", report: { ok: true } })

        // A backup that fails: the exit status says so, and the alert is open until one succeeds.
        renameSync(place.repository, `${place.repository}.away`)
        const failed = yield* ran(Operator.run(asked))
        expect(failed.refused?.[0]).toBe(1)
        expect(failed.text).toMatch(/^backup .*: failed\n[\s\S]*there is no repository/)
        renameSync(`${place.repository}.away`, place.repository)
        yield* opens("backup nightly")
        const jobs = yield* json(Operator.jobs({ work: none, state: Option.some("failed"), limit: 50, json: true }))
        expect(jobs).toMatchObject([{ work: "backup", schedule: "nightly", requested_by: "operator" }])
        expect((yield* ran(Operator.run(asked))).refused).toBeUndefined()
        yield* opens()

        // Two backups of one day: retention keeps the newest of it.
        const kept = yield* json(Operator.prune({ dryRun: true, json: true }))
        expect(kept).toEqual({ kept: 1, removed: [], dry_run: true })

        // Half an hour from now, so that it does not run by itself.
        const minute = (new Date().getUTCMinutes() + 30) % 60
        const added = { name: " hourly ", cron: `${minute} * * * *`, type: "databases" as const, json: false }
        expect((yield* ran(Operator.addSchedule({ ...added, cron: "* * * * *" }))).refused?.[0]).toBe(64)
        expect((yield* ran(Operator.addSchedule({ ...added, name: "\u0007" }))).refused?.[0]).toBe(64)
        expect((yield* ran(Operator.addSchedule(added))).text).toMatch(
          new RegExp(`^schedule hourly added: ${minute} \\* \\* \\* \\*, databases`)
        )
        expect((yield* ran(Operator.addSchedule(added))).refused?.[1]).toContain("has this name")
        renameSync(place.repository, `${place.repository}.away`)
        expect((yield* ran(Operator.run({ ...asked, schedule: "hourly" }))).refused?.[0]).toBe(1)
        yield* opens("backup hourly")
        const change = { schedule: "hourly", cron: none, type: none, enabled: Option.some(false), json: true }
        expect(yield* json(Operator.changeSchedule(change))).toMatchObject({ enabled: false, next_run: null })
        expect((yield* ran(Operator.schedules({ json: false }))).text).toMatch(/\n\d+ +hourly .* no +never$/)
        expect((yield* ran(Operator.removeSchedule({ schedule: "hourly", json: false }))).text).toMatch(
          /^schedule hourly/
        )
        // Nothing else would end its alert.
        yield* opens()
        const audit = yield* suite.sql<{ action: string }>`
          select action from core.audit where actor = 'operator' and action like 'backup%' order by id`
        expect(audit.map(({ action }) => action)).toEqual([
          "backup_job.backup_requested",
          "backup_job.drill_requested",
          "backup_job.backup_requested",
          "backup_job.backup_requested",
          "backup_schedule.created",
          "backup_job.backup_requested",
          "backup_schedule.changed",
          "backup_schedule.deleted"
        ])
      }).pipe(Effect.scoped),
    300_000
  )

  it.live(
    "restores everything, files, a path, or one table, and overwrites nothing",
    () =>
      Effect.gen(function* () {
        const { database, env, json, place, ran, suite } = yield* begin()
        yield* suite.sql`create table public."Odd name" (id int primary key, body text)`
        yield* suite.sql`insert into public."Odd name" select n, 'row ' || n from generate_series(1, 100) n`
        makeRepository(place.repository, password)
        yield* json(Operator.run({ schedule: "nightly", wait: true, json: true }))
        const at = (name: string) => join(place.root, "restored", name)
        const empty = Effect.map(freshDatabaseOn(database.target.host), (fresh) => {
          // The superuser's tables would belong to the wrong role.
          env["EMPTY_URL"] = toUrl(fresh.superuser)
          return fresh
        })
        const flags = { ...restoreFlags, target: at("plan") }
        const intoEmpty = Option.some("EMPTY_URL")
        const into = yield* empty

        const plan = yield* json(restore({ ...flags, yes: false }))
        expect(plan).toMatchObject({ carried_out: false, target: at("plan"), into_database: null })
        expect(plan.files).toBeGreaterThan(8)
        expect((yield* ran(restore({ ...flags, yes: false, json: false }))).text).toMatch(/--yes carries it out\.$/)
        expect(existsSync(at("plan"))).toBe(false)

        mkdirSync(at("taken"), { recursive: true })
        writeFileSync(join(at("taken"), "file"), "")
        const only = Option.some("files" as const)
        for (const [change, refusal] of [
          [{ target: at("taken") }, /is not empty/],
          [{ snapshot: "0000" }, /has no backup 0000/],
          [{ into: Option.some("UNSET") }, /The variable UNSET is not set/],
          [{ into: Option.some("WRONG_URL") }, /^WRONG_URL: the scheme must be postgres/],
          [{ into: Option.some("FULL_URL") }, /has tables\. Nothing is overwritten/],
          [{ table: Option.some("core.audit") }, /--table needs --into-database/],
          [{ into: intoEmpty, only }, /contains no dump/],
          [{ path: Option.some("/nowhere") }, /has nothing of what was chosen/]
        ] as const)
          expect((yield* ran(restore({ ...flags, ...change }))).refused?.[1]).toMatch(refusal)
        expect(readdirSync(at(""))).toEqual(["taken"])

        yield* json(restore({ ...flags, target: at("files"), only }))
        expect(readFileSync(join(at("files"), place.mail, "a/cur/1"), "utf8")).toBe("From: a")
        expect(existsSync(join(at("files"), "signalbox-backup"))).toBe(false)
        const path = join(place.customers, "müller/*.txt")
        yield* json(restore({ ...flags, target: at("path"), path: Option.some(path), only }))
        expect(readdirSync(join(at("path"), place.customers, "müller"))).toEqual(["*.txt"])

        const table = 'public."Odd name"'
        const missing = Option.some("public.Odd")
        const wrong = restore({ ...flags, target: at("wrong"), into: intoEmpty, table: missing })
        expect((yield* ran(wrong)).refused?.[1]).toBe(`The dump has no table public.Odd. Similar: ${table}.`)
        expect(existsSync(at("wrong"))).toBe(false)
        yield* json(restore({ ...flags, target: at("table"), into: intoEmpty, table: Option.some(table) }))
        const tables = withClient(into.superuser, (sql) =>
          Effect.map(
            sql<{ name: string; owner: string }>`
              select schemaname || '.' || tablename as name, tableowner as owner from pg_tables
                where schemaname not in ('pg_catalog', 'information_schema')`,
            (rows) => rows.map(({ name, owner }) => `${name} ${owner}`)
          )
        )
        expect(yield* tables).toEqual(["public.Odd name signalbox"])

        // A table of a schema that does not exist yet, and everything. The role of the suite owns both.
        const other = yield* empty
        const schedule = Option.some("watchdog.backup_schedule")
        yield* json(restore({ ...flags, target: at("schema"), into: intoEmpty, table: schedule }))
        const names = withClient(other.superuser, (sql) => sql`select name from watchdog.backup_schedule`)
        expect(yield* names).toEqual([{ name: "nightly" }])
        const whole = yield* empty
        yield* json(restore({ ...flags, target: at("whole"), into: intoEmpty }))
        const owners = yield* withClient(
          whole.superuser,
          (sql) => sql`select distinct tableowner from pg_tables
            where schemaname not in ('pg_catalog', 'information_schema')`
        )
        expect(owners).toEqual([{ tableowner: "signalbox" }])
      }).pipe(Effect.scoped),
    300_000
  )
})
