/**
 * Timer wheel for many deadlines that rarely expire: one interval timer walks a ring of short lists. One Node timer per
 * query would cost half as much time as the query itself.
 */

/** Length of a step. Unit: milliseconds. Reason: tries wait a second or more, so one step of delay does not matter. */
const step = 16

/** Number of lists. Reason: 512 steps are 8 s, longer than one try waits; later deadlines go round more than once. */
const steps = 512

export interface Ticket<Item> {
  readonly at: number
  /** Undefined when cancelled. */
  item: Item | undefined
}

export class Wheel<Item> {
  readonly #late: (item: Item) => void
  readonly #slots: ReadonlyArray<Array<Ticket<Item>>> = Array.from({ length: steps }, () => [])
  #count = 0
  /** Last step that was processed. */
  #turned = 0
  #timer: NodeJS.Timeout | undefined

  /** `late`: called for each item at its deadline or up to one step later. */
  constructor(late: (item: Item) => void) {
    this.#late = late
  }

  /** Adds an item with a deadline. `at`: milliseconds of performance.now(). */
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
    // After a long pause of the process each list is processed once.
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
