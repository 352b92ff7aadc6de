/** Limits concurrent checks; others wait in a queue. Needs no fibers. */
import { Effect } from "effect"

export class LookSlots {
  #free: number
  #line: Array<(() => void) | undefined> = []
  #begun = 0
  #empty: (() => void) | undefined

  constructor(free: number) {
    this.#free = free
  }

  /** Calls `begin` with a slot: at once, or when those earlier in the queue have one. */
  enter(begin: () => void): void {
    if (this.#free === 0) return void this.#line.push(begin)
    this.#free--
    begin()
  }

  giveBack(): void {
    const next = this.#line[this.#begun]
    if (next === undefined) {
      this.#free++
      return
    }
    this.#line[this.#begun] = undefined
    if (++this.#begun === this.#line.length) {
      this.#line = []
      this.#begun = 0
      this.#empty?.()
      this.#empty = undefined
    }
    next()
  }

  /** Returns when the queue is empty. Supports one waiting caller. */
  readonly ready: Effect.Effect<void> = Effect.callback((resume) => {
    if (this.#line.length === 0) return resume(Effect.void)
    this.#empty = () => resume(Effect.void)
    return Effect.sync(() => {
      this.#empty = undefined
    })
  })
}
