/** Rate limit and write order per account, shared by all its users in this process. */
import type { Policy } from "#core/limits/TokenBucket.ts"
import { Effect, Semaphore } from "effect"
import { memory } from "#core/lane/Remembering.ts"
import * as RateLimit from "./RateLimit.ts"

export interface Account {
  readonly rate: RateLimit.RateLimit
  /** Runs operations on one zone one after the other, so that a set cannot change between its read and its write. */
  readonly inZone: (zone: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Remembered accounts. Reason: bounds memory; a forgotten account starts with a full burst. */
const maxAccounts = 10_000

export const make = (): ((key: string, rate: Policy) => Account) => {
  const accounts = memory<string, Account>(maxAccounts)
  return (key, rate) => {
    const held = accounts.get(key)
    if (held !== undefined) return held
    const made = { rate: RateLimit.make(rate), inZone: zoneOrder() }
    accounts.set(key, made)
    return made
  }
}

const zoneOrder = (): Account["inZone"] => {
  const zones = new Map<string, { readonly turn: Semaphore.Semaphore; users: number }>()
  return (zone) => (effect) =>
    Effect.suspend(() => {
      const order = zones.get(zone) ?? { turn: Semaphore.makeUnsafe(1), users: 0 }
      zones.set(zone, order)
      order.users++
      return Effect.ensuring(
        order.turn.withPermit(effect),
        Effect.sync(() => {
          if (--order.users === 0) zones.delete(zone)
        })
      )
    })
}
