import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { type AuditFilter, statement } from "#daemons/identity/audit-log/Store.ts"
import { type Management, managementSuite } from "../ManagementSuite.ts"

/** Number of rows, so many that a scan would show in the pages read. */
const many = 60_000

class Suite extends Context.Service<Suite, Management & { readonly rare: number }>()("test/Suite") {
  static readonly layer = Layer.effect(
    Suite,
    Effect.gen(function* () {
      const suite = yield* managementSuite()
      const rare = yield* suite.tenant()
      // Nearly all rows are of one kind. A few rows of rare kinds are the oldest, so a list from the newest reaches
      // them last.
      yield* suite.sql`insert into core.audit (tenant_id, at, actor, action, entity_type, entity_id)
      select case when n % 3000 = 1 then ${rare}::int else 1 end, now() - interval '300 days' + n * interval '1 minute',
             case when n < 5 then 'user:77' else 'user:' || n % 3 end, case when n < 5 then 'rarity.seen' else 'session.opened' end,
             case when n < 5 then 'rarity' else 'session' end, n::text
        from generate_series(1, ${many}::int) n`
      yield* suite.sql`analyze core.audit`
      return { ...suite, rare }
    })
  )
}

/**
 * Largest number of 8 KiB pages that one page of the list may read. The table has about 900, its indexes as many again.
 */
const aPage = 250

interface Plan {
  readonly "Node Type": string
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
  readonly Plans?: ReadonlyArray<Plan>
}

const nodes = (plan: Plan): string => [plan["Node Type"], ...(plan.Plans ?? []).map(nodes)].join(" < ")

layer(Suite.layer, { excludeTestServices: true })("the audit log", (it) => {
  it.effect(
    "the cost of a page does not grow with the log, for any filter, tenant or platform",
    () =>
      Effect.gen(function* () {
        const { rare, sql } = yield* Suite
        const filters: ReadonlyArray<AuditFilter> = [
          {},
          { before: many / 2 },
          { actor: "user:77" },
          { actor: "user:1" },
          { actor: "user:nobody" },
          { action: "rarity.*" },
          { action: "rarity.seen" },
          { action: "session.*", before: many / 2 },
          { action: "never.*" },
          { entity_type: "rarity" },
          { entity_type: "nothing" },
          { entity_type: "session", entity_id: "17" },
          { since: new Date(Date.now() - 3600_000) },
          { action: "rarity.*", until: new Date(Date.now() - 200 * 86_400_000) }
        ]
        const planOf = (filter: AuditFilter) =>
          Effect.gen(function* () {
            const own = yield* SqlClient.SqlClient
            const asked = statement(own, filter, 51)
            const [row] = yield* own<{
              "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }>
            }>`explain (analyze, buffers, format json) ${asked as never}`
            return row!["QUERY PLAN"][0]!.Plan
          })
        const dear: Array<string> = []
        for (const filter of filters) {
          for (const [who, run] of [
            ["platform", planOf(filter)],
            ["provider", tenantTransaction(1, planOf(filter))],
            ["rare", tenantTransaction(rare, planOf(filter))]
          ] as const) {
            const plan = yield* Effect.provideService(run, SqlClient.SqlClient, sql)
            const pages = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
            if (pages > aPage) dear.push(`${who} ${JSON.stringify(filter)}: ${pages} pages by ${nodes(plan)}`)
          }
        }
        expect(dear).toEqual([])
      }),
    120_000
  )
})
