/**
 * Adapter for a PowerDNS server, which replaces a set in one transaction. Disabled records are not part of a set and
 * stay.
 */
import { Effect, type Redacted } from "effect"
import type { Content, ZoneWithSets } from "#protocols/powerdns/Answer.ts"
import type { Exchange } from "#protocols/http/Exchange.ts"
import * as Api from "#protocols/powerdns/PowerDns.ts"
import type { PowerDnsError } from "#protocols/powerdns/PowerDnsError.ts"
import type { Account } from "./AccountLimits.ts"
import { type Adapter, ProviderError } from "./Adapter.ts"
import { withTimeLimit } from "./Calls.ts"
import * as Calls from "./Calls.ts"
import { asciiName, canonical, fromZoneFile, toZoneFile } from "./Contents.ts"
import type { CallLimits } from "./CallLimits.ts"
import { decide } from "./SetDecision.ts"
import { isProviders, newContentProblem, setProblem } from "./SetProblem.ts"
import { fullName, nameInZone } from "../../record-sets/ZoneNames.ts"
import type { RecordSet } from "../../record-sets/RecordSet.ts"

const title = "PowerDNS"

/**
 * TTL of a new set without one, because the interface has no zone default. Unit: seconds. Source: PowerDNS,
 * default-ttl.
 */
export const defaultTtl = 3_600

/** Kinds of zones that are copied from another server. */
const secondary = new Set(["Slave", "Secondary", "Consumer"])

export interface PowerDnsAccount {
  readonly url: string
  readonly key: Redacted.Redacted
  readonly serverId?: string
}

export const make = (
  account: PowerDnsAccount,
  exchange: Exchange,
  shared: Account,
  callLimits: CallLimits
): Adapter => {
  const api = Api.make({ ...account, exchange })
  const calls = Calls.make(shared.rate, callLimits)
  const call = <A>(effect: Effect.Effect<A, PowerDnsError>) => Effect.mapError(calls(effect), providerError)

  const zones = call(api.zones).pipe(
    Effect.map((all) => all.map(({ id, name }) => ({ id, name: asciiName(name) }))),
    (effect) => withTimeLimit(effect, callLimits.list, title)
  )

  return {
    test: Effect.map(zones, (all) => ({ zones: all.length })),
    zones,
    read: (zone) =>
      call(api.zone(zone.id)).pipe(
        Effect.map((held) =>
          held.rrsets.flatMap(({ name: full, type }) => {
            const name = nameInZone(asciiName(full), zone.name)
            const set =
              name === undefined || isProviders(type, name) ? null : setAt(held, zone.name, { name, type }).set
            return set ?? []
          })
        ),
        (effect) => withTimeLimit(effect, callLimits.operation, title)
      ),
    write: (zone, place, before, after) =>
      Effect.gen(function* () {
        const problem = setProblem(zone, place, after)
        if (problem !== undefined) return yield* invalid(problem)
        const held = yield* call(api.zone(zone.id))
        const { enabled, disabled, set } = setAt(held, zone.name, place)
        const decision = decide(set, before, after)
        if (decision === "done") return
        if (decision === "conflict") return yield* changed(place)
        if (secondary.has(held.kind ?? "")) return yield* readOnly(zone.name)
        const wanted = [...new Set(after?.contents.map((content) => canonical(place.type, content)) ?? [])]
        const kept = wanted.map((content) => ({ content, written: enabled.get(content) }))
        const contentsProblem = newContentProblem(
          place,
          kept.flatMap(({ content, written }) => (written === undefined ? [content] : []))
        )
        if (contentsProblem !== undefined) return yield* invalid(contentsProblem)
        // PowerDNS refuses duplicates, so a disabled record that is wanted is enabled instead.
        const stays = disabled.filter(({ content }) => !wanted.includes(fromZoneFile(place.type, content, zone.name)))
        const records = [
          ...kept.map(
            ({ content, written }) => written ?? { content: toZoneFile(place.type, content), disabled: false }
          ),
          ...stays
        ]
        const change = {
          name: `${fullName(place.name, zone.name)}.`,
          type: place.type,
          ttl: after?.ttl ?? set?.ttl ?? defaultTtl
        }
        yield* call(api.change(zone.id, [{ ...change, records: records.length === 0 ? null : records }]))
      }).pipe(shared.inZone(zone.id), (effect) => withTimeLimit(effect, callLimits.operation, title))
  }
}

/** The enabled records of a set in our form, and all its records in PowerDNS's form. */
const setAt = (held: ZoneWithSets, zone: string, { name, type }: { readonly name: string; readonly type: string }) => {
  const full = fullName(name, zone)
  const found = held.rrsets.find((set) => set.type === type && asciiName(set.name) === full)
  const records = found?.records ?? []
  const enabled = new Map<string, Content>(
    records
      .filter(({ disabled }) => disabled !== true)
      .map((record) => [fromZoneFile(type, record.content, zone), record])
  )
  const set: RecordSet | null =
    enabled.size === 0 ? null : { name, type, ttl: found?.ttl ?? null, contents: [...enabled.keys()] }
  return { enabled, disabled: records.filter(({ disabled }) => disabled === true), set }
}

const failed = (reason: ProviderError["reason"], detail: string, retryAfter: number | null = null) =>
  new ProviderError({ reason, detail: `${title}: ${detail}`, retryAfter })

const invalid = (detail: string) => failed("invalid", detail)
const changed = ({ name, type }: { readonly name: string; readonly type: string }) =>
  failed("conflict", `${type} at ${name} has changed since the plan was made`)
const readOnly = (zone: string) =>
  failed("read_only", `${zone} is a copy of a zone on another server and cannot be changed here`)

/** Converts a client error. */
const providerError = (error: PowerDnsError | ProviderError): ProviderError => {
  if (error instanceof ProviderError) return error
  const detail = error.message
  switch (error.reason._tag) {
    case "Unauthorized":
      return failed("unauthorized", detail)
    case "NotFound":
      return failed("zone_not_found", detail)
    case "Refused":
      return failed("invalid", detail)
    case "RateLimited":
      return failed("rate_limited", detail, error.retryAfter ?? null)
    default:
      return failed("unavailable", detail, error.retryAfter ?? null)
  }
}
