/**
 * Connection to Redis. A separate module, because loading the library slows down string methods (see StringMethods.ts),
 * so it is loaded only where Redis is used.
 */
import { Redis } from "ioredis"
import { quickenStrings } from "./StringMethods.ts"

quickenStrings()

/** How long one command may take. Unit: milliseconds. */
const commandTimeout = 1000

/** Connects in the background and reconnects after a loss; until then each command fails at once. */
export const connect = (url: string): Redis => {
  const client = new Redis(url, {
    commandTimeout,
    connectTimeout: 5000,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    keyPrefix: "signalbox:",
    retryStrategy: (tries) => Math.min(tries * 200, 5000)
  })
  // Failed commands report their errors; without a listener the client would print them.
  client.on("error", () => {})
  return client
}
