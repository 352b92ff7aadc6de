/**
 * Calls of the ledger that may still be going on at the switch: those of a process that was killed, or that lost the call
 * lock. Whoever has the lock waits for them before it dials.
 */
import { Clock, Duration, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { EventSocket } from "#protocols/event-socket/EventSocket.ts"
import { existsWithin } from "./FollowCall.ts"
import { attemptIdOf } from "../Channels.ts"

export interface LiveAttempt {
  /** Of its channel. */
  readonly uuid: string
  /** Until then its channel may come to be though the switch does not know it yet. Epoch milliseconds. */
  readonly mayBegin: number
}

/** Unit: minutes. Reason: an attempt waits for its turn, then rings and speaks; no call of ours lives longer. */
const youngerThan = 30

/** Unit: targets. Reason: as many as can be under way in a fleet; each is asked after once a second. */
const most = 50

/** Unit: milliseconds. Reason: from the ledger to the channel lie a statement and a command; what takes longer is a process that stands still. */
const beginsWithin = 2_000

/** The calls that are under way, or of unknown end. One that is only waiting for its turn has no channel yet. */
export const liveAttempts: Effect.Effect<
  ReadonlyArray<LiveAttempt>,
  SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    key: string
    begun: number
    age: number
  }>`select idempotency_key::text as key, (record->>'begun')::int as begun,
        case state when 'attempting' then extract(epoch from clock_timestamp() - updated_at)::float8 * 1000 else ${beginsWithin}::float8 end as age
      from comm_dispatcher.target
      where channel = 'call' and state in ('attempting', 'uncertain') and updated_at > now() - make_interval(mins => ${youngerThan}::int)
      order by updated_at desc limit ${most}::int`
  const now = yield* Clock.currentTimeMillis
  // The attempt before may be the one that is still heard: its process died, and the next one was claimed.
  return rows.flatMap(({ age, begun, key }) => [
    { uuid: attemptIdOf(key, begun), mayBegin: now + beginsWithin - age },
    ...(begun > 1 ? [{ uuid: attemptIdOf(key, begun - 1), mayBegin: 0 }] : [])
  ])
})

/** Between two looks. */
const lookEvery = Duration.seconds(1)

/** How long a switch that does not answer is asked again. Reason: a connection is back within a second of the switch. */
const switchPatience = Duration.seconds(3)

/** Waits until none of these goes on or may begin, at most until `until` (epoch milliseconds). Answers those that still do. */
export const waitUntilGone = (
  attempts: ReadonlyArray<LiveAttempt>,
  until: number
): Effect.Effect<ReadonlyArray<LiveAttempt>, never, EventSocket> =>
  Effect.gen(function* () {
    let left = attempts
    while (true) {
      const looked = yield* Clock.currentTimeMillis
      left = yield* Effect.filter(
        left,
        ({ mayBegin, uuid }) =>
          // Not known is not gone; but a switch that cannot be asked cannot dial either, and says so itself.
          Effect.map(
            existsWithin(uuid, switchPatience),
            (exists) => exists === true || (exists === false && looked < mayBegin)
          ),
        { concurrency: "unbounded" }
      )
      if (left.length === 0 || (yield* Clock.currentTimeMillis) >= until) return left
      yield* Effect.sleep(lookEvery)
    }
  })
