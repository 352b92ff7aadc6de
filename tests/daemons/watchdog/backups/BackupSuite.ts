/** A watchdog with a restic repository on disk, over a Postgres 15 of its own, which pg_dump of Debian 12 can dump. */
import { Effect, Option } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { socketTarget } from "#core/postgres/Bootstrap.ts"
import { toUrl } from "#core/postgres/ConnectionTarget.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import { kinds } from "#daemons/watchdog/monitoring/CheckKinds.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { databaseDirectory, preparedDirectory } from "#support/PreparedCluster.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

/** Value of nothing but these tests: it must appear in no log and no answer. */
export const password = "correct horse battery"

/**
 * Lets the schedules look at the clock ten times a second, for tests that wait for it. A request wakes them at once.
 * Each look takes some milliseconds of the watchdog and of Postgres.
 */
export const fastTick = { SIGNALBOX_BACKUP_TICK_MS: "100" }

/** Variables with which the machine of the test is not watched: its checks would open alerts of their own. */
export const unwatched = { SIGNALBOX_MONITOR_WITHOUT: kinds.slice(0, -3).join(",") }

/** Postgres 15 in a folder of its own. */
export const postgres15 = Effect.gen(function* () {
  const { socketDir } = yield* start({ dataDir: yield* preparedDirectory("pg15", 15), fsync: false })
  const target = socketTarget(socketDir, "signalbox", "signalbox")
  return { target, url: toUrl(target), superuser: socketTarget(socketDir, "postgres", "signalbox") }
})

/** Folders with customer data, mail and configuration, and the variables that name them. */
export const folders = Effect.gen(function* () {
  const root = yield* databaseDirectory("backup")
  const made = (name: string, files: Readonly<Record<string, string>>) => {
    const folder = join(root, name)
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(folder, file, ".."), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
    return folder
  }
  const customers = made("customers [1]", {
    "müller/plan.txt": "a plan",
    "müller/*.txt": "a hostile name",
    "b.bin": "b"
  })
  const mail = made("mail", { "a/cur/1": "From: a", "a/cur/2": "From: b", "b/new/3": "From: c" })
  const etc = made("etc", { "signalbox.env": "A=1", "tls/cert.pem": "certificate" })
  return {
    root,
    customers,
    mail,
    etc,
    repository: join(root, "repository"),
    env: {
      SIGNALBOX_BACKUP_REPOSITORY: join(root, "repository"),
      SIGNALBOX_BACKUP_PASSWORD: password,
      SIGNALBOX_BACKUP_CUSTOMER_FOLDERS: customers,
      SIGNALBOX_BACKUP_MAIL_FOLDERS: mail,
      SIGNALBOX_BACKUP_CONFIGURATION: etc,
      SIGNALBOX_BACKUP_DRILL_READ_PERCENT: "100"
    }
  }
})

export const startWatchdog = (
  env: Readonly<Record<string, string>>,
  database?: Parameters<typeof startSuite>[0]["database"]
) =>
  Effect.gen(function* () {
    // A drill makes a cluster there.
    const staging = { SIGNALBOX_BACKUP_STAGING_DIR: yield* databaseDirectory("staging") }
    return yield* startSuite({
      daemons: [watchdog],
      verifier: fakeUsers,
      env: { ...staging, ...env },
      ...(database === undefined ? {} : { database })
    })
  })

/** Calls of a user of `tenant` who holds everything, or just `held`. */
export const callsOf = ({ call }: TestSuite, tenant = 1, held = "*") => {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, `/api/v1/backups${path}`, {
      headers: { authorization: `Bearer user:${tenant}:${held}`, ...headers },
      ...(body === undefined ? {} : { body })
    })
  /** Polls the job until it ended. Dies after four minutes. */
  const ended = Effect.fnUntraced(function* (id: string) {
    const deadline = performance.now() + 240_000
    while (performance.now() < deadline) {
      const { json } = yield* send("GET", `/jobs/${id}`)
      if (json.finished_at !== null) return json
      yield* Effect.sleep(100)
    }
    return yield* Effect.die(new Error(`the job ${id} did not end`))
  })
  return {
    get: (path: string) => send("GET", path),
    post: (path: string, body?: unknown, headers?: Record<string, string>) => send("POST", path, body, headers),
    put: (path: string, body: unknown) => send("PUT", path, body),
    remove: (path: string) => send("DELETE", path),
    ended,
    /** Posts, and waits for the job of the answer. */
    job: Effect.fnUntraced(function* (path: string) {
      const { json, status, text } = yield* send("POST", path)
      return status === 202 ? yield* ended(json.id) : yield* Effect.die(new Error(`${status} ${text}`))
    })
  }
}

/** Flags of a restore of everything that is carried out. */
export const restoreFlags = {
  snapshot: "latest",
  only: Option.none<"databases" | "files">(),
  path: Option.none<string>(),
  into: Option.none<string>(),
  database: Option.none<string>(),
  table: Option.none<string>(),
  yes: true,
  json: true
}
