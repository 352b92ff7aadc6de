/**
 * The audit log: who changed what, and when. Each entry is written in the transaction of its change and never changes
 * afterwards. It holds no secret: `detail` names what changed, never a password, token or code.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Caller, nameOf } from "../auth/Caller.ts"
import type { Database } from "../sql/Database.ts"
import { asPlatform } from "../sql/Sql.ts"

/** One entry of the log. */
export interface Entry {
  readonly tenantId: number
  /** `user:12`, `service:3`, `operator`, `system`, or `nobody` for a refused sign-in. */
  readonly actor: string
  /** `<entity>.<change>`: `user.created`, `login.failed`. */
  readonly action: string
  /** Kind of the changed entity: `user`. */
  readonly entity: string
  readonly id: string
  /** The client's address, if there is one. */
  readonly address?: string | undefined
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Actor of changes made by the command line on this machine. */
export const operator = "operator"

/** How long entries are kept. Unit: days. Reason: a year, plus some weeks for questions about it. */
export const keptDays = 400

/** Writes an entry in the surrounding transaction, whatever role that transaction has. */
export const write = (
  entry: Entry
): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient | Database> =>
  asPlatform(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pg = yield* PgClient.PgClient
      yield* sql`insert into core.audit (tenant_id, actor, action, entity_type, entity_id, address, detail)
      values (${entry.tenantId}, ${entry.actor}, ${entry.action}, ${entry.entity}, ${entry.id},
        ${entry.address ?? null}, ${pg.json(entry.detail ?? {})})`
    })
  )

/** Writes an entry with the caller of this request as its actor. */
export const writeFor = (
  entry: Omit<Entry, "actor">
): Effect.Effect<void, SqlError.SqlError, Caller | SqlClient.SqlClient | PgClient.PgClient | Database> =>
  Effect.flatMap(Caller, (caller) => write({ ...entry, actor: nameOf(caller) }))
