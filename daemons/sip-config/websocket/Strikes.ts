/** Counts what addresses did wrong within five minutes. Time comes in as an argument; bounded, the address seen longest ago is forgotten first. */
import { clientKey } from "#core/http/ClientKey.ts"

/** Unit: milliseconds. Source: interface document 3 §2.6, "5 failures in 5 min". */
export const window = 5 * 60_000

/** Source: the same. */
export const most = 5

/** Addresses remembered. Unit: addresses. Reason: about 2 MB. */
const maxAddresses = 10_000

export class Strikes {
  readonly #seen = new Map<string, ReadonlyArray<number>>()

  /** Counts one at `now` (milliseconds); answers how many there are when that is enough to be told, and then begins anew. */
  strike(address: string, now: number): number | undefined {
    const key = clientKey(address)
    const recent = [...(this.#seen.get(key) ?? []).filter((at) => now - at < window), now]
    this.#seen.delete(key)
    if (recent.length >= most) return recent.length
    if (this.#seen.size >= maxAddresses) this.#seen.delete(this.#seen.keys().next().value!)
    this.#seen.set(key, recent)
    return undefined
  }
}
