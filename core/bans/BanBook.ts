/**
 * Tracks the offences of all addresses under one rule, in bounded memory. Publishes no bans.
 *
 * When full, it forgets the address whose last offence is oldest. Banned addresses have separate space, so that a flood
 * of other addresses cannot displace them. A forgotten address gains a few more attempts, or its ban is announced a
 * second time.
 *
 * The library rate-limiter-flexible 11.4.0 does not limit the number of addresses in memory. It has 6,000 lines, this
 * file and BanDecision.ts have 100.
 */
import { type BanRule, decide, fresh, type BanRecord } from "./BanDecision.ts"

/**
 * Maximum number of counted addresses, and of banned addresses. Reason: with 19 times each, measured, 35 MB in total.
 */
export const maxAddresses = 50_000

export class BanBook {
  readonly #rule: BanRule
  readonly #room: number
  // Both maps are ordered by the last counted offence, because a Map keeps insertion order.
  readonly #counting = new Map<string, BanRecord>()
  readonly #banned = new Map<string, BanRecord>()

  constructor(rule: BanRule, room = maxAddresses) {
    this.#rule = rule
    this.#room = room
  }

  /**
   * Records an offence. Returns the end of a new ban; undefined when the address is not banned or is banned already.
   * Times are epoch milliseconds.
   */
  offend(address: string, at: number): number | undefined {
    const known = this.#banned.get(address) ?? this.#counting.get(address) ?? fresh
    const { bannedUntil, record } = decide(known, at, this.#rule)
    if (record === known) return undefined
    this.#banned.delete(address)
    this.#counting.delete(address)
    const shelf = record._tag === "Banned" ? this.#banned : this.#counting
    shelf.set(address, record)
    if (shelf.size > this.#room) shelf.delete(shelf.keys().next().value!)
    return bannedUntil
  }

  /** Number of stored addresses. */
  get size(): number {
    return this.#counting.size + this.#banned.size
  }
}
