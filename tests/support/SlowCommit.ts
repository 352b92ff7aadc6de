/** Makes the COMMIT of certain transactions slow, so that a test can interrupt the code that waits for it. */
import { Effect } from "effect"
import type { PgClient } from "@effect/sql-pg"
import { until } from "./Frame.ts"

/** Duration of a slow COMMIT. Unit: seconds. Reason: an abort reaches the server in this time on a busy machine. */
const commitTime = 3

/** Slows the COMMIT of updates of `table` for which the condition `when` on `old` and `new` holds. */
export const slowCommit = (sql: PgClient.PgClient, table: string, when: string) =>
  Effect.gen(function* () {
    yield* sql.unsafe(`create or replace function public.slow_commit() returns trigger language plpgsql as
      $$ begin perform pg_sleep(${commitTime}); return null; end $$`)
    yield* sql.unsafe(`create constraint trigger slow_commit after update on ${table} deferrable initially deferred
      for each row when (${when}) execute function public.slow_commit()`)
    return {
      /** Waits until a slow COMMIT is under way. */
      begun: until(
        "a COMMIT is under way",
        Effect.map(
          sql`select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
          ({ length }) => length > 0
        )
      ),
      /** Waits until no slow COMMIT is under way. */
      ended: until(
        "the COMMIT has ended",
        Effect.map(
          sql`select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
          ({ length }) => length === 0
        )
      ),
      remove: sql.unsafe(`drop trigger slow_commit on ${table}`)
    }
  })

/** Sends a request, runs `before`, and then disconnects without the answer. */
export const abandonedCall = <E, R>(url: string, init: RequestInit, before: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const abort = new AbortController()
    const answer = fetch(url, { ...init, signal: abort.signal }).then(
      () => "answered",
      () => "disconnected"
    )
    yield* before
    abort.abort()
    return yield* Effect.promise(() => answer)
  })
