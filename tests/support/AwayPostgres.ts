/**
 * A durable Postgres for one test that can become unreachable: `away` stops the server process and kills all its
 * sessions. It stays unreachable, and cannot restart, until the test calls `back`.
 */
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { freshDatabaseOn, temporaryDirectory } from "./Postgres.ts"
import { signal } from "./Processes.ts"

/** Ids of the child processes of `pid`. */
export const childrenOf = (pid: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        const stat = readFileSync(`/proc/${child}/stat`, "utf8")
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === pid
      } catch {
        return false
      }
    })

/**
 * `database` is available at once. `away` and `back` alternate. The end of the scope resumes the server in any case.
 */
export const make = Effect.gen(function* () {
  const server = yield* start({ dataDir: yield* temporaryDirectory() })
  const back = Effect.sync(() => signal(server.pid, "SIGCONT"))
  const database = yield* freshDatabaseOn(server.socketDir)
  yield* Effect.addFinalizer(() => back)
  return {
    database,
    away: Effect.sync(() => {
      signal(server.pid, "SIGSTOP")
      for (const child of childrenOf(server.pid)) signal(child, "SIGKILL")
    }),
    back
  }
})
