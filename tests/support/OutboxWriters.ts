/**
 * Concurrent writers of numbered `probe.told` events. Their transactions commit out of order, and one in ten rolls
 * back.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Fiber, Latch, type Scope } from "effect"
import type { Random } from "./Random.ts"
import { within } from "./Within.ts"

export interface OutboxWriters {
  /** Opens a transaction that has written an event. The returned effect ends it. */
  readonly keepOpen: Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
  /** Stops the writers. Returns the sorted numbers of all committed events. */
  readonly end: Effect.Effect<ReadonlyArray<number>>
}

/** Longest time a transaction stays open, and longest pause of a writer after it. Unit: milliseconds. */
const mostHeld = 60
const mostPause = 150

/** Longest time of a test's own transaction. Unit: seconds. Reason: the machine may be loaded. */
const patience = 20

export const startWriters = Effect.fnUntraced(function* (sql: PgClient.PgClient, count: number, random: Random) {
  let next = 0
  let writing = true
  const committed: Array<number> = []
  const insert = (n: number) =>
    sql`with e as (insert into core.event (type, source, tenant_id, data) values ('probe.told', 'test', 7, jsonb_build_object('n', ${n}::int)) returning 1)
      select pg_notify('signalbox', 'event') from (select count(*) from e) c`

  const write = Effect.gen(function* () {
    const numbers = Array.from({ length: 1 + Math.floor(random.next() * 3) }, () => next++)
    const ends = random.next() < 0.9
    const transaction = sql.withTransaction(
      Effect.gen(function* () {
        for (const n of numbers) {
          yield* insert(n)
          yield* Effect.sleep((random.next() * mostHeld) / numbers.length)
        }
        if (!ends) return yield* Effect.fail("rolled back" as const)
      })
    )
    yield* transaction.pipe(
      Effect.andThen(Effect.sync(() => void committed.push(...numbers))),
      Effect.catchIf(
        (error) => error === "rolled back",
        () => Effect.void
      )
    )
    yield* Effect.sleep(random.next() * mostPause)
  })
  // The scope, not the calling fiber, owns the writers. They end before their connections close.
  const writer = Effect.orDie(Effect.whileLoop({ while: () => writing, body: () => write, step: () => undefined }))
  const writings = yield* Effect.forkScoped(
    Effect.all(
      Array.from({ length: count }, () => writer),
      { concurrency: "unbounded" }
    )
  )

  const keepOpen = Effect.gen(function* () {
    const n = next++
    const open = yield* Latch.make()
    const release = yield* Latch.make()
    const kept = yield* Effect.forkScoped(
      Effect.orDie(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* insert(n)
            yield* open.open
            yield* release.await
          })
        )
      )
    )
    yield* within(patience, "a transaction has written", open.await)
    return Effect.gen(function* () {
      yield* release.open
      yield* within(patience, "the transaction that was kept open ends", Fiber.join(kept))
      committed.push(n)
    })
  })

  const end = Effect.gen(function* () {
    writing = false
    yield* within(patience, "the writers end", Fiber.join(writings))
    return committed.toSorted((a, b) => a - b)
  })
  return { keepOpen, end } satisfies OutboxWriters
})
