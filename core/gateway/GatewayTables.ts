/** Tables of bans and exemptions that processes with a gateway, and daemons that refuse or count addresses, share. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Migrations } from "../sql/Migrations.ts"

/** Wake topic: bans or exemptions changed. */
export const bansTopic = "gateway bans"

export const gatewayMigrations: Migrations = {
  schema: "gateway",
  steps: [
    {
      id: 1,
      name: "bans",
      statements: [
        // A lifted ban stays as an expired row, so that an earlier event cannot restore it when it is read again.
        `create table gateway.ban (
           address cidr primary key,
           rule text not null,
           reason text,
           until timestamptz not null,
           event_id bigint not null
         )`
      ]
    },
    {
      id: 2,
      name: "exemptions from bans",
      statements: [
        `create table gateway.exemption (
           address cidr primary key,
           until timestamptz not null,
           event_id bigint not null
         )`,
        // For the bans that overlap an exemption.
        `create index ban_overlap on gateway.ban using gist (address inet_ops)`
      ]
    }
  ]
}

/** How long ended bans and exemptions are kept, for events that are read again. Unit: days. */
const remembered = 1

/** Interval of deleting them. Unit: milliseconds (an hour). Reason: the rows are small, and readers leave them out. */
const pruneEvery = 3_600_000

/** Deletes old rows of these tables when run, at most once in `pruneEvery`. */
export const pruning = (sql: SqlClient.SqlClient, tables: ReadonlyArray<"ban" | "exemption">) => {
  let prunedAt = Number.NEGATIVE_INFINITY
  return Effect.gen(function* () {
    const now = performance.now()
    if (now - prunedAt < pruneEvery) return
    for (const table of tables)
      yield* sql`delete from gateway.${sql.literal(table)} where until < now() - make_interval(days => ${remembered})`
    prunedAt = now
  })
}
