/** Concurrent requests: a lock holds them, then releases them together. */
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { until } from "#support/Frame.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { as, callsOf, password, startAdmin } from "./Admin.ts"

/** Runs the calls while every domain row is locked. Releases the lock when all calls wait. */
const together = <A>({ sql }: TestSuite, calls: ReadonlyArray<Effect.Effect<A>>) =>
  Effect.gen(function* () {
    const [held, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const holder = yield* Effect.forkChild(
      sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`select 1 from mail_admin.domain for update`
          yield* Deferred.succeed(held, undefined)
          yield* Deferred.await(go)
        })
      )
    )
    yield* Deferred.await(held)
    const asked = yield* Effect.forkChild(Effect.all(calls, { concurrency: "unbounded" }))
    const waiting = sql<{
      count: number
    }>`select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    yield* until(
      "all of them wait",
      Effect.map(waiting, ([row]) => row!.count === calls.length)
    )
    yield* Deferred.succeed(go, undefined)
    yield* Fiber.join(holder)
    return yield* Fiber.join(asked)
  })

const statuses = (answers: ReadonlyArray<{ readonly status: number }>) => answers.map(({ status }) => status).toSorted()

it.live("parallel requests for one address create one mailbox or one alias", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startAdmin()
      const { domain, post } = callsOf(suite, as(7))
      const { id } = yield* domain("a.test")
      const mailbox = (local_part: string) => post(`domains/${id}/accounts`, { local_part, password })
      expect(statuses(yield* together(suite, [mailbox("ann"), mailbox("ann")]))).toEqual([201, 409])
      const alias = post(`domains/${id}/aliases`, { source: "bob", destination: "ann@a.test" })
      expect(statuses(yield* together(suite, [mailbox("bob"), alias]))).toEqual([201, 409])
    })
  )
)

it.live("a user who gets two mailboxes at the same time has one default mailbox", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startAdmin()
      const { domain, post } = callsOf(suite, as(7))
      const domains = [yield* domain("a.test"), yield* domain("b.test")]
      for (const user_id of [70, 71, 72]) {
        const made = yield* together(
          suite,
          domains.map(({ id }) => post(`domains/${id}/accounts`, { local_part: `ann${user_id}`, password, user_id }))
        )
        expect(statuses(made)).toEqual([201, 201])
        expect(made.filter(({ json }) => json.is_default)).toHaveLength(1)
      }
    })
  )
)
