/**
 * Token buckets per client. Time is an argument, and the table is the only state. The table is bounded: the client seen
 * longest ago is removed first, and starts again with a full bucket.
 */
import { clientKey } from "../http/ClientKey.ts"

/** Maximum number of buckets. Reason: about 10 MB, and far more than the clients of a small provider at one time. */
export const maxBuckets = 50_000

export interface RateLimit {
  /**
   * Takes one token of the client at `now` (milliseconds). Returns 0, or the whole seconds until a token is available.
   */
  readonly take: (address: string, now: number) => number
  readonly size: () => number
}

/** Creates the limit: `rate` tokens per second are added, up to `burst`. */
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
