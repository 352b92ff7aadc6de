// The shared Postgres in a profiled run: its control group, and the counts of a database.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { withClient } from "#core/postgres/Bootstrap.ts"
import type { ConnectionTarget } from "#core/postgres/ConnectionTarget.ts"
import { Effect } from "effect"
import { moveInto } from "./Cgroups.ts"
import { cgroupVariable, currentFile, isProfiled, postgresGroup, write } from "./Events.ts"

/** Moves the server, given by its main process, into its own group. Does nothing without a profile. */
export const countPostgres = (pid: number): void => {
  const group = process.env[cgroupVariable]
  if (group === undefined) return
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean)
  for (const each of [pid, ...children.map(Number)]) moveInto(join(group, postgresGroup), each)
}

/** Records a new database. */
export const countDatabase = (name: string): void => {
  if (isProfiled) write({ e: "database", file: currentFile(), name })
}

/** Records the migrations that ran in a database. `superuser`: connects to it. */
export const countMigrations = (superuser: ConnectionTarget): Effect.Effect<void> =>
  isProfiled
    ? Effect.ignore(
        withClient(superuser, (sql) =>
          Effect.gen(function* () {
            const tables = yield* sql<{ name: string }>`
              select format('%I.migration', table_schema) as name
              from information_schema.tables where table_name = 'migration'`
            if (tables.length === 0) return
            const counts = tables.map(({ name }) => `(select count(*) from ${name})`).join(" + ")
            const [row] = yield* sql.unsafe<{ n: string }>(`select ${counts} as n`)
            write({ e: "count", file: currentFile(), what: "migrations", n: Number(row?.n) })
          })
        )
      )
    : Effect.void
