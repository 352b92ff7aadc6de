/**
 * Sends a returning client the events that it missed, read from the table at the client's own pace. The hub decides
 * when the client joins the live events.
 */
import { Effect, Semaphore } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as EventFeed from "#core/events/EventFeed.ts"
import type { Connection } from "./Connection.ts"
import { eventFrame } from "./Frames.ts"

/** Events per read. Unit: rows. */
const page = 200

/** Unsent data at which the next event waits. Unit: bytes. */
const mayBeUnsent = 256 * 1024

/** Time limit of that wait. Unit: milliseconds. */
const patience = 10_000

/** Interval of checks during that wait. Unit: milliseconds. */
const look = 20

/**
 * Maximum number of concurrent catch-ups. Reason: after a restart all clients return at once, and alarms need the
 * connection pool, too.
 */
const atOnce = 1

/** Sends `connection` the events after `from`. Returns the position reached; undefined when the client has left. */
export type CatchUp = (
  connection: Connection,
  from: EventFeed.Position,
  /** The hub has sent newer events meanwhile, so the client continues to catch up. */
  wasOvertaken?: "overtaken"
) => Effect.Effect<EventFeed.Position | undefined, SqlError.SqlError, SqlClient.SqlClient>

/** One per hub. */
export const make: Effect.Effect<CatchUp> = Effect.sync(() => {
  const turns = Semaphore.makeUnsafe(atOnce)
  /** A separate turn for overtaken clients; at the end of the queue they would be overtaken again. */
  const overtaken = Semaphore.makeUnsafe(atOnce)
  return Effect.fnUntraced(function* (connection, start, wasOvertaken) {
    const turn = wasOvertaken === undefined ? turns : overtaken
    let from = start
    while (!connection.closed) {
      // A client that left while it waited is skipped.
      const read = yield* turn.withPermit(
        Effect.suspend(() =>
          connection.closed ? Effect.undefined : EventFeed.forOne(connection.audience ?? null, from, page)
        )
      )
      if (read === undefined) return
      for (const event of read.events) {
        if (!connection.asksFor(event)) continue
        yield* room(connection)
        connection.give(eventFrame(event))
      }
      from = read.upto
      if (!read.more) break
    }
    return connection.closed ? undefined : from
  })
})

/** Waits until the client has taken most of its data; closes a client that does not. */
const room = Effect.fnUntraced(function* (connection: Connection) {
  const deadline = performance.now() + patience
  while (connection.unsent > mayBeUnsent && !connection.closed) {
    if (performance.now() > deadline) return connection.close("slow")
    yield* Effect.sleep(look)
  }
})
