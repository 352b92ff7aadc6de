/**
 * Token bucket that limits the events of one mailbox at a foreign server. A hostile server could invent messages
 * without end. Excess events wait; none is dropped.
 */

/** Bucket size. Unit: events and transactions. Reason: covers the mail of a busy mailbox after a long absence. */
export const eventBurst = 10_000

/** Refill rate. Unit: events and transactions per second. Reason: far above any person's mail, and little load. */
export const eventsPerSecond = 5

export class EventRateLimiter {
  #left = eventBurst
  #at: number

  /** Times are in milliseconds since 1970. */
  constructor(now: number) {
    this.#at = now
  }

  /** Takes `count` tokens and returns the wait before the events may be written. Unit: milliseconds. */
  take(count: number, now: number): number {
    this.#left = Math.min(eventBurst, this.#left + (Math.max(0, now - this.#at) / 1000) * eventsPerSecond) - count
    this.#at = now
    return this.#left >= 0 ? 0 : (-this.#left / eventsPerSecond) * 1000
  }
}
