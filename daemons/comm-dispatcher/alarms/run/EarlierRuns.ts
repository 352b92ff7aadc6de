/** Earlier runs that a trigger repeats or answers. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

type Db<A> = Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient>

/** A run and the key that finds its duplicates. */
export interface Keyed {
  readonly id: string
  readonly key: Buffer
}

/**
 * Ids of the runs that repeat another run within the cooldown, including an earlier run of the same call. Locks each
 * key, so that concurrent duplicates are detected.
 */
export const repeatedRuns = (keyed: ReadonlyArray<Keyed>, cooldownSeconds: number): Db<ReadonlySet<string>> =>
  Effect.gen(function* () {
    const repeated = new Set<string>()
    if (keyed.length === 0 || cooldownSeconds === 0) return repeated
    const sql = yield* SqlClient.SqlClient
    const keys = [...new Set(keyed.map(({ key }) => key.toString("hex")))]
    const halves = keys.map((key) => Buffer.from(key, "hex"))
    // The order of the locks is the same everywhere, so that two transactions wait and do not deadlock.
    yield* sql`select pg_advisory_xact_lock(k.a, k.b) from (select * from unnest(
        ${halves.map((key) => key.readInt32BE(0))}::int[],
        ${halves.map((key) => key.readInt32BE(4))}::int[]) as k (a, b)
        order by a, b) k`
    const rows = yield* sql<{
      key: string
      id: string
    }>`select encode(duplicate_key, 'hex') as key, id::text as id from comm_dispatcher.run
      where duplicate_key = any(array(select decode(k, 'hex') from unnest(${keys}::text[]) k))
        and created_at > now() - make_interval(secs => ${cooldownSeconds})`
    const owners = new Map<string, Set<string>>()
    const own = (key: string, id: string) => owners.set(key, (owners.get(key) ?? new Set()).add(id))
    for (const { id, key } of rows) own(key, id)
    for (const { id, key } of keyed) {
      const hex = key.toString("hex")
      if ([...(owners.get(hex) ?? [])].some((owner) => owner !== id)) repeated.add(id)
      else own(hex, id)
    }
    return repeated
  })

/** The newest alarm that a reply mail refers to by message id. */
export const answeredRun = (messageIds: ReadonlyArray<string>, tenantId: number): Db<string | undefined> =>
  messageIds.length === 0
    ? Effect.succeed(undefined)
    : Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Effect.map(
          sql<{ id: string }>`select id::text as id from comm_dispatcher.run
        where source ? 'message_id' and source->>'message_id' = any(${messageIds}::text[]) and tenant_id = ${tenantId}
          and state not in ('rejected', 'duplicate', 'acknowledgement')
        order by seq desc limit 1`,
          (rows) => rows[0]?.id
        )
      )
