/** The site with data of both tenants. B listens to events while A's data is made. */
import { Context, Effect, Layer } from "effect"
import type { EventClient } from "#support/EventClient.ts"
import { untilWithin } from "#support/Within.ts"
import { listening } from "./Listening.ts"
import { type OwnData, ownData } from "./OwnData.ts"
import { rowsOf, type TenantRows, type Values, valuesOf } from "./Rows.ts"
import { Site } from "./Site.ts"

export class Furnished extends Context.Service<
  Furnished,
  {
    readonly ofA: OwnData
    readonly ofB: OwnData
    /** Values of A after its data was made. */
    readonly values: Values
    /** Rows of B before and after A's data was made. */
    readonly before: TenantRows
    readonly after: TenantRows
    readonly socketOfA: EventClient
    readonly socketOfB: EventClient
  }
>()("test/hostile/Furnished") {
  static readonly layer = Layer.effect(
    Furnished,
    Effect.gen(function* () {
      const site = yield* Site
      const { a, b, suite } = site
      const ofB = yield* ownData(site, b)
      const socketOfA = yield* listening(site, a)
      const socketOfB = yield* listening(site, b)
      // The work on B's own batch goes on after the answer to its request, and changes rows of B.
      yield* untilWithin(
        30,
        "B's batch has ended",
        Effect.map(
          suite.sql`select 1 from bank_fetcher.batch
            where tenant_id = ${b.tenant} and state in ('waiting', 'running')`,
          (open) => open.length === 0
        )
      )
      const before = yield* rowsOf(suite.sql, b.tenant)
      const ofA = yield* ownData(site, a)
      const after = yield* rowsOf(suite.sql, b.tenant)
      const values = valuesOf(yield* rowsOf(suite.sql, a.tenant), a.tenant)
      return { ofA, ofB, values, before, after, socketOfA, socketOfB }
    })
  )
}
