/**
 * The connection to Redis, in a module of its own: the library is loaded only where Redis is used, since it makes
 * strings slow (StringMethods).
 */
import { Redis } from "ioredis"
import { quickenStrings } from "./StringMethods.ts"

quickenStrings()

/** How long a command may take. Unit: milliseconds. */
const commandTimeout = 1000

/** Begins to connect, and again whenever the connection is lost; until then each command fails at once. */
export const connect = (url: string): Redis => {
  const client = new Redis(url, {
    commandTimeout,
    connectTimeout: 5000,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    keyPrefix: "signalbox:",
    retryStrategy: (tries) => Math.min(tries * 200, 5000)
  })
  // Reported by the commands that fail; without a listener the client would print by itself.
  client.on("error", () => {})
  return client
}
