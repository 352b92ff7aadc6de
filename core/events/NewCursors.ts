/**
 * Creates the cursors of new consumers. Consumers of a process that are declared at once share a statement.
 *
 * A position alone cannot express "now". While a long transaction holds back the horizon, events committed before a
 * consumer was declared lie above it. The snapshot distinguishes them from events of open transactions.
 */
import { Effect, Exit, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Batcher from "../sql/Batcher.ts"

export interface NewCursor {
  /** Name of the consumer. */
  readonly name: string
  /** Default `now`. */
  readonly from?: "now" | "beginning"
}

/** Consumers in one statement. Reason: more than there are. */
const most = 100

/** Creates the cursor of a consumer that has none. */
export const make: Effect.Effect<
  (consumer: NewCursor) => Effect.Effect<void, SqlError.SqlError>,
  never,
  SqlClient.SqlClient | Scope.Scope
> = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Batcher.make(
    (consumers: ReadonlyArray<NewCursor>) =>
      Effect.map(
        Effect.exit(sql`insert into core.event_cursor (consumer, xid, id, since)
          select n.name, case when n.early then '0'::xid8 else pg_snapshot_xmin(s) end, 0,
            case when n.early then null else s end
          from unnest(${consumers.map(({ name }) => name)}::text[],
              ${consumers.map(({ from }) => from === "beginning")}::boolean[]) as n (name, early),
            pg_current_snapshot() s
          on conflict do nothing`),
        (exit) => consumers.map(() => Exit.asVoid(exit))
      ),
    { most }
  )
)
