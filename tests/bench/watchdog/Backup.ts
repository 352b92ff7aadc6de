// Benchmark of a backup: the daemon saves a database of an outside Postgres 15, against bare pg_dump and bare restic
// with the same data, form and kind of repository. Each run begins with an empty repository, so everything is written.

import { Effect } from "effect"
import { execFile } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { start as startPostgres } from "#core/postgres/EmbeddedPostgres.ts"
import { kinds } from "#daemons/watchdog/monitoring/CheckKinds.ts"
import { libpqEnvironment } from "#daemons/watchdog/backups/parts/DatabaseDump.ts"
import { type FreshDatabase, freshDatabaseOn } from "#support/Postgres.ts"
import { pause } from "../alarm/Rig.ts"
import { type Figure, figure, median } from "../Figure.ts"
import { note, type Stage } from "../load/Stage.ts"
import { startDaemon } from "../OneDaemon.ts"

const execute = promisify(execFile)

/** Size of the data in the database. Unit: MB. */
const size = Number(process.env["SIGNALBOX_BENCH_BACKUP_MB"] ?? 2_048)

/** Number of pairs of runs, in turn. */
const pairs = Number(process.env["SIGNALBOX_BENCH_BACKUP_PAIRS"] ?? 3)

/** Target: multiple of the floor. Source: the issue. */
const allowed = 1.1

/** Characters in a row, and rows for a MB. Random text: restic finds no block twice. */
const rowLength = 32 * 32
const rowsOfMegabyte = Math.ceil(1e6 / rowLength)

const password = "bench"

export const measureBackup = async ({ folder, inScope, keep }: Stage): Promise<ReadonlyArray<Figure>> => {
  const server = await inScope(startPostgres({ dataDir: join(folder, "..", "postgres15"), fsync: true, major: 15 }))
  const database = await inScope(freshDatabaseOn(server.socketDir))
  note(`backup: fills ${size} MB`)
  await Effect.runPromise(fill(database))
  const [ours, bare] = [join(folder, "..", "ours"), join(folder, "..", "bare")]
  keep(
    await startDaemon("watchdog", database, folder, {
      SIGNALBOX_BACKUP_REPOSITORY: ours,
      SIGNALBOX_BACKUP_PASSWORD: password,
      SIGNALBOX_MONITOR_WITHOUT: kinds.slice(0, -3).join(",")
    })
  )
  const dump = join(folder, "..", "dump")
  const measureBare = async () => {
    await init(bare)
    const taken = await timed(async () => {
      await execute("/usr/lib/postgresql/15/bin/pg_dump", ["-Fd", "-Z0", "--enable-row-security", "-f", dump], {
        env: { PATH: process.env["PATH"], ...libpqEnvironment(database.target) }
      })
      await restic(bare, ["backup", "--quiet", dump])
    })
    for (const path of [dump, bare]) rmSync(path, { recursive: true })
    return taken
  }
  const measureOurs = async () => {
    await init(ours)
    const taken = await timed(() => backup(database))
    rmSync(ours, { recursive: true })
    return taken
  }
  const floors: Array<number> = []
  const values: Array<number> = []
  for (let nth = 0; nth < pairs; nth++) {
    // In turn, because the second one finds more of the database in memory.
    if (nth % 2 === 1) values.push(await measureOurs())
    floors.push(await measureBare())
    if (nth % 2 === 0) values.push(await measureOurs())
    note(`backup: ${values.at(-1)!.toFixed(1)} s, bare ${floors.at(-1)!.toFixed(1)} s`)
  }
  const [value, floor] = [median(values), median(floors)]
  return [figure(`watchdog: backup of ${size} MB`, value, "s", { floor, target: Number((floor * allowed).toFixed(1)) })]
}

/** Unit: seconds. */
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work()
  return (performance.now() - begin) / 1_000
}

const restic = (repository: string, args: ReadonlyArray<string>) =>
  execute("restic", args, {
    env: {
      PATH: process.env["PATH"],
      RESTIC_REPOSITORY: repository,
      RESTIC_PASSWORD: password,
      RESTIC_CACHE_DIR: `${repository}-cache`
    }
  })

const init = async (repository: string) => {
  rmSync(repository, { recursive: true, force: true })
  await restic(repository, ["init", "--quiet"])
}

/** Adds a job as a request does, and waits for its end. */
const backup = async (database: FreshDatabase): Promise<void> => {
  const query = (text: string) =>
    Effect.runPromise(
      withClient(database.superuser, (sql) => sql.unsafe<{ state: string; problem: string | null }>(text))
    )
  await query(`insert into watchdog.backup_job (work, type, schedule_id, schedule, requested_by)
    values ('backup', 'databases', 1, 'nightly', 'bench')`)
  await query(`select pg_notify('signalbox', 'backup jobs')`)
  for (;;) {
    const [job] = await query(`select state, problem from watchdog.backup_job order by seq desc limit 1`)
    if (job!.state === "done") return
    if (job!.problem !== null) throw new Error(job!.problem)
    await pause(50)
  }
}

const fill = ({ superuser }: FreshDatabase) =>
  withClient(superuser, (sql) =>
    Effect.gen(function* () {
      yield* sql`create schema bench`
      yield* sql`alter schema bench owner to signalbox`
      yield* sql`set role signalbox`
      for (let table = 0; table < 4; table++) {
        yield* sql.unsafe(`create table bench.data_${table} (id int, body text)`)
        yield* sql.unsafe(`insert into bench.data_${table}
          select n, (select string_agg(md5(random()::text || n || i), '') from generate_series(1, ${rowLength / 32}) i)
            from generate_series(1, ${Math.ceil((size * rowsOfMegabyte) / 4)}) n`)
      }
    })
  )
