// What tests of adapters say again and again.

import { Effect, Exit, Result, Scope } from "effect"
import { afterAll, assert } from "vitest"
import type { Adapter, ProviderError, RecordSet, Zone } from "#daemons/dns-verifier/providers/Adapter.ts"
import { type Site, zoneNamed } from "./Sites.ts"

export const set = (
  type: string,
  name: string,
  contents: ReadonlyArray<string>,
  ttl: number | null = 300
): RecordSet => ({ type, name, contents, ttl })

export const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)

/** Why it was refused; fails when it was not. */
export const refusal = async (effect: Effect.Effect<unknown, ProviderError>): Promise<ProviderError> => {
  const result = await Effect.runPromise(Effect.result(effect))
  assert(Result.isFailure(result), "was not refused")
  return result.failure
}

/** At the place of either. */
export const write = (adapter: Adapter, zone: Zone, before: RecordSet | null, after: RecordSet | null) =>
  adapter.write(zone, (after ?? before)!, before, after)

let zones = 0
/** A zone that is nobody else's. */
export const freshZone = async (site: Site): Promise<Zone> => {
  const name = `zone${++zones}.test`
  await site.makeZone(name)
  return run(zoneNamed(site.adapter, name))
}

/** Runs what lives until the end of the file (or of the `describe` that this is called in). */
export const lasting = (): (<A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Promise<A>) => {
  const scope = Scope.makeUnsafe()
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return (effect) => Effect.runPromise(Scope.provide(effect, scope))
}
