/** Incidents in the database, as they are read. IncidentChanges writes them. */
import { Effect } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { historyDays, type Incident, type IncidentUpdate } from "../status/Model.ts"

/**
 * Most published incidents that are read. Unit: incidents. Reason: every process holds them in memory; open ones and
 * the newest have precedence.
 */
export const maxPublished = 500

/** Stored incident, including drafts. */
export interface StoredIncident extends Incident {
  /** Increases with every new incident; cursor of lists. */
  readonly number: number
  /** Component that stayed down, for a proposed draft that nobody has edited. */
  readonly proposed_for: string | null
  /** Null for a draft. */
  readonly published_at: string | null
  readonly updated_at: string
}

/** Published incidents that are open or within the history, newest first. */
export const published: Effect.Effect<ReadonlyArray<Incident>, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* incidents(sql`where published_at is not null
    and (resolved_at is null or greatest(created_at, resolved_at) > now() - make_interval(days => ${historyDays}))
    order by resolved_at is null desc, created_at desc, id limit ${maxPublished}`)
    return rows.map(publicOf).sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0))
  }
)

/** Incident without the fields for operators. Pure. */
export const publicOf = ({
  components,
  created_at,
  id,
  resolved_at,
  severity,
  status,
  title,
  title_en,
  updates
}: Incident): Incident => ({ id, title, title_en, status, severity, components, created_at, resolved_at, updates })

/** Incidents selected by `tail` (where, order, limit). */
export const incidents = (
  tail: Statement.Fragment
): Effect.Effect<ReadonlyArray<StoredIncident>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<IncidentRow>`select id, number, title, title_en, status, severity, components, proposed_for, created_at,
        resolved_at, published_at, updated_at,
        coalesce((select jsonb_agg(jsonb_build_object('status', u.status, 'message', u.message, 'message_en',
        u.message_en, 'timestamp', u."timestamp")
          order by u."timestamp") from status_checker.incident_updates u where u.incident_id = i.id), '[]') as updates
        from status_checker.incidents i ${tail}`,
      (rows) => rows.map(incidentOf)
    )
  )

interface IncidentRow extends Omit<StoredIncident, "created_at" | "resolved_at" | "published_at" | "updated_at"> {
  readonly created_at: Date
  readonly resolved_at: Date | null
  readonly published_at: Date | null
  readonly updated_at: Date
}

const iso = (at: Date | null): string | null => (at === null ? null : at.toISOString())

const incidentOf = (row: IncidentRow): StoredIncident => ({
  ...row,
  created_at: row.created_at.toISOString(),
  resolved_at: iso(row.resolved_at),
  published_at: iso(row.published_at),
  updated_at: row.updated_at.toISOString(),
  updates: row.updates.map((update): IncidentUpdate => ({
    ...update,
    timestamp: new Date(update.timestamp).toISOString()
  }))
})
