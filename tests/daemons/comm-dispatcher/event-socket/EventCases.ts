/** Walk cases of the event log endpoints. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { type Cases, list, own, type Who } from "#support/walk/Case.ts"
import { numberOf } from "../notifications/NotificationCases.ts"

const day = 24 * 3600 * 1000
const since = new Date(Date.now() - day).toISOString()
const until = new Date(Date.now() + day).toISOString()

export const eventCases = (sql: PgClient.PgClient): Cases => {
  /** Creates an event for this user only, with a unique `type`. */
  const seed = (as: Who) => {
    const type = `walk_events.of_${as.tenant}_${numberOf(as)}`
    return Effect.map(
      sql<{ id: string }>`insert into core.event (type, source, tenant_id, user_id, data)
        values (${type}, 'test', ${as.tenant}, ${numberOf(as)}, ${sql.json({ mark: as.mark })}) returning xid || '-' || id as id`,
      ([row]) => ({ id: row!.id, type })
    )
  }
  return {
    "GET /api/v1/events": list({
      seed,
      never: { id: "18446744073709551615-1", type: "walk_events.never" },
      personal: true,
      request: () => ({ query: { limit: 200, pattern: "walk_events.*", since, until } }),
      success: 200,
      freeText: ["query.pattern"],
      shows: ({ json }) => json.items.map((item: { id: string }) => item.id),
      by: "id",
      naming: ({ id, type }) => [
        { before: id },
        { before: id, limit: 1, pattern: "walk_events.*" },
        { pattern: type },
        { pattern: type, before: id }
      ]
    }),
    "GET /api/v1/events/histogram": own("counts of what the caller may see", {
      seed,
      personal: true,
      request: () => ({ query: { pattern: "walk_events.*", since, until, buckets: 2 } }),
      success: 200,
      freeText: ["query.pattern"],
      wrong: ({ json }, { type }) => {
        const types = [...new Set(json.buckets.flatMap(({ counts }: { counts: object }) => Object.keys(counts)))]
        return types.length === 1 && types[0] === type ? undefined : `counts ${types.join(", ")}`
      }
    })
  }
}
