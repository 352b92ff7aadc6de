/**
 * What is known of all addresses under one rule, within bounds. Pure but for its own maps; tells nobody of a ban.
 *
 * When there is no room, the address that has been quiet longest is forgotten. Those that are banned have a room of
 * their own: many strangers cannot push them out and have them banned anew. What is forgotten costs a few more tries,
 * or the same ban said again.
 */
import { type BanRule, decide, fresh, type BanRecord } from "./BanDecision.ts"

/**
 * Addresses that are counted, and as many again that are banned. Reason: with 19 times each, measured, 35 MB together.
 */
export const maxAddresses = 50_000

export class BanBook {
  readonly #rule: BanRule
  readonly #room: number
  // Both in the order of the last offence that counted: a Map keeps it.
  readonly #counting = new Map<string, BanRecord>()
  readonly #banned = new Map<string, BanRecord>()

  constructor(rule: BanRule, room = maxAddresses) {
    this.#rule = rule
    this.#room = room
  }

  /**
   * Until when the address is to be banned now; undefined when it is not, or is already. All times: milliseconds since
   * 1970.
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

  /** Addresses kept. */
  get size(): number {
    return this.#counting.size + this.#banned.size
  }
}
