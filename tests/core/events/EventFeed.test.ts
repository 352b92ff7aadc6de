/** The outbox for external readers: the events that the database returns to each reader. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import * as EventFeed from "#core/events/EventFeed.ts"
import { inFrame, until } from "#support/Frame.ts"

const begin = { xid: 0n, id: 0n }

const emit = (tenant: number | null, member: number | null, n: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`insert into core.event (type, source, tenant_id, user_id, data) values ('walk.one', 'test', ${tenant}, ${member}, jsonb_build_object('n', ${n}::int))`
  )

/** Waits until nothing is held back. Transactions of other tests on the same server also hold events back. */
const certain = until(
  "nothing is held back",
  Effect.map(EventFeed.slice(begin), ({ held }) => !held)
)

const numbers = (events: ReadonlyArray<EventFeed.FedEvent>) => events.map(({ data }) => JSON.parse(data).n as number)

it.live("a reader gets the events visible to its tenant and user, in pages", () =>
  inFrame(
    Effect.gen(function* () {
      yield* emit(7, null, 1)
      yield* emit(7, 70, 2)
      yield* emit(7, 71, 3)
      yield* emit(8, null, 4)
      yield* emit(null, null, 5)
      yield* emit(7, null, 6)
      yield* certain
      const reader = { tenantId: 7, userId: 70 }
      const first = yield* EventFeed.forOne(reader, begin, 2)
      expect([numbers(first.events), first.more]).toEqual([[1, 2], true])
      const second = yield* EventFeed.forOne(reader, first.upto, 2)
      expect([numbers(second.events), second.more]).toEqual([[6], false])
      expect(numbers((yield* EventFeed.forOne(reader, second.upto, 2)).events)).toEqual([])
      expect(numbers((yield* EventFeed.forOne(null, begin, 10)).events)).toEqual([1, 2, 3, 4, 5, 6])
    })
  )
)

it.live("a slice is read once for all listening tenants, and each gets its own events", () =>
  inFrame(
    Effect.gen(function* () {
      for (const [n, tenant] of [7, 8, 9, 7, null].entries()) yield* emit(tenant, null, n)
      yield* certain
      const slice = yield* EventFeed.slice(begin)
      expect({ tenants: slice.tenants.toSorted(), more: slice.more, empty: slice.empty }).toEqual({
        tenants: [7, 8, 9],
        more: false,
        empty: false
      })
      const events = yield* EventFeed.forTenants(slice, [7, 9])
      expect(events.map(({ data, tenantId }) => [tenantId, JSON.parse(data).n])).toEqual([
        [7, 0],
        [7, 3],
        [9, 2]
      ])
      expect(slice.events).toEqual([])
      const all = yield* EventFeed.slice(begin, true)
      expect(numbers(all.events)).toEqual([0, 1, 2, 3, 4])
      expect(all.events.map(({ tenantId }) => tenantId)).toEqual([7, 8, 9, 7, null])
      expect((yield* EventFeed.slice(slice.upto)).empty).toBe(true)
    })
  )
)

it.live("a full slice ends where the next begins", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // Transaction numbers with different digit counts; the later transaction has the lower event ids.
      yield* sql`insert into core.event (xid, type, source, tenant_id, data)
      select x::text::xid8, 'walk.one', 'test', 7, jsonb_build_object('n', x * 1000 + n) from unnest(array[100, 99]) x, generate_series(0, 399) n`
      const first = yield* EventFeed.slice(begin)
      expect(first.more).toBe(true)
      const second = yield* EventFeed.slice(first.upto)
      const read = [...(yield* EventFeed.forTenants(first, [7])), ...(yield* EventFeed.forTenants(second, [7]))]
      expect(numbers(read)).toEqual([99, 100].flatMap((x) => Array.from({ length: 400 }, (_, n) => x * 1000 + n)))
    })
  )
)

it.live("large data is read in parts, and a single event larger than a part is read as well", () =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into core.event (type, source, tenant_id, data)
      select 'walk.one', 'test', 7, jsonb_build_object('n', n, 'ballast', repeat('x', case n when 5 then 6000000 else 400000 end)) from generate_series(1, 30) n`
      yield* certain
      const slices: Array<number> = []
      const read: Array<EventFeed.FedEvent> = []
      for (let from: EventFeed.Position = begin, more = true; more;) {
        const slice = yield* EventFeed.slice(from)
        const events = yield* EventFeed.forTenants(slice, [7])
        slices.push(events.length)
        read.push(...events)
        ;({ more, upto: from } = slice)
      }
      expect(numbers(read)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1))
      // A slice ends after 4 MiB plus the event that exceeds it.
      expect(slices).toEqual([5, 11, 11, 3])
      const page = yield* EventFeed.forOne({ tenantId: 7, userId: 70 }, begin, 200)
      expect([numbers(page.events), page.more]).toEqual([[1, 2, 3], true])
      const next = yield* EventFeed.forOne({ tenantId: 7, userId: 70 }, page.upto, 200)
      expect([numbers(next.events), next.more]).toEqual([[4, 5], true])
    })
  )
)

it.live("a position beyond this database belongs to another database", () =>
  inFrame(
    Effect.gen(function* () {
      const here = yield* EventFeed.now
      expect(yield* EventFeed.isLost(here)).toBe(false)
      expect(yield* EventFeed.isLost({ xid: here.xid + 1_000_000n, id: 0n })).toBe(true)
    })
  )
)

it("a position decodes to its value, and other texts are refused", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (xid, id) => {
      expect(EventFeed.parsePosition(EventFeed.positionText({ xid, id }))).toEqual({ xid, id })
    })
  )
  for (const text of ["", "1", "1-", "-1", "1-2-3", "a-1", "99999999999999999999-1", "1-9999999999999999999", " 1-2"])
    expect(EventFeed.parsePosition(text)).toBeUndefined()
})
