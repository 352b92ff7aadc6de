/** Embedded servers of other processes, and looks at servers, for tests of the embedded Postgres. */
import { realpathSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { eventually, processesIn, runSupport } from "#support/Processes.ts"

/** The cluster's directory. */
export const dataOf = (dataDir: string) => join(realpathSync(dataDir), "postgres", "data")

/** Another process that starts an embedded server, or keeps one running. `before`: command that starts the process. */
export const holder = (dataDir: string, mode: "start" | "keep" = "start", before: ReadonlyArray<string> = []) =>
  runSupport("PostgresHolder.ts", [dataDir, mode], before)

/** The first row of a query. */
export const query = (server: { readonly socketDir: string }, text: string, user = "signalbox") =>
  Effect.map(
    withClient(socketTarget(server.socketDir, user, "signalbox"), (sql) => sql.unsafe<Record<string, unknown>>(text)),
    (rows) => rows[0]
  )

/** Waits until no process works in the cluster's directory. */
export const noServer = (dataDir: string) =>
  eventually("no process in the data directory", () => processesIn(dataOf(dataDir)).length === 0, 30)
