/**
 * Calls in the ledger that may still be under way at the switch: calls of a process that was killed, or that lost the
 * call lock. The holder of the lock waits for them before it dials.
 */
import { Clock, Duration, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { EventSocket } from "#protocols/event-socket/EventSocket.ts"
import { existsWithin } from "./FollowCall.ts"
import { attemptIdOf } from "../Channels.ts"

export interface LiveAttempt {
  /** The channel's uuid. */
  readonly uuid: string
  /** Time until which the channel may still appear in the switch. Epoch milliseconds. */
  readonly mayBegin: number
}

/** Age up to which attempts are considered. Unit: minutes. Reason: no call attempt lasts longer, waiting included. */
const youngerThan = 30

/**
 * Maximum number of attempts considered. Reason: as many as a fleet can have at once; the switch is asked about each
 * once a second.
 */
const most = 50

/**
 * Time within which a begun attempt gets its channel. Unit: milliseconds. Reason: only one statement and one command
 * lie between; a longer gap means a stalled process.
 */
const beginsWithin = 2_000

/** Calls under way or of unknown outcome. A call that waits for its turn has no channel yet. */
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
        case state when 'attempting' then extract(epoch from clock_timestamp() - updated_at)::float8 * 1000
          else ${beginsWithin}::float8 end as age
      from comm_dispatcher.target
      where channel = 'call' and state in ('attempting', 'uncertain')
        and updated_at > now() - make_interval(mins => ${youngerThan}::int)
      order by updated_at desc limit ${most}::int`
  const now = yield* Clock.currentTimeMillis
  // The call under way may belong to the previous attempt, whose process died.
  return rows.flatMap(({ age, begun, key }) => [
    { uuid: attemptIdOf(key, begun), mayBegin: now + beginsWithin - age },
    ...(begun > 1 ? [{ uuid: attemptIdOf(key, begun - 1), mayBegin: 0 }] : [])
  ])
})

/** Interval of checks. */
const lookEvery = Duration.seconds(1)

/** How long a switch that does not answer is queried. Reason: a connection is back within a second of the switch. */
const switchPatience = Duration.seconds(3)

/**
 * Waits until none of these calls is or may come under way, at most until `until` (epoch milliseconds). Returns the
 * rest.
 */
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
          // Unknown does not mean gone. A switch that cannot be queried cannot dial either.
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
