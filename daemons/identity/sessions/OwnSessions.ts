/** Active sessions of one account, as shown to its owner. Functions run in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** An active session. */
export interface OwnSession {
  readonly id: string
  readonly created_at: Date
  readonly last_used_at: Date
  readonly expires_at: Date
  readonly address: string | null
  readonly user_agent: string | null
  readonly methods: ReadonlyArray<string>
}

const columns = (sql: SqlClient.SqlClient) =>
  sql`id, created_at, last_used_at, expires_at, address, user_agent, methods`
const active = (sql: SqlClient.SqlClient, account: number) =>
  sql`account_id = ${account} and ended_at is null and expires_at > now()`

/** Newest first. `before`: id of a session; only older ones are returned. */
export const list = Effect.fnUntraced(function* (account: number, limit: number, before?: string) {
  const sql = yield* SqlClient.SqlClient
  const older =
    before === undefined
      ? sql`true`
      : sql`(created_at, id) < (select created_at, id from identity.session
          where id = ${before} and account_id = ${account})`
  return yield* sql<OwnSession>`select ${columns(sql)} from identity.session
    where ${active(sql, account)} and ${older} order by created_at desc, id desc limit ${limit}`
})

/** One session, or undefined. */
export const get = Effect.fnUntraced(function* (account: number, id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] =
    yield* sql<OwnSession>`select ${columns(sql)} from identity.session where ${active(sql, account)} and id = ${id}`
  return row
})
