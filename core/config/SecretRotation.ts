/**
 * Seals envelopes of older keys again with the newest key. It can be interrupted at any time and repeated: each row
 * holds either the old or the new envelope, and the key file keeps old keys. Secrets.addKey adds the new key.
 */
import { Effect, Result } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { contextOf, type SealedColumn, type SecretError, Secrets } from "./Secrets.ts"

/** Rows read at once. Reason: bounds memory; each row is written by itself. */
const batch = 200

export interface Rotated {
  readonly table: string
  readonly column: string
  /** Number of envelopes that this run sealed again. */
  readonly resealed: number
  /** Envelopes that no key opens; they stay unchanged. */
  readonly unreadable: ReadonlyArray<{ readonly id: string; readonly problem: string }>
}

interface Row {
  /** Not called `id`, because `order by` would use this text instead of the column. */
  readonly key: string
  readonly envelope: string
}

/** Seals the envelopes of one column again. */
export const reseal = (
  sealed: SealedColumn
): Effect.Effect<Rotated, SqlError.SqlError | SecretError, SqlClient.SqlClient | Secrets> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const secrets = yield* Secrets
    const [table, id, column] = [sql(sealed.table), sql(sealed.id), sql(sealed.column)]
    const current = `sbx1.${yield* secrets.currentKey}.`
    const unreadable: Array<{ readonly id: string; readonly problem: string }> = []
    let resealed = 0
    while (true) {
      const rows = yield* sql<Row>`select ${id}::text as key, ${column} as envelope from ${table}
        where ${column} is not null and not starts_with(${column}, ${current})
          and not (${id}::text = any(${unreadable.map((row) => row.id)}::text[]))
        order by ${id} limit ${batch}`
      if (rows.length === 0) return { table: sealed.table, column: sealed.column, resealed, unreadable }
      for (const row of rows) {
        const context = contextOf(sealed, row.key)
        const opened = yield* Effect.result(secrets.open(row.envelope, context))
        if (Result.isFailure(opened)) {
          if (opened.failure.reason === "KeyFile") return yield* opened.failure
          unreadable.push({ id: row.key, problem: opened.failure.detail })
          continue
        }
        const fresh = yield* secrets.seal(opened.success, context)
        // Only replaces the envelope that was read. A secret that changed meanwhile is already sealed with the new key.
        const written = yield* sql`update ${table} set ${column} = ${fresh}
          where ${id}::text = ${row.key} and ${column} = ${row.envelope} returning 1`
        resealed += written.length
      }
    }
  })
