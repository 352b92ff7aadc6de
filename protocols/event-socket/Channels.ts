/**
 * Distributes channel events to listeners. Each listener has its own bounded queue, so a slow listener delays neither
 * the other listeners nor the reading of the socket. Opens nothing.
 */
import { Effect, Queue, type Scope } from "effect"
import type { ChannelEvent } from "./EventSocket.ts"
import type { SwitchEvent } from "./SwitchEvent.ts"

/**
 * Longest queue of a listener; beyond that the oldest items are dropped. Reason: a call has about 25 events, and the
 * last ones hold its summary. Only a callee who presses keys for minutes causes this many.
 */
export const maxBuffered = 512

/** Longest queue of a listener to all channels. Reason: half a minute of a busy switch, about 30 MB. */
export const maxHeard = 10_000

/** Key for listeners to all channels; a Unique-ID is never empty. */
const all = ""

export class Channels {
  readonly #listeners = new Map<string, Set<Queue.Queue<ChannelEvent>>>()
  #up = false

  listen(uuid: string): Effect.Effect<Queue.Dequeue<ChannelEvent>, never, Scope.Scope> {
    return this.#listen(uuid.toLowerCase(), maxBuffered)
  }

  everything(): Effect.Effect<Queue.Dequeue<ChannelEvent>, never, Scope.Scope> {
    return this.#listen(all, maxHeard)
  }

  #listen(key: string, room: number): Effect.Effect<Queue.Dequeue<ChannelEvent>, never, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.map(Queue.sliding<ChannelEvent>(room), (queue) => {
        const listeners = this.#listeners.get(key) ?? new Set()
        this.#listeners.set(key, listeners.add(queue))
        if (!this.#up) Queue.offerUnsafe(queue, { _tag: "Lost" })
        return queue
      }),
      (queue) => {
        const listeners = this.#listeners.get(key)
        listeners?.delete(queue)
        if (listeners?.size === 0) this.#listeners.delete(key)
        return Queue.shutdown(queue)
      }
    )
  }

  hear(event: SwitchEvent): void {
    const uuid = event.headers["Unique-ID"]?.toLowerCase() ?? ""
    for (const key of uuid === all ? [all] : [uuid, all]) {
      for (const queue of this.#listeners.get(key) ?? [])
        Queue.offerUnsafe(queue, { _tag: "Event", name: event.name, uuid, headers: event.headers })
    }
  }

  back(): void {
    this.#up = true
    this.#tell({ _tag: "Back" })
  }

  lost(): void {
    if (!this.#up) return
    this.#up = false
    this.#tell({ _tag: "Lost" })
  }

  #tell(item: ChannelEvent): void {
    for (const listeners of this.#listeners.values()) for (const queue of listeners) Queue.offerUnsafe(queue, item)
  }
}
