/**
 * What a consumer asks before it reads events. Consumers of a process that ask at once share a statement, because each
 * announcement wakes all of them.
 */
import { Effect, Exit, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Batcher from "../sql/Batcher.ts"

export interface Survey {
  /** Horizon: upper bound of safe reads. */
  readonly xmin: string
  /** Whether committed events lie beyond the horizon. */
  readonly held: boolean
  /** Whether events lie between the stored cursor of the consumer and the horizon. */
  readonly behind: boolean
}

/** Consumers that one statement surveys. Reason: more than there are. */
const most = 100

/** Surveys a consumer by its name. */
export const make: Effect.Effect<
  (consumer: string) => Effect.Effect<Survey, SqlError.SqlError>,
  never,
  SqlClient.SqlClient | Scope.Scope
> = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Batcher.make(
    (names: ReadonlyArray<string>) =>
      Effect.map(
        Effect.exit(sql<Survey & { readonly name: string }>`
          select n.name, h.xmin::text as xmin, h.held,
            exists (select 1 from core.event e, core.event_cursor c
              where c.consumer = n.name and (e.xid, e.id) > (c.xid, c.id) and e.xid < h.xmin) as behind
          from unnest(${names}::text[]) as n (name),
            (select s.xmin, exists (select 1 from core.event where xid >= s.xmin) as held
              from (select pg_snapshot_xmin(pg_current_snapshot()) as xmin) s) h`),
        (found) => names.map((name) => Exit.map(found, (rows): Survey => rows.find((row) => row.name === name)!))
      ),
    { most }
  )
)
