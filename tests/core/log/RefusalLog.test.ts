import { expect, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as RefusalLog from "#core/log/RefusalLog.ts"
import { format } from "#core/metrics/Metrics.ts"
import { inFrame } from "#support/Frame.ts"

interface Row {
  readonly address: string | null
  readonly entity_id: string
  readonly detail: Record<string, any>
}

/** Refusals of daemon `test` so far, in this process. */
const countOf = (kind: string): number =>
  Number(
    new RegExp(`^signalbox_refusals_total\\{daemon="test",kind="${kind}"\\} (\\d+)$`, "m").exec(format())?.[1] ?? 0
  )

/** A log with its counter, its current rows, and an effect that stops it. */
const started = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const scope = yield* Scope.make()
  const log = yield* Scope.provide(RefusalLog.make("test"), scope)
  const rows = sql<Row>`select address, entity_id, detail from core.audit where action = 'refused.test' order by id`
  return { log, rows, sql, stop: Scope.close(scope, Exit.void), counted: Effect.sync(() => countOf("test")) }
})

const refusal = { kind: "test", address: "192.0.2.1", entity: "user", id: "1", detail: { reason: "wrong" } }

it.live("writes the first refusal at once and sums the others up, at the latest at the stop", () =>
  inFrame(
    Effect.gen(function* () {
      const { counted, log, rows, stop } = yield* started
      const before = yield* counted
      for (let n = 0; n < 500; n++) yield* log.tell(refusal)
      yield* log.tell({ ...refusal, id: "2" })
      log.count("test")
      expect((yield* rows).map(({ detail, entity_id }) => [entity_id, detail])).toEqual([
        ["1", { reason: "wrong" }],
        ["2", { reason: "wrong" }]
      ])
      yield* stop
      expect((yield* rows).slice(2)).toEqual([
        { address: "192.0.2.1", entity_id: "1", detail: { reason: "wrong", repeated: 499 } }
      ])
      expect((yield* counted) - before).toBe(502)
    })
  )
)

it.live("a flood from many addresses writes a limited number of rows, with its size", () =>
  inFrame(
    Effect.gen(function* () {
      const { log, rows, stop } = yield* started
      // All addresses of one /64 network count as one client.
      for (let n = 1; n <= 50; n++) yield* log.tell({ kind: "test", address: `2001:db8::${n.toString(16)}` })
      for (let n = 0; n < 300; n++) yield* log.tell({ kind: "test", address: `10.0.${n >> 8}.${n & 255}` })
      expect((yield* rows).length).toBe(RefusalLog.maxEntries)
      yield* stop
      const sums = (yield* rows).slice(RefusalLog.maxEntries)
      expect(sums.map(({ address, detail }) => [address, detail["repeated"]])).toEqual([
        ["2001:db8::1", 49],
        [null, 300 - (RefusalLog.maxEntries - 1)]
      ])
    })
  )
)

it.live("an unwritten refusal is no failure, and is included in the next sum", () =>
  inFrame(
    Effect.gen(function* () {
      const { log, rows, sql, stop } = yield* started
      yield* sql`alter table core.audit rename to away`
      yield* log.tell(refusal)
      yield* log.tell(refusal)
      yield* sql`alter table core.away rename to audit`
      yield* stop
      expect((yield* rows).map(({ detail }) => detail["repeated"])).toEqual([2])
    })
  )
)

it.live("counts each kind separately", () =>
  inFrame(
    Effect.gen(function* () {
      const log = yield* RefusalLog.make("test")
      const before = [countOf("a"), countOf("b")]
      for (const kind of ["a", "b", "a"]) log.count(kind)
      expect([countOf("a"), countOf("b")]).toEqual([before[0]! + 2, before[1]! + 1])
    })
  )
)
