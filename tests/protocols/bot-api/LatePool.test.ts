import { afterEach, beforeEach, expect, it } from "vitest"
import { ClientNotLoaded, exchangeReason, latePool } from "#protocols/bot-api/Exchange.ts"
import * as Undici from "#protocols/bot-api/Undici.ts"

let unhandled: Array<unknown> = []
const note = (reason: unknown) => void unhandled.push(reason)
beforeEach(() => {
  unhandled = []
  process.on("unhandledRejection", note)
})
afterEach(() => void process.off("unhandledRejection", note))

/** Node reports unhandled rejections after the microtasks of a turn of the event loop. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

it("survives a client that cannot be loaded, says so to the caller, and loads it again for the next call", async () => {
  let missing = true
  let loads = 0
  const pool = latePool(1_000, () => {
    loads++
    return missing ? Promise.reject(new Error("Cannot find module")) : Promise.resolve(Undici)
  })
  await nextTurn()
  await nextTurn()
  expect(unhandled).toEqual([])
  const error = await pool().catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ClientNotLoaded)
  expect(exchangeReason(error)).toEqual({ _tag: "Unreachable", code: "HTTP client not loaded" })

  missing = false
  const made = await pool()
  expect(await pool()).toBe(made)
  expect(loads).toBe(3)
  await made.agent.close()
})
