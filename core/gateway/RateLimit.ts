/**
 * A token bucket for each client. Pure but for its own table: time comes in as an argument. The table is bounded; the
 * client seen longest ago is forgotten first, and a forgotten client begins with a full bucket.
 */
import { clientKey } from "../http/ClientKey.ts"

/**
 * Clients remembered. Unit: buckets. Reason: about 10 MB at most, far above the clients of a small provider's second.
 */
export const maxBuckets = 50_000

export interface RateLimit {
  /**
   * Takes one token of the client's at `now` (milliseconds): 0, or the whole seconds after which there is one again.
   */
  readonly take: (address: string, now: number) => number
  readonly size: () => number
}

/** `rate` tokens a second flow in, up to `burst`. */
export const make = (options: {
  readonly rate: number
  readonly burst: number
  readonly maxBuckets?: number
}): RateLimit => {
  const { rate, burst } = options
  const bound = options.maxBuckets ?? maxBuckets
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    size: () => buckets.size,
    take: (address, now) => {
      const key = clientKey(address)
      const known = buckets.get(key)
      const bucket = known ?? { tokens: burst, at: now }
      if (known !== undefined) buckets.delete(key)
      else if (buckets.size >= bound) buckets.delete(buckets.keys().next().value!)
      buckets.set(key, bucket)
      // A clock set back must not take tokens away.
      bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * rate)
      bucket.at = now
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / rate))
      bucket.tokens -= 1
      return 0
    }
  }
}
