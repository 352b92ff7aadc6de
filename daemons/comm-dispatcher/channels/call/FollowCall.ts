/**
 * Follows one call to its end by its channel's events and the result of the dialling job, across lost connections to
 * the switch. Ends a call that was acknowledged. CallVerdict interprets the result.
 */
import { Clock, Duration, Effect, Queue } from "effect"
import { type ChannelEvent, EventSocket } from "#protocols/event-socket/EventSocket.ts"
import { type CallItem, type CallProgress, fold } from "./CallProgress.ts"
import { isAcknowledged } from "./CallVerdict.ts"

export interface Followed {
  readonly uuid: string
  readonly from: CallProgress
  readonly acknowledgement: boolean
  /** Time limit, epoch milliseconds; the switch ends the call well before. */
  readonly until: number
  /** Interval of checks whether a silent call still exists. Default `quietBound`. */
  readonly quiet?: Duration.Duration | undefined
}

/**
 * A call is silent while its message plays. Without this check a call whose last events were missed would be awaited in
 * vain.
 */
export const quietBound = Duration.seconds(30)

/** Wait after the end for events sent before it. Reason: a real switch sends all within 20 ms, in any order. */
const settling = Duration.millis(100)

/** Wait after CHANNEL_HANGUP_COMPLETE for the remaining events. */
const ending = Duration.seconds(1)

/** Interval of queries about a call while the switch does not answer. */
const askAgain = Duration.millis(500)

/** The state once the call is over or gone, or at `until`. */
export const follow = (
  items: Queue.Dequeue<CallItem>,
  call: Followed
): Effect.Effect<CallProgress, never, EventSocket> =>
  Effect.gen(function* () {
    let progress = call.from
    let lost = false
    while (true) {
      const left = call.until - (yield* Clock.currentTimeMillis)
      if (left <= 0) {
        yield* hangUp(call.uuid)
        return yield* over(items, progress)
      }
      const patience = waitFor(progress, lost) ?? call.quiet ?? quietBound
      const item = yield* Effect.timeoutOption(Queue.take(items), Duration.min(patience, Duration.millis(left)))
      if (item._tag === "Some") {
        progress = fold(progress, item.value)
        if (item.value._tag === "Lost") lost = true
        if (item.value._tag === "Back") lost = false
        if (isAcknowledged(progress, call)) {
          if (progress.ended) return progress
          yield* hangUp(call.uuid)
          return yield* over(items, progress)
        }
        if (item.value._tag !== "Back") continue
      } else if (progress.ended || progress.job?.cause !== undefined) return progress
      // After silence or a reconnect, the final events may have been missed.
      if (!lost && (yield* exists(call.uuid)) === false) {
        progress = { ...progress, gap: true }
        return yield* drained(items, progress)
      }
    }
  })

/** Time after which no more events follow; undefined while the call continues. */
const waitFor = (progress: CallProgress, lost: boolean): Duration.Duration | undefined => {
  if (progress.job?.cause !== undefined || (progress.destroyed && (progress.answered || progress.gap))) return settling
  if (progress.ended) return ending
  return lost ? ending : undefined
}

/** A call that was hung up lasts for another moment, in which the next call must not begin. */
const over = (items: Queue.Dequeue<CallItem>, progress: CallProgress): Effect.Effect<CallProgress> =>
  Effect.gen(function* () {
    let known = progress
    const end = Effect.gen(function* () {
      while (!known.ended) known = fold(known, yield* Queue.take(items))
    })
    yield* Effect.timeoutOption(end, ending)
    return known
  })

const drained = (items: Queue.Dequeue<CallItem>, progress: CallProgress): Effect.Effect<CallProgress> =>
  Effect.gen(function* () {
    let known = progress
    while (true) {
      const item = yield* Effect.timeoutOption(Queue.take(items), settling)
      if (item._tag === "None") return known
      known = fold(known, item.value)
    }
  })

/** Whether the switch has the channel; undefined when it does not answer. */
export const exists = (uuid: string): Effect.Effect<boolean | undefined, never, EventSocket> =>
  Effect.flatMap(EventSocket, (socket) => socket.api(`uuid_exists ${uuid}`)).pipe(
    Effect.map((answer): boolean | undefined => (answer === "true" ? true : answer === "false" ? false : undefined)),
    Effect.catch(() => Effect.succeed(undefined))
  )

/** Whether the switch has the channel; asks repeatedly until the switch answers or the time is over. */
export const existsWithin = (
  uuid: string,
  atMost: Duration.Duration
): Effect.Effect<boolean | undefined, never, EventSocket> =>
  Effect.gen(function* () {
    while (true) {
      const answer = yield* exists(uuid)
      if (answer !== undefined) return answer
      yield* Effect.sleep(askAgain)
    }
  }).pipe(Effect.timeoutOrElse({ duration: atMost, orElse: () => Effect.succeed(undefined) }))

/** Hangs up normally. Without effect on a call that is over, or while the switch is away. */
const hangUp = (uuid: string): Effect.Effect<void, never, EventSocket> =>
  Effect.flatMap(EventSocket, (socket) => socket.api(`uuid_kill ${uuid} NORMAL_CLEARING`)).pipe(Effect.ignore)

/** A queue of the call's items, fed by its channel's events from now on; other fibers may add items. */
export const itemsOf = (uuid: string) =>
  Effect.gen(function* () {
    const socket = yield* EventSocket
    const items = yield* Queue.unbounded<CallItem>()
    const events: Queue.Dequeue<ChannelEvent> = yield* socket.events(uuid)
    // Ends with the scope, and with the queue that it reads.
    yield* Effect.forkScoped(
      Effect.ignore(Effect.forever(Effect.flatMap(Queue.take(events), (event) => Queue.offer(items, event))))
    )
    return items
  })
