/**
 * Adapter for Hetzner. A change is an asynchronous action; the adapter waits for its end. Comments of unchanged values
 * are kept. If another client changes the zone between read and write, the write starts again.
 */
import { Duration, Effect, type Redacted, Result } from "effect"
import type { Action, RecordSet as Written } from "#protocols/hetzner-dns/Answer.ts"
import type { Exchange } from "#protocols/http/Exchange.ts"
import * as Api from "#protocols/hetzner-dns/HetznerDns.ts"
import { HetznerDnsError } from "#protocols/hetzner-dns/HetznerDnsError.ts"
import * as Backoff from "#core/supervision/Backoff.ts"
import type { Account } from "./AccountLimits.ts"
import { type Adapter, ProviderError } from "./Adapter.ts"
import { withTimeLimit } from "./Calls.ts"
import * as Calls from "./Calls.ts"
import { asciiName, canonical, fromZoneFile, toZoneFile } from "./Contents.ts"
import type { CallLimits } from "./CallLimits.ts"
import { decide } from "./SetDecision.ts"
import { isProviders, newContentProblem, setProblem } from "./SetProblem.ts"
import type { RecordSet } from "../../record-sets/RecordSet.ts"

const title = "Hetzner"

type Place = Parameters<Adapter["write"]>[1]

export interface HetznerAccount {
  readonly token: Redacted.Redacted
  readonly url?: string
}

export const make = (account: HetznerAccount, exchange: Exchange, shared: Account, callLimits: CallLimits): Adapter => {
  const api = Api.make({ ...account, exchange })
  const calls = Calls.make(shared.rate, callLimits)
  const call = <A>(effect: Effect.Effect<A, HetznerDnsError>) => Effect.mapError(calls(effect), providerError)

  const zones = call(api.zones).pipe(
    Effect.map((all) => all.map(({ id, name }) => ({ id: String(id), name: asciiName(name) }))),
    (effect) => withTimeLimit(effect, callLimits.list, title)
  )

  /** Waits for the end of an accepted change. */
  const done = Effect.fnUntraced(function* (change: Effect.Effect<Action, HetznerDnsError | ProviderError>) {
    const begun = yield* change
    const ended =
      begun.status !== "running"
        ? begun
        : yield* Calls.until(
            Effect.map(calls(api.action(begun.id)), (action) => (action.status === "running" ? undefined : action)),
            callLimits.actionEvery,
            callLimits.actionWithin
          )
    if (ended === undefined)
      return yield* failed(
        "unavailable",
        `the change is not complete after ${Duration.toSeconds(callLimits.actionWithin)} s`
      )
    if (ended.status === "error") return yield* failed("action_failed", problemOf(ended))
  })

  const attempt = Effect.fnUntraced(function* (
    zone: { readonly id: string; readonly name: string },
    place: Place,
    before: RecordSet | null,
    after: RecordSet | null
  ) {
    const held = (yield* calls(api.sets(zone.id, place))).find(
      (set) => asciiName(set.name) === place.name && set.type === place.type
    )
    const values = new Map(held?.records.map((record) => [fromZoneFile(place.type, record.value, zone.name), record]))
    const current = held === undefined ? null : { ...place, ttl: held.ttl ?? null, contents: [...values.keys()] }
    const decision = decide(current, before, after)
    if (decision === "done") return
    if (decision === "conflict")
      return yield* failed("conflict", `${place.type} at ${place.name} has changed since the plan was made`)
    if (after === null) return yield* done(calls(api.remove(zone.id, place)))
    const wanted = [...new Set(after.contents.map((content) => canonical(place.type, content)))]
    const problem = newContentProblem(
      place,
      wanted.filter((content) => !values.has(content))
    )
    if (problem !== undefined) return yield* failed("invalid", problem)
    const records = wanted.map((content) => {
      const { comment = null, value } = values.get(content) ?? { value: toZoneFile(place.type, content) }
      return { value, ...(comment === null ? {} : { comment }) }
    })
    if (current === null) return yield* done(calls(api.create(zone.id, { ...place, ttl: after.ttl, records })))
    if (wanted.length !== current.contents.length || !wanted.every((content) => values.has(content)))
      yield* done(calls(api.setRecords(zone.id, place, records)))
    if (after.ttl !== null && after.ttl !== current.ttl) yield* done(calls(api.changeTtl(zone.id, place, after.ttl)))
  })

  return {
    test: Effect.map(zones, (all) => ({ zones: all.length })),
    zones,
    read: (zone) =>
      call(api.sets(zone.id)).pipe(
        Effect.map((sets) => sets.flatMap((set) => setOf(set, zone.name) ?? [])),
        (effect) => withTimeLimit(effect, callLimits.operation, title)
      ),
    write: (zone, place, before, after) =>
      Effect.gen(function* () {
        const problem = setProblem(zone, place, after)
        if (problem !== undefined) return yield* failed("invalid", problem)
        for (let tried = 1; ; tried++) {
          const result = yield* Effect.result(attempt(zone, place, before, after))
          if (Result.isSuccess(result)) return
          if (tried >= callLimits.tries || !(result.failure instanceof HetznerDnsError) || !isBusy(result.failure))
            return yield* providerError(result.failure)
          yield* Effect.sleep(Backoff.delay(callLimits.backoff, tried, 0.5))
        }
      }).pipe(shared.inZone(zone.id), (effect) => withTimeLimit(effect, callLimits.operation, title))
  }
}

const setOf = ({ name: written, records, ttl, type }: Written, zone: string): RecordSet | undefined => {
  const name = asciiName(written)
  if (isProviders(type, name) || records.length === 0) return undefined
  return {
    name,
    type,
    ttl: ttl ?? null,
    contents: [...new Set(records.map(({ value }) => fromZoneFile(type, value, zone)))]
  }
}

/** Another client has locked the zone: nothing was written, and the read may be outdated. */
const isBusy = ({ reason }: HetznerDnsError): boolean =>
  reason._tag === "Refused" && (reason.code === "conflict" || reason.code === "locked")

const failed = (reason: ProviderError["reason"], detail: string, retryAfter: number | null = null) =>
  new ProviderError({ reason, detail: `${title}: ${detail}`, retryAfter })

/** Longest provider text that is shown. Unit: UTF-16 units. Reason: one sentence. */
const maxShown = 300
const problemOf = ({ error = null }: Action): string =>
  error === null ? "the change failed" : `${shown(error.message)} (${shown(error.code)})`
const shown = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").slice(0, maxShown)

/** Reasons by Hetzner's error codes; other refusals mean an invalid record. */
const reasons: Readonly<Record<string, ProviderError["reason"]>> = {
  unauthorized: "unauthorized",
  forbidden: "read_only",
  token_readonly: "read_only",
  incorrect_zone_mode: "read_only",
  dns_zone_is_secondary_zone: "read_only",
  not_found: "zone_not_found",
  dns_zone_not_found: "zone_not_found",
  conflict: "conflict",
  locked: "conflict",
  resource_locked: "conflict",
  protected: "conflict",
  uniqueness_error: "conflict",
  deprecated_api_endpoint: "unavailable"
}

/** Converts a client error. */
const providerError = (error: HetznerDnsError | ProviderError): ProviderError => {
  if (error instanceof ProviderError) return error
  const detail = error.message
  switch (error.reason._tag) {
    case "Refused":
      return failed(reasons[error.reason.code] ?? "invalid", detail)
    case "RateLimited":
      return failed("rate_limited", detail, error.reason.retryAfter)
    default:
      return failed("unavailable", detail, error.retryAfter ?? null)
  }
}
