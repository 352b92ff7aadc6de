/** What all users of one account within this process share: its pace, and the order of those who change a zone. */
import { Effect, Semaphore } from "effect"
import { memory } from "#core/lane/Remembering.ts"
import * as RateLimit from "./RateLimit.ts"

export interface Account {
  readonly rate: RateLimit.RateLimit
  /** One at a time and zone, in the order in which they come: what one reads, nobody changes before it has written. */
  readonly inZone: (zone: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Unit: accounts. Reason: bounds the memory; one that is forgotten begins with a fresh burst. */
const maxAccounts = 10_000

export const make = (): ((key: string, rate: RateLimit.Rate) => Account) => {
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
