/**
 * Client of the DNS API of IONOS hosting, which differs from IONOS Cloud DNS. The API works on single records. Each
 * call sends one request, without retries or waits; its errors tell whether a retry can help. The key is sent in a
 * header and never appears in an error. Source: developer.hosting.ionos.com/docs/dns; go-acme/lego and libdns/ionos as
 * of July 2026.
 *
 * The library @ionos-cloud/sdk-nodejs 6.1.5 is for IONOS Cloud, and npm has no package for this API with 500 downloads
 * a month (November 2026). This folder has 280 lines.
 */
import { Clock, Duration, Effect, Redacted, Result, Schema } from "effect"
import { readAnswer, type Zone, Zones, ZoneWithEntries } from "./Answer.ts"
import type { Exchange, HttpRequest } from "../http/Exchange.ts"
import { IonosDnsError, type IonosDnsReason } from "./IonosDnsError.ts"

export const defaultUrl = "https://api.hosting.ionos.com/dns/v1"

/** Timeout of a request. Reason: the API is known to take several seconds. */
export const timeout = Duration.seconds(30)

/**
 * Largest answer. Unit: bytes. Reason: a zone arrives in one answer; at about 250 bytes per record this is some 60,000
 * records.
 */
export const maxAnswer = 16 * 1024 * 1024

export interface IonosDnsOptions {
  /** Without a slash at the end. Default `defaultUrl`. */
  readonly url?: string
  /** Public part of the API key. */
  readonly prefix: string
  readonly secret: Redacted.Redacted
  readonly exchange: Exchange
}

/** Fields of an existing record that can change. `ttl`: seconds, at least 60. */
export interface EntryChange {
  readonly content: string
  readonly ttl?: number
  /** Priority of MX and SRV. */
  readonly prio?: number
  /** Always sent, because the API's default has changed in the past. */
  readonly disabled: boolean
}

/** A new record. `name`: full name without a final dot. */
export interface NewEntry extends EntryChange {
  readonly name: string
  readonly type: string
}

export interface IonosDns {
  readonly zones: Effect.Effect<ReadonlyArray<Zone>, IonosDnsError>
  /** A zone with all its records. */
  readonly zone: (id: string) => Effect.Effect<ZoneWithEntries, IonosDnsError>
  /** Creates records. Not idempotent: a retry would add them again. */
  readonly create: (zone: string, entries: ReadonlyArray<NewEntry>) => Effect.Effect<void, IonosDnsError>
  readonly update: (zone: string, entry: string, change: EntryChange) => Effect.Effect<void, IonosDnsError>
  /** Deletes a record. Fails as `Refused` with 404 `RECORD_NOT_FOUND` when it does not exist. */
  readonly remove: (zone: string, entry: string) => Effect.Effect<void, IonosDnsError>
}

export const make = ({ exchange, prefix, secret, url = defaultUrl }: IonosDnsOptions): IonosDns => {
  const key = `${prefix}.${Redacted.value(secret)}`
  const secrets = [key, Redacted.value(secret)]

  const call = Effect.fnUntraced(function* <A>(
    operation: string,
    method: HttpRequest["method"],
    path: string,
    schema: Schema.Codec<A, unknown> | undefined,
    { body, idempotent = true }: { readonly body?: unknown; readonly idempotent?: boolean } = {}
  ) {
    const fail = (reason: IonosDnsReason) => new IonosDnsError({ operation, idempotent, reason })
    const answer = yield* exchange({
      method,
      url: `${url}${path}`,
      headers: {
        "x-api-key": key,
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
    return yield* Effect.fromResult(
      Result.mapError(readAnswer(schema ?? (Schema.Unknown as Schema.Codec<A, unknown>), answer, now, secrets), fail)
    )
  })

  const ofZone = (zone: string) => `/zones/${encodeURIComponent(zone)}`
  const ofEntry = (zone: string, entry: string) => `${ofZone(zone)}/records/${encodeURIComponent(entry)}`
  return {
    zones: call("list zones", "GET", "/zones", Zones),
    zone: (id) => call("read zone", "GET", ofZone(id), ZoneWithEntries),
    // Answers to changes are ignored, because some have a body and some have none.
    create: (zone, entries) =>
      Effect.asVoid(
        call("create records", "POST", `${ofZone(zone)}/records`, undefined, { body: entries, idempotent: false })
      ),
    update: (zone, entry, change) =>
      Effect.asVoid(call("update record", "PUT", ofEntry(zone, entry), undefined, { body: change })),
    remove: (zone, entry) => Effect.asVoid(call("delete record", "DELETE", ofEntry(zone, entry), undefined))
  }
}
