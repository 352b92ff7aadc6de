// Helpers shared by the tests of provider adapters.

import { Effect, Exit, Result, Scope } from "effect"
import { afterAll, assert } from "vitest"
import type { Adapter, ProviderError } from "#daemons/dns-verifier/providers/adapters/Adapter.ts"
import { type Site, zoneNamed } from "./Sites.ts"
import type { RecordSet, Zone } from "#daemons/dns-verifier/record-sets/RecordSet.ts"

export const set = (
  type: string,
  name: string,
  contents: ReadonlyArray<string>,
  ttl: number | null = 300
): RecordSet => ({ type, name, contents, ttl })

export const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)

/** Error of the effect; fails the test when the effect succeeds. */
export const refusal = async (effect: Effect.Effect<unknown, ProviderError>): Promise<ProviderError> => {
  const result = await Effect.runPromise(Effect.result(effect))
  assert(Result.isFailure(result), "was not refused")
  return result.failure
}

/** Writes a record set at the name and type of `after`, or of `before` for a removal. */
export const write = (adapter: Adapter, zone: Zone, before: RecordSet | null, after: RecordSet | null) =>
  adapter.write(zone, (after ?? before)!, before, after)

let zones = 0
/** Creates a zone with an unused name. */
export const freshZone = async (site: Site): Promise<Zone> => {
  const name = `zone${++zones}.test`
  await site.makeZone(name)
  return run(zoneNamed(site.adapter, name))
}

/** Runs effects with a scope that lasts until the end of the file, or of the enclosing `describe`. */
export const lasting = (): (<A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Promise<A>) => {
  const scope = Scope.makeUnsafe()
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return (effect) => Effect.runPromise(Scope.provide(effect, scope))
}
