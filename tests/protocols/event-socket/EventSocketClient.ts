// A client of the switch for tests: one connection, closed with the test.

import { it } from "@effect/vitest"
import { Effect, Fiber, Redacted, type Scope } from "effect"
import { type ChannelEvent, EventSocket, type EventSocketOptions } from "#protocols/event-socket/EventSocket.ts"
import type { EventSocketError } from "#protocols/event-socket/EventSocketError.ts"
import * as Line from "#protocols/event-socket/Line.ts"

export const secret = "s3cret-pass word"
export const uuid = "0b5b1a0c-8f5e-4a63-9a5c-5ad5c9d7c3f1"
/** Far longer than any step takes. */
const patience = "20 seconds"

/** Runs with a client of the switch on that port. `keep` opens the connection. */
export const withClient = <A, E>(
  port: number,
  use: (socket: EventSocket["Service"]) => Effect.Effect<A, E, Scope.Scope>,
  options: Partial<EventSocketOptions> = {}
) =>
  Effect.flatMap(EventSocket, use).pipe(
    Effect.provide(Line.layer({ host: "127.0.0.1", port, password: Redacted.make(secret), ...options }))
  )

export const until = (condition: Effect.Effect<boolean>): Effect.Effect<void> =>
  Effect.flatMap(condition, (met) => (met ? Effect.void : Effect.delay(until(condition), "5 millis")))

/** Keeps the connection in the background. Returns when it is established. */
export const connect = Effect.fnUntraced(function* (socket: EventSocket["Service"]) {
  const keeping = yield* Effect.forkScoped(socket.keep)
  yield* until(socket.connected).pipe(Effect.raceFirst(Fiber.join(keeping)))
  return keeping
})

export const names = (items: ReadonlyArray<ChannelEvent>) =>
  items.map((item) => (item._tag === "Event" ? item.name : item._tag))
export const reasonOf = <A>(effect: Effect.Effect<A, EventSocketError>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)
export const originate = (number: string, app = "&park()") =>
  `originate {origination_uuid=${uuid},ignore_early_media=true}sofia/gateway/trunk/${number} ${app}`

export const live = (name: string, test: () => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.timeout(test(), patience)), 30_000)
