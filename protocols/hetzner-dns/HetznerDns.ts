/**
 * Client of the DNS part of Hetzner's Cloud API. Each call sends one request per page, without retries or waits; its
 * errors tell whether a retry can help. The API works on record sets; single records have no ids. The token is sent in
 * a header and never appears in an error. Source: docs.hetzner.cloud/reference/cloud (Zones, Zone RRSets, Actions),
 * hcloud-go of August 2026.
 *
 * The library hcloud-js 1.4.1 has no zones, and hetzner-dns 1.0.1 is for the DNS Console, which is switched off. This
 * folder has 340 lines.
 */
import { Clock, Duration, Effect, Redacted, Result, type Schema } from "effect"
import { Acted, type Action, readAnswer, type RecordSet, SetPage, type Value, type Zone, ZonePage } from "./Answer.ts"
import type { Exchange, HttpRequest } from "../http/Exchange.ts"
import { HetznerDnsError, type HetznerDnsReason } from "./HetznerDnsError.ts"

export const defaultUrl = "https://api.hetzner.cloud/v1"

/** Timeout of a request. Reason: the API answers within a second and carries out changes afterwards (actions). */
export const timeout = Duration.seconds(20)

/** Largest answer. Unit: bytes. Reason: a page of 50 sets with a few long TXT records each has some hundred KiB. */
export const maxAnswer = 8 * 1024 * 1024

/** Entries per page. Source: Cloud API, Pagination, the maximum. */
export const perPage = 50

/** Maximum number of pages. Reason: 500 pages hold 25,000 zones or sets; more means an endless answer. */
export const maxPages = 500

export interface HetznerDnsOptions {
  /** Without a slash at the end. Default `defaultUrl`. */
  readonly url?: string
  readonly token: Redacted.Redacted
  readonly exchange: Exchange
}

/** Identifies a record set within its zone. */
export interface SetName {
  readonly name: string
  readonly type: string
}

export interface HetznerDns {
  /** All zones of the project to which the token belongs. */
  readonly zones: Effect.Effect<ReadonlyArray<Zone>, HetznerDnsError>
  /** All record sets of a zone, or only the one named by `place`, if it exists. `zone`: id or name. */
  readonly sets: (zone: string, place?: SetName) => Effect.Effect<ReadonlyArray<RecordSet>, HetznerDnsError>
  /**
   * Creates a record set. `ttl` null: the zone's default. Fails as `Refused` with `uniqueness_error` when the set
   * exists.
   */
  readonly create: (
    zone: string,
    set: SetName & { readonly ttl: number | null; readonly records: ReadonlyArray<Value> }
  ) => Effect.Effect<Action, HetznerDnsError>
  /** Replaces all values of an existing record set. */
  readonly setRecords: (
    zone: string,
    place: SetName,
    records: ReadonlyArray<Value>
  ) => Effect.Effect<Action, HetznerDnsError>
  readonly changeTtl: (zone: string, place: SetName, ttl: number | null) => Effect.Effect<Action, HetznerDnsError>
  readonly remove: (zone: string, place: SetName) => Effect.Effect<Action, HetznerDnsError>
  /** State of a change. */
  readonly action: (id: number) => Effect.Effect<Action, HetznerDnsError>
}

export const make = ({ exchange, token, url = defaultUrl }: HetznerDnsOptions): HetznerDns => {
  const secrets = [Redacted.value(token)]

  const call = Effect.fnUntraced(function* <A>(
    operation: string,
    method: HttpRequest["method"],
    path: string,
    schema: Schema.Codec<A, unknown>,
    { body, idempotent = true }: { readonly body?: unknown; readonly idempotent?: boolean } = {}
  ) {
    const fail = (reason: HetznerDnsReason) => new HetznerDnsError({ operation, idempotent, reason })
    const answer = yield* exchange({
      method,
      url: `${url}${path}`,
      headers: {
        authorization: `Bearer ${Redacted.value(token)}`,
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeout,
      maxAnswer
    }).pipe(
      Effect.mapError(({ detail, retryable, sent }) =>
        fail(sent ? { _tag: "NoAnswer", detail } : { _tag: "NotReached", detail, retryable })
      )
    )
    const now = yield* Clock.currentTimeMillis
    return yield* Effect.fromResult(Result.mapError(readAnswer(schema, answer, now, secrets), fail))
  })

  /** Reads the entries of all pages. */
  const paged = Effect.fnUntraced(function* <P extends typeof ZonePage.Type | typeof SetPage.Type, A>(
    operation: string,
    path: (page: number) => string,
    schema: Schema.Codec<P, unknown>,
    entries: (page: P) => ReadonlyArray<A>
  ) {
    const all: Array<A> = []
    for (let page = 1, asked = 0; asked < maxPages; asked++) {
      const got: P = yield* call(operation, "GET", path(page), schema)
      all.push(...entries(got))
      const next = got.meta?.pagination?.next_page ?? null
      if (next === null) return all
      page = next
    }
    return yield* new HetznerDnsError({
      operation,
      idempotent: true,
      reason: { _tag: "NotItsAnswer", status: 200, why: `more than ${maxPages} pages` }
    })
  })

  const ofZone = (zone: string) => `/zones/${encodeURIComponent(zone)}/rrsets`
  const ofSet = (zone: string, { name, type }: SetName) =>
    `${ofZone(zone)}/${encodeURIComponent(name)}/${encodeURIComponent(type)}`
  const acted = (effect: Effect.Effect<typeof Acted.Type, HetznerDnsError>) =>
    Effect.map(effect, ({ action }) => action)

  return {
    zones: paged(
      "list zones",
      (page) => `/zones?page=${page}&per_page=${perPage}`,
      ZonePage,
      ({ zones }) => zones
    ),
    sets: (zone, place) => {
      const filter = place === undefined ? "" : `&${new URLSearchParams({ name: place.name, type: place.type })}`
      return paged(
        "list record sets",
        (page) => `${ofZone(zone)}?page=${page}&per_page=${perPage}${filter}`,
        SetPage,
        ({ rrsets }) => rrsets
      )
    },
    create: (zone, { name, records, ttl, type }) =>
      acted(
        call("create record set", "POST", ofZone(zone), Acted, {
          body: { name, type, ...(ttl === null ? {} : { ttl }), records },
          idempotent: false
        })
      ),
    setRecords: (zone, place, records) =>
      acted(call("set records", "POST", `${ofSet(zone, place)}/actions/set_records`, Acted, { body: { records } })),
    changeTtl: (zone, place, ttl) =>
      acted(call("change TTL", "POST", `${ofSet(zone, place)}/actions/change_ttl`, Acted, { body: { ttl } })),
    remove: (zone, place) => acted(call("delete record set", "DELETE", ofSet(zone, place), Acted)),
    action: (id) => acted(call("ask for an action", "GET", `/actions/${id}`, Acted))
  }
}
