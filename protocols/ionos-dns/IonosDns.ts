/**
 * A client of the DNS API of IONOS hosting (not of IONOS Cloud DNS, which is another). Single records are the unit. One
 * call, one request: it neither repeats nor waits; errors say what of that would help. The key goes in a header; no
 * error holds it. Source: developer.hosting.ionos.com/docs/dns; go-acme/lego and libdns/ionos as of July 2026.
 */
import { Clock, Duration, Effect, Redacted, Result, Schema } from "effect"
import { readAnswer, type Zone, Zones, ZoneWithEntries } from "./Answer.ts"
import type { Exchange, HttpRequest } from "./Exchange.ts"
import { IonosDnsError, type IonosDnsReason } from "./IonosDnsError.ts"

export const defaultUrl = "https://api.hosting.ionos.com/dns/v1"

/** For one call. Reason: answers of several seconds are known of it. */
export const timeout = Duration.seconds(30)

/** Unit: bytes. Reason: a zone comes in one answer; a record has about 250, so this is some 60,000 of them. */
export const maxAnswer = 16 * 1024 * 1024

export interface IonosDnsOptions {
  /** Without a slash at its end. Default `defaultUrl`. */
  readonly url?: string
  /** The public part of the key. */
  readonly prefix: string
  readonly secret: Redacted.Redacted
  readonly exchange: Exchange
}

/** What may be said of a record that is there. `ttl`: seconds, from 60. */
export interface EntryChange {
  readonly content: string
  readonly ttl?: number
  /** Of MX and SRV. */
  readonly prio?: number
  /** Said in any case: what the interface takes for granted has changed before. */
  readonly disabled: boolean
}

/** `name` in full, without a dot at its end. */
export interface NewEntry extends EntryChange {
  readonly name: string
  readonly type: string
}

export interface IonosDns {
  readonly zones: Effect.Effect<ReadonlyArray<Zone>, IonosDnsError>
  /** With all its records. */
  readonly zone: (id: string) => Effect.Effect<ZoneWithEntries, IonosDnsError>
  /** Not to be repeated blindly: each time would add them. */
  readonly create: (zone: string, entries: ReadonlyArray<NewEntry>) => Effect.Effect<void, IonosDnsError>
  readonly update: (zone: string, entry: string, change: EntryChange) => Effect.Effect<void, IonosDnsError>
  /** Refused with 404 `RECORD_NOT_FOUND` when it is not there. */
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
    // Nothing is taken from what changes answer: some have a body, some have none.
    create: (zone, entries) =>
      Effect.asVoid(
        call("create records", "POST", `${ofZone(zone)}/records`, undefined, { body: entries, idempotent: false })
      ),
    update: (zone, entry, change) =>
      Effect.asVoid(call("update record", "PUT", ofEntry(zone, entry), undefined, { body: change })),
    remove: (zone, entry) => Effect.asVoid(call("delete record", "DELETE", ofEntry(zone, entry), undefined))
  }
}
