/** Writers of events `probe.told`, numbered: their transactions end out of order, and one in ten not at all. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Fiber, Latch, type Scope } from "effect"
import type { Random } from "./Random.ts"
import { within } from "./Within.ts"

export interface OutboxWriters {
  /** A transaction that has written and stays open, until the answered effect ends it. */
  readonly keepOpen: Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
  /** Lets the writers end; answers the numbers of all events that were committed, in order. */
  readonly end: Effect.Effect<ReadonlyArray<number>>
}

/** How long a transaction stays open at most, and how long its writer then waits. Unit: milliseconds. */
const mostHeld = 60
const mostPause = 150

/** How long a transaction of ours may take. Unit: seconds. Reason: a busy machine. */
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
  // Of the scope, and not of the calling fiber: they end before the connections they hold are closed.
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
