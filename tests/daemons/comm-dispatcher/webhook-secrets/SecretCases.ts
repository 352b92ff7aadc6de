/** Walk cases of the endpoints for webhook secrets. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { type Cases, list, thing, type Who } from "#support/walk/Case.ts"

const path = "/api/v1/comm/webhook-secrets"
const never = { id: 0x7fff_fff0 }

export const secretCases = (sql: PgClient.PgClient): Cases => {
  /** Creates a secret of this tenant. */
  const seed = (as: Who) =>
    Effect.map(
      sql<{ id: number }>`insert into comm_dispatcher.webhook_secret (tenant_id, secret)
        values (${as.tenant}, 'sealed') returning id`,
      ([row]) => ({ id: row!.id })
    )
  return {
    [`GET ${path}`]: list({
      seed,
      never,
      request: () => ({}),
      success: 200,
      shows: ({ json }) => json.items.map((item: { id: number }) => item.id),
      by: "id",
      naming: () => [{ tenant_id: 1 }]
    }),
    [`POST ${path}`]: thing({
      seed,
      never,
      namesNothing: "a secret is made for the caller's tenant",
      request: () => ({ body: { overlap_hours: 1 } }),
      success: 201
    }),
    [`DELETE ${path}/{id}`]: thing({ seed, never, request: ({ id }) => ({ path: { id } }), success: 204 })
  }
}
