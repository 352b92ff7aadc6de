/**
 * A client that comes back is told from the table what it missed, at the pace at which it reads, until it stands where the table ends.
 * Decides nothing about when it is let in with those who listen.
 */
import { Effect, Semaphore } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as EventFeed from "#core/events/EventFeed.ts"
import type { Connection } from "./Connection.ts"
import { eventFrame } from "./Frames.ts"

/** Events that one reading brings. Unit: rows. */
const page = 200

/** What it may have unsent when the next event is handed to it. Unit: bytes. */
const mayBeUnsent = 256 * 1024

/** How long it may take until it has room for the next event. Unit: milliseconds. */
const patience = 10_000

/** Between two looks whether it has room. Unit: milliseconds. */
const look = 20

/** Clients for whom is read at once. Reason: all of them come back together after a restart, and alarms need the pool, too. */
const atOnce = 1

/** Tells `connection` what lies behind `from`; answers where it stands then, or undefined when it has left meanwhile. */
export type CatchUp = (
  connection: Connection,
  from: EventFeed.Position,
  /** Events went out while it caught up, so that it has to go on. */
  wasOvertaken?: "overtaken"
) => Effect.Effect<EventFeed.Position | undefined, SqlError.SqlError, SqlClient.SqlClient>

/** For all clients of one hub. */
export const make: Effect.Effect<CatchUp> = Effect.sync(() => {
  const turns = Semaphore.makeUnsafe(atOnce)
  /** A turn of their own for those who were overtaken while they caught up: at the end of the line they would be again. */
  const overtaken = Semaphore.makeUnsafe(atOnce)
  return Effect.fnUntraced(function* (connection, start, wasOvertaken) {
    const turn = wasOvertaken === undefined ? turns : overtaken
    let from = start
    while (!connection.closed) {
      // Whoever has left while it waited for its turn is not read for.
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

/** Waits until it has taken most of what it was given; one that does not is closed. */
const room = Effect.fnUntraced(function* (connection: Connection) {
  const deadline = performance.now() + patience
  while (connection.unsent > mayBeUnsent && !connection.closed) {
    if (performance.now() > deadline) return connection.close("slow")
    yield* Effect.sleep(look)
  }
})
