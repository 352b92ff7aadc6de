/**
 * An in-memory DNS provider behind the adapter interface: one account with zones, and a script of failures. It refuses
 * what real providers refuse: a set that differs from `before`, a CNAME beside other records, an empty set. It speaks
 * no protocol; tests of the adapters use the doubles of this folder.
 */
import { Effect, Layer, type Redacted } from "effect"
import { type Adapter, ProviderError } from "#daemons/dns-verifier/providers/adapters/Adapter.ts"
import { Adapters } from "#daemons/dns-verifier/providers/Adapters.ts"
import type { RecordSet } from "#daemons/dns-verifier/record-sets/RecordSet.ts"

/** Failure of one call. `made`: the change is made despite the failure. */
export interface Mishap {
  readonly reason: ProviderError["reason"]
  readonly retryAfter?: number
  readonly made?: boolean
  /** Record type of the writes that fail; undefined: all. */
  readonly type?: string
}

export interface MemoryProvider {
  readonly layer: Layer.Layer<Adapters>
  /** Current sets of a zone. */
  readonly sets: (zone: string) => ReadonlyArray<RecordSet>
  /** Stores a set like another client; without contents removes it. */
  readonly put: (zone: string, type: string, name: string, ...contents: ReadonlyArray<string>) => void
  /** Failures of the next writes, in this order. */
  readonly mishaps: Array<Mishap>
  /** Failures of the next zone reads. */
  readonly readMishaps: Array<Mishap>
  /** All requested writes, as `A www`. */
  readonly writes: Array<string>
  readonly readings: () => number
  /** Runs before a write is checked, so that a test can change data at this moment. */
  onWrite: (place: string) => Effect.Effect<void>
}

export const make = (...zones: ReadonlyArray<string>): MemoryProvider => {
  const all = new Map<string, ReadonlyArray<RecordSet>>(zones.map((name) => [name, []]))
  let readings = 0
  const sets = (zone: string) => all.get(zone) ?? []
  const replaced = (zone: string, place: { readonly type: string; readonly name: string }, after: RecordSet | null) =>
    void all.set(zone, [
      ...sets(zone).filter(({ name, type }) => name !== place.name || type !== place.type),
      ...(after === null ? [] : [after])
    ])
  const failure = ({ reason, retryAfter }: Mishap) =>
    new ProviderError({ reason, detail: `told to: ${reason}`, retryAfter: retryAfter ?? null })
  const key = (set: RecordSet | null | undefined) => JSON.stringify([...(set?.contents ?? [])].toSorted())

  const adapter: Adapter = {
    test: Effect.succeed({ zones: zones.length }),
    zones: Effect.succeed(zones.map((name, id) => ({ id: String(id), name }))),
    read: (zone) =>
      Effect.suspend(() => {
        readings++
        const mishap = provider.readMishaps.shift()
        return mishap === undefined
          ? Effect.succeed(structuredClone(sets(zone.name)) as ReadonlyArray<RecordSet>)
          : Effect.fail(failure(mishap))
      }),
    write: (zone, place, before, after) =>
      Effect.gen(function* () {
        const at = `${place.type} ${place.name}`
        provider.writes.push(at)
        yield* provider.onWrite(at)
        const next = provider.mishaps[0]
        const mishap =
          next !== undefined && (next.type === undefined || next.type === place.type)
            ? provider.mishaps.shift()
            : undefined
        if (mishap !== undefined && mishap.made !== true) return yield* failure(mishap)
        const there = sets(zone.name).find(({ name, type }) => name === place.name && type === place.type)
        if (key(there) !== key(after) && key(there) !== key(before)) return yield* failure({ reason: "conflict" })
        if (after !== null && after.contents.length === 0) return yield* failure({ reason: "invalid" })
        const beside = sets(zone.name).some(
          ({ name, type }) => name === place.name && type !== place.type && (type === "CNAME" || place.type === "CNAME")
        )
        if (after !== null && beside) return yield* failure({ reason: "invalid" })
        replaced(zone.name, place, after === null ? null : { ...after, ttl: after.ttl ?? 3600 })
        if (mishap !== undefined) return yield* failure(mishap)
      })
  }
  const provider: MemoryProvider = {
    layer: Layer.succeed(
      Adapters,
      Adapters.of({ of: (_type: string, _credentials: Redacted.Redacted) => Effect.succeed(adapter) })
    ),
    sets,
    put: (zone, type, name, ...contents) =>
      replaced(zone, { type, name }, contents.length === 0 ? null : { type, name, ttl: 300, contents }),
    mishaps: [],
    readMishaps: [],
    writes: [],
    readings: () => readings,
    onWrite: () => Effect.void
  }
  return provider
}
