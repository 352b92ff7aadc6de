/**
 * A client of the HTTP interface of PowerDNS Authoritative Server, as far as record sets need it. One call, one
 * request: it neither repeats nor waits. The key goes in a header; no error holds it. Source:
 * doc.powerdns.com/authoritative/http-api; tried with 4.7.
 */
import { Clock, Duration, Effect, Redacted, Result, Schema } from "effect"
import { type Content, readAnswer, type Zone, Zones, ZoneWithSets } from "./Answer.ts"
import type { Exchange, HttpRequest } from "./Exchange.ts"
import { PowerDnsError, type PowerDnsReason } from "./PowerDnsError.ts"

/** For one call. Reason: a zone of ten thousand sets is read in two seconds; its database may be loaded. */
export const timeout = Duration.seconds(20)

/** Unit: bytes. Reason: a zone comes in one answer; a set has about 200, so this is some 80,000 of them. */
export const maxAnswer = 16 * 1024 * 1024

export interface PowerDnsOptions {
  /** Without `/api/v1`; a slash at its end is no matter. */
  readonly url: string
  readonly key: Redacted.Redacted
  /** Default `localhost`, which is what an authoritative server calls itself. */
  readonly serverId?: string
  readonly exchange: Exchange
}

/** `records` null: the set is removed. */
export interface Change {
  /** In full, with a dot at its end. */
  readonly name: string
  readonly type: string
  /** Unit: seconds. */
  readonly ttl: number
  readonly records: ReadonlyArray<Content> | null
}

export interface PowerDns {
  readonly zones: Effect.Effect<ReadonlyArray<Zone>, PowerDnsError>
  /**
   * With all its sets. Not with `rrset_name`, although that would be less to read: such an answer leaves out what is
   * disabled (seen with 4.7.3), and what is left out here would be lost with the next change.
   */
  readonly zone: (id: string) => Effect.Effect<ZoneWithSets, PowerDnsError>
  /** Makes sets what is said here, in one transaction; comments stay. */
  readonly change: (id: string, changes: ReadonlyArray<Change>) => Effect.Effect<void, PowerDnsError>
}

export const make = ({ exchange, key, serverId = "localhost", url }: PowerDnsOptions): PowerDns => {
  const base = `${url.replace(/\/+$/, "")}/api/v1/servers/${encodeURIComponent(serverId)}`
  const secrets = [Redacted.value(key)]

  const call = Effect.fnUntraced(function* <A>(
    operation: string,
    method: HttpRequest["method"],
    path: string,
    schema: Schema.Codec<A, unknown>,
    body?: unknown
  ) {
    const fail = (reason: PowerDnsReason) => new PowerDnsError({ operation, reason })
    const answer = yield* exchange({
      method,
      url: `${base}${path}`,
      headers: {
        "x-api-key": Redacted.value(key),
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

  const ofZone = (id: string) => `/zones/${encodeURIComponent(id)}`
  return {
    // Whether zones are signed is asked of the database zone by zone, unless one says not to.
    zones: call("list zones", "GET", "/zones?dnssec=false", Zones),
    zone: (id) => call("read zone", "GET", ofZone(id), ZoneWithSets),
    change: (id, changes) =>
      call("change record sets", "PATCH", ofZone(id), Schema.Undefined, {
        rrsets: changes.map(({ name, records, ttl, type }) =>
          records === null ? { name, type, changetype: "DELETE" } : { name, type, ttl, changetype: "REPLACE", records }
        )
      })
  }
}
