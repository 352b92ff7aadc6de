/** Push subscriptions of browsers. Runs in the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { keyedId } from "#core/jobs/Jobs.ts"
import type { SealedColumn } from "#core/config/Secrets.ts"

export const sealedSubscriptions: SealedColumn = {
  table: "comm_dispatcher.push_subscription",
  id: "id",
  column: "secret"
}

/**
 * Maximum number of subscriptions per user; a further one replaces the least recently renewed. Reason: more browsers
 * than a person has.
 */
export const mostSubscriptions = 10

export interface Subscription {
  readonly id: string
  /** Host of the push service. */
  readonly service: string
  /** In ISO 8601 format. */
  readonly created_at: string
}

const columns = `id::text as id, service, to_char(created_at at time zone 'UTC',
  'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at`

/** The same id for the same browser and user, so that a repeated subscription has one row. */
export const idOf = (user: number, endpoint: string): string => keyedId("push", `${user} ${endpoint}`)

export const list = (user: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<Subscription>`select ${sql.literal(columns)} from comm_dispatcher.push_subscription where user_id = ${user}
        order by created_at, id`
  )

/** The users of these who have subscriptions. */
export const having = (users: ReadonlyArray<number>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{
        user_id: number
      }>`select distinct user_id from comm_dispatcher.push_subscription where user_id = any(${users}::int[])`,
      (rows): ReadonlySet<number> => new Set(rows.map(({ user_id }) => user_id))
    )
  )

/** `secret`: the envelope of address and keys. Returns the row, and whether it is new. */
export const put = Effect.fnUntraced(function* (
  owner: { readonly userId: number; readonly tenantId: number },
  endpoint: string,
  secret: string
) {
  const sql = yield* SqlClient.SqlClient
  // Concurrent calls for one user wait for each other, so that both are counted.
  yield* sql`select pg_advisory_xact_lock(hashtext('push subscriptions'), ${owner.userId})`
  const [row] = yield* sql<Subscription & { fresh: boolean }>`insert into comm_dispatcher.push_subscription as s
      (id, user_id, tenant_id, service, endpoint_hash, secret)
    values (${idOf(owner.userId, endpoint)}::uuid, ${owner.userId}, ${owner.tenantId}, ${new URL(endpoint).host},
      ${createHash("sha256").update(endpoint).digest("hex")}, ${secret})
    on conflict (id) do update set secret = excluded.secret, renewed_at = clock_timestamp()
    returning ${sql.literal(columns)}, xmax = 0 as fresh`
  yield* sql`delete from comm_dispatcher.push_subscription where user_id = ${owner.userId} and id in (
    select id from comm_dispatcher.push_subscription where user_id = ${owner.userId}
      order by renewed_at desc, id = ${row!.id}::uuid desc offset ${mostSubscriptions})`
  const { fresh, ...subscription } = row!
  return { fresh, subscription }
})

/** Returns whether it existed. */
export const remove = (id: string, user: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql`delete from comm_dispatcher.push_subscription where id = ${id}::uuid and user_id = ${user} returning 1`,
      (rows) => rows.length > 0
    )
  )

/** The envelope; undefined: it was removed, or another user has subscribed with this browser since. */
export const secretOf = (id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{
        secret: string
      }>`select secret from comm_dispatcher.push_subscription s where id = ${id}::uuid and not exists (
        select 1 from comm_dispatcher.push_subscription o where o.endpoint_hash = s.endpoint_hash
          and o.renewed_at > s.renewed_at)`,
      (rows) => rows[0]?.secret
    )
  )
