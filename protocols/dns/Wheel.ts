/**
 * Many deadlines of which hardly any comes: a wheel of short lists that one timer turns. Node's own timers cost as much
 * as half a question each.
 */

/** Unit: milliseconds. Reason: deadlines are hundreds of them; late by one step is nothing. */
const step = 16

/** Unit: steps. Reason: 8 s, longer than a try waits; what is further away goes round again. */
const steps = 512

export interface Ticket<Item> {
  readonly at: number
  /** Undefined: called off. */
  item: Item | undefined
}

export class Wheel<Item> {
  readonly #late: (item: Item) => void
  readonly #slots: ReadonlyArray<Array<Ticket<Item>>> = Array.from({ length: steps }, () => [])
  #count = 0
  /** The step that was turned to last. */
  #turned = 0
  #timer: NodeJS.Timeout | undefined

  /** `late`: called for each item at its time or a step later. */
  constructor(late: (item: Item) => void) {
    this.#late = late
  }

  /** `at`: milliseconds of performance.now(). */
  set(at: number, item: Item): Ticket<Item> {
    const ticket = { at, item }
    if (this.#timer === undefined) {
      this.#turned = Math.floor(performance.now() / step)
      this.#timer = setInterval(() => this.#turn(), step)
    }
    this.#put(ticket)
    return ticket
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    for (const slot of this.#slots) slot.length = 0
    this.#count = 0
  }

  #put(ticket: Ticket<Item>): void {
    const wanted = Math.floor(ticket.at / step) + 1
    const at = Math.min(Math.max(wanted, this.#turned + 1), this.#turned + steps - 1)
    this.#slots[at % steps]!.push(ticket)
    this.#count++
  }

  #turn(): void {
    const now = performance.now()
    const to = Math.floor(now / step)
    // After a long stop each list is due once.
    for (let at = Math.max(this.#turned + 1, to - steps + 1); at <= to; at++) {
      this.#turned = at
      const slot = this.#slots[at % steps]!
      if (slot.length === 0) continue
      const due = slot.splice(0)
      this.#count -= due.length
      for (const ticket of due) {
        if (ticket.item === undefined) continue
        if (ticket.at > now) this.#put(ticket)
        else this.#late(ticket.item)
      }
    }
    if (this.#count === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }
}
