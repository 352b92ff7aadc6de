/**
 * Adapter for IONOS, which has only single records. It groups them into sets and writes record by record, where
 * possible without a moment in which the name has no answer. A repeated write continues one that broke off.
 */
import { Effect, type Redacted } from "effect"
import type { Exchange } from "#protocols/http/Exchange.ts"
import * as Api from "#protocols/ionos-dns/IonosDns.ts"
import type { IonosDnsError } from "#protocols/ionos-dns/IonosDnsError.ts"
import type { Account } from "./AccountLimits.ts"
import { type Adapter, ProviderError } from "./Adapter.ts"
import { withTimeLimit } from "./Calls.ts"
import * as Calls from "./Calls.ts"
import { asciiName, canonical } from "./Contents.ts"
import { between, type Change, changesOf, entriesAt, setOf } from "./IonosChanges.ts"
import { contentOf } from "./IonosContents.ts"
import type { CallLimits } from "./CallLimits.ts"
import { decide } from "./SetDecision.ts"
import { isProviders, newContentProblem, setProblem } from "./SetProblem.ts"
import { fullName, nameInZone } from "../../record-sets/ZoneNames.ts"

const title = "IONOS"

export interface IonosAccount {
  readonly prefix: string
  readonly secret: Redacted.Redacted
  readonly url?: string
}

export const make = (account: IonosAccount, exchange: Exchange, shared: Account, callLimits: CallLimits): Adapter => {
  const api = Api.make({ ...account, exchange })
  const calls = Calls.make(shared.rate, callLimits)
  const call = <A>(effect: Effect.Effect<A, IonosDnsError>) => Effect.mapError(calls(effect), providerError)

  const zones = call(api.zones).pipe(
    Effect.map((all) => all.map(({ id, name }) => ({ id, name: asciiName(name) }))),
    (effect) => withTimeLimit(effect, callLimits.list, title)
  )

  const make = (zone: string, { full, type }: { readonly full: string; readonly type: string }, change: Change) => {
    switch (change._tag) {
      case "Update":
        return call(api.update(zone, change.id, change.change))
      case "Create":
        return call(
          api.create(
            zone,
            change.changes.map((entry) => ({ name: full, type, ...entry }))
          )
        )
      case "Remove":
        // A record that is gone already needs no removal.
        return calls(api.remove(zone, change.id)).pipe(
          Effect.catch((error) => (isGone(error) ? Effect.void : Effect.fail(providerError(error))))
        )
    }
  }

  return {
    test: Effect.map(zones, (all) => ({ zones: all.length })),
    zones,
    read: (zone) =>
      call(api.zone(zone.id)).pipe(
        Effect.map(({ records }) => {
          const groups = Map.groupBy(records, ({ name, type }) => `${type} ${asciiName(name)}`)
          return [...groups.values()].flatMap((entries) => {
            const { name: full, type } = entries[0]!
            const name = nameInZone(asciiName(full), zone.name)
            return name === undefined || isProviders(type, name) ? [] : (setOf(name, type, entries) ?? [])
          })
        }),
        (effect) => withTimeLimit(effect, callLimits.operation, title)
      ),
    write: (zone, place, before, after) =>
      Effect.gen(function* () {
        const problem = setProblem(zone, place, after)
        if (problem !== undefined) return yield* failed("invalid", problem)
        // Reads the whole zone, because IONOS does not document how its filters treat wildcards and non-ASCII names.
        const held = yield* call(api.zone(zone.id))
        const full = fullName(place.name, zone.name)
        const entries = entriesAt(held.records, full, place.type)
        const decision = decide(
          setOf(place.name, place.type, entries),
          before,
          after,
          between(place.type, before, after)
        )
        const changes = changesOf(place.type, entries, after)
        if (decision === "done" && changes.length === 0) return
        if (decision === "conflict")
          return yield* failed("conflict", `${place.type} at ${place.name} has changed since the plan was made`)
        if (held.type === "SLAVE")
          return yield* failed(
            "read_only",
            `${zone.name} is a copy of a zone on another server and cannot be changed here`
          )
        const there = new Set(entries.map(contentOf))
        const contentsProblem = newContentProblem(
          place,
          after?.contents.map((content) => canonical(place.type, content)).filter((content) => !there.has(content)) ??
            []
        )
        if (contentsProblem !== undefined) return yield* failed("invalid", contentsProblem)
        for (const change of changes) yield* make(zone.id, { full, type: place.type }, change)
      }).pipe(shared.inZone(zone.id), (effect) => withTimeLimit(effect, callLimits.operation, title))
  }
}

const failed = (reason: ProviderError["reason"], detail: string, retryAfter: number | null = null) =>
  new ProviderError({ reason, detail: `${title}: ${detail}`, retryAfter })

const isGone = (error: IonosDnsError | ProviderError): error is IonosDnsError =>
  !(error instanceof ProviderError) && error.reason._tag === "Refused" && error.reason.code === "RECORD_NOT_FOUND"

/** Converts a client error. */
const providerError = (error: IonosDnsError | ProviderError): ProviderError => {
  if (error instanceof ProviderError) return error
  const detail = error.message
  switch (error.reason._tag) {
    case "Refused":
      return failed(reasonOf(error.reason), detail)
    case "RateLimited":
      return failed("rate_limited", detail, error.retryAfter ?? null)
    default:
      return failed("unavailable", detail, error.retryAfter ?? null)
  }
}

const reasonOf = ({ code, status }: { readonly code: string; readonly status: number }): ProviderError["reason"] => {
  if (status === 401) return "unauthorized"
  // The key is valid but lacks this permission.
  if (status === 403) return "read_only"
  // The record existed when it was read.
  if (code === "RECORD_NOT_FOUND" || status === 409) return "conflict"
  return status === 404 ? "zone_not_found" : "invalid"
}
