/** Folders of trainings in the data directory. They hold synthetic speech, and what is derived from it. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { transaction } from "#core/sql/Sql.ts"

const root = (dataDir: string): string => join(dataDir, "wake-word", "trainings")

/** Folder of a training. */
export const of = (dataDir: string, job: string): string => join(root(dataDir), job)

/** Deletes the folders of trainings that are not open. A folder that cannot be deleted is tried again later. */
export const sweep = Effect.fnUntraced(function* (dataDir: string) {
  const found = yield* Effect.promise(() => readdir(root(dataDir)).catch(() => []))
  if (found.length === 0) return
  const sql = yield* SqlClient.SqlClient
  const rows = yield* transaction(
    sql<{ readonly id: string }>`select id from wake_word.training where state in ('waiting', 'running')`
  )
  const open = new Set(rows.map(({ id }) => id))
  for (const name of found)
    if (!open.has(name))
      yield* Effect.promise(() => rm(of(dataDir, name), { recursive: true, force: true }).catch(() => undefined))
})
