/** Components of the database. Their checks have the form of SERVICES_FILE, and were validated before. */
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import type { Component } from "../status/Model.ts"
import { decodeServices } from "./Services.ts"

export interface StoredRow {
  readonly id: string
  /** German; `name_en` is English. */
  readonly name: string
  readonly name_en: string
  readonly group: string | null
  readonly group_en: string | null
  /** As in SERVICES_FILE. */
  readonly checks: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** Rows, oldest first. */
export const storedRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<StoredRow>`select id, name, name_en, group_name as "group", group_en, checks
    from status_checker.component order by created_at, id`
})

/** Components of all rows. A row that this version cannot read is left out, and logged. */
export const readStored = Effect.gen(function* () {
  const found: Array<Component> = []
  for (const row of yield* storedRows) {
    const decoded = decodeServices([row])
    if (Result.isSuccess(decoded)) found.push(...decoded.success.value)
    else yield* Effect.logWarning(`the component ${row.id} of the database cannot be read: ${decoded.failure}`)
  }
  return found as ReadonlyArray<Component>
})
