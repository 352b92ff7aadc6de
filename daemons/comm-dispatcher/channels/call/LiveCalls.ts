/**
 * Calls of the ledger that may still be going on at the switch: those of a process that was killed, or that lost the call
 * lock. Whoever has the lock waits for them before it dials.
 */
import { Clock, Duration, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { EventSocket } from "#protocols/event-socket/EventSocket.ts"
import { attemptIdOf } from "../../AttemptId.ts"

/** Unit: minutes. Reason: an attempt waits for its turn, then rings and speaks; no call of ours lives longer. */
const youngerThan = 30

/** Unit: targets. Reason: as many as can be under way in a fleet; each is asked after once a second. */
const most = 50

/** Channel ids of the calls that are under way, or of unknown end. One that is only waiting for its turn has no channel yet. */
export const liveAttempts: Effect.Effect<ReadonlyArray<string>, SqlError.SqlError, SqlClient.SqlClient> =
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ key: string; begun: number }>`select idempotency_key::text as key, (record->>'begun')::int as begun
      from comm_dispatcher.target
      where channel = 'call' and state in ('attempting', 'uncertain') and updated_at > now() - make_interval(mins => ${youngerThan}::int)
      order by updated_at desc limit ${most}::int`
    // The attempt before may be the one that is still heard: its process died, and the next one was claimed.
    return rows.flatMap(({ begun, key }) => [begun, begun - 1].filter((number) => number > 0).map((number) => attemptIdOf(key, number)))
  })

/** Between two looks. */
const lookEvery = Duration.seconds(1)

/** Waits until none of these channels exists, at most until `until` (epoch milliseconds). Answers those that still do. */
export const waitUntilGone = (uuids: ReadonlyArray<string>, until: number): Effect.Effect<ReadonlyArray<string>, never, EventSocket> =>
  Effect.gen(function*() {
    const socket = yield* EventSocket
    let left = uuids
    while (true) {
      left = yield* Effect.filter(left, (uuid) =>
        Effect.map(socket.api(`uuid_exists ${uuid}`), (answer) => answer.trim() === "true").pipe(
          // Not known is not gone; but a switch that cannot be asked cannot dial either, and says so itself.
          Effect.catch(() => Effect.succeed(false))
        ))
      if (left.length === 0 || (yield* Clock.currentTimeMillis) >= until) return left
      yield* Effect.sleep(lookEvery)
    }
  })
