/**
 * How fast one mailbox at a stranger's server may write events. Pure but for its own count. Such a server can make up news for ever; what goes
 * beyond waits, nothing of it is left out.
 */

/** Events and transactions at once. Reason: what came to a busy mailbox while nobody watched. */
export const eventBurst = 10_000

/** Unit: events and transactions a second, after that. Reason: far above any person's mail, and of little weight beside everybody else's. */
export const eventsPerSecond = 5

export class EventRateLimiter {
  #left = eventBurst
  #at: number

  /** Times: milliseconds since 1970. */
  constructor(now: number) {
    this.#at = now
  }

  /** Takes so many; answers how long to wait before they are written. Unit: milliseconds. */
  take(count: number, now: number): number {
    this.#left = Math.min(eventBurst, this.#left + (Math.max(0, now - this.#at) / 1000) * eventsPerSecond) - count
    this.#at = now
    return this.#left >= 0 ? 0 : (-this.#left / eventsPerSecond) * 1000
  }
}
