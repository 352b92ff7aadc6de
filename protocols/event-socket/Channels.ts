/**
 * Who listens to which channel. Each listener has a bounded queue of its own, so a slow one neither holds up the socket, which must
 * always be drained, nor the others. Opens nothing.
 */
import { Effect, Queue, type Scope } from "effect"
import type { ChannelEvent } from "./EventSocket.ts"
import type { SwitchEvent } from "./SwitchEvent.ts"

/**
 * Items kept for a listener that does not take them; beyond that the oldest go. Reason: a call has about 25 events, and its last ones
 * carry the sum of it; only a callee who presses keys for minutes comes near.
 */
export const maxBuffered = 512

export class Channels {
  readonly #listeners = new Map<string, Set<Queue.Queue<ChannelEvent>>>()
  #up = false

  listen(uuid: string): Effect.Effect<Queue.Dequeue<ChannelEvent>, never, Scope.Scope> {
    const key = uuid.toLowerCase()
    return Effect.acquireRelease(
      Effect.map(Queue.sliding<ChannelEvent>(maxBuffered), (queue) => {
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
    const uuid = event.headers["Unique-ID"]?.toLowerCase()
    if (uuid === undefined) return
    for (const queue of this.#listeners.get(uuid) ?? []) {
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
