/**
 * A durable Postgres of a test's own that can be away for a while: every session is killed, and the server held still,
 * so that it can neither be reached nor come back before the test lets it.
 */
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { freshDatabaseOn, temporaryDirectory } from "./Postgres.ts"

/** The processes whose parent is `pid`. */
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

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

/** `database` is there at once; `away` and `back` take turns. At the scope's end it is let go whatever it was. */
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
