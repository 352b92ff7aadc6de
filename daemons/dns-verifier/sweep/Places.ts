/** So many at once, for one that waits: taken and given back without a fibre. */
import { Effect } from "effect"

export class Places {
  #free: number
  #waiting: (() => void) | undefined

  constructor(free: number) {
    this.#free = free
  }

  /** False: none is free; wait for one. */
  take(): boolean {
    if (this.#free === 0) return false
    this.#free--
    return true
  }

  /** Has taken one when it returns. */
  readonly wait: Effect.Effect<void> = Effect.callback((resume) => {
    if (this.take()) return resume(Effect.void)
    this.#waiting = () => resume(Effect.void)
    return Effect.sync(() => {
      this.#waiting = undefined
    })
  })

  giveBack(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting === undefined) this.#free++
    else waiting()
  }
}
