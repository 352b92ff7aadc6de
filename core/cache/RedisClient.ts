/** Connection to Redis. A separate module, so the library is loaded only where Redis is used. */
import { createClient } from "redis"

/** How long one command may take. Unit: milliseconds. */
const commandTimeout = 1_000

/** How long one attempt to connect may take. Unit: milliseconds. */
const connectTimeout = 5_000

/** Longest pause between two attempts to connect. Unit: milliseconds. */
const longestPause = 5_000

/** What the cache asks of Redis. Each call fails at once without a connection, and after `commandTimeout`. */
export interface RedisClient {
  /** `lifetime`: milliseconds. */
  readonly set: (key: string, value: string, lifetime: number) => Promise<void>
  readonly get: (key: string) => Promise<string | null>
  readonly ping: () => Promise<void>
  readonly close: () => void
}

/**
 * Connects in the background and again after a loss. NodeRedis of @effect/platform-node is not used, because its layer
 * fails when Redis is away at the start, and it logs each attempt.
 */
export const connect = (url: string): RedisClient => {
  const client = createClient({
    url,
    keyPrefix: "signalbox:",
    disableOfflineQueue: true,
    commandOptions: { timeout: commandTimeout },
    socket: { connectTimeout, reconnectStrategy: (tries) => Math.min((tries + 1) * 200, longestPause) }
  })
  // Failed commands report their errors; without a listener a lost connection would end the process.
  client.on("error", () => {})
  client.connect().catch(() => {})
  return {
    set: async (key, value, lifetime) => {
      await client.set(key, value, { expiration: { type: "PX", value: lifetime } })
    },
    get: (key) => client.get(key),
    ping: async () => {
      await client.ping()
    },
    close: () => client.destroy()
  }
}
