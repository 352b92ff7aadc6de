/**
 * Client of the HTTP API of PowerDNS Authoritative Server, limited to zones and record sets. Each call sends one
 * request, without retries or waits. The key is sent in a header and never appears in an error. Source:
 * doc.powerdns.com/authoritative/http-api; tested with 4.7.
 *
 * npm has no package for this API with 500 downloads a month (November 2026). This folder has 250 lines.
 */
import { Clock, Duration, Effect, Redacted, Result, Schema } from "effect"
import { type Content, readAnswer, type Zone, Zones, ZoneWithSets } from "./Answer.ts"
import type { Exchange, HttpRequest } from "../http/Exchange.ts"
import { PowerDnsError, type PowerDnsReason } from "./PowerDnsError.ts"

/**
 * Timeout of a request. Reason: reading a zone of ten thousand sets takes two seconds, and longer when the database is
 * busy.
 */
export const timeout = Duration.seconds(20)

/**
 * Largest answer. Unit: bytes. Reason: a zone arrives in one answer; at about 200 bytes per set this is some 80,000
 * sets.
 */
export const maxAnswer = 16 * 1024 * 1024

export interface PowerDnsOptions {
  /** Without `/api/v1`; a slash at the end is allowed. */
  readonly url: string
  readonly key: Redacted.Redacted
  /** Default `localhost`, the server id of every authoritative server. */
  readonly serverId?: string
  readonly exchange: Exchange
}

/** Change of one record set. `records` null: deletes the set. */
export interface Change {
  /** Full name with a final dot. */
  readonly name: string
  readonly type: string
  /** Time to live of the records. Unit: seconds. */
  readonly ttl: number
  readonly records: ReadonlyArray<Content> | null
}

export interface PowerDns {
  readonly zones: Effect.Effect<ReadonlyArray<Zone>, PowerDnsError>
  /**
   * A zone with all its sets. The parameter `rrset_name` would shorten the answer, but the answer then omits disabled
   * records (seen with 4.7.3). The next change would delete the omitted records.
   */
  readonly zone: (id: string) => Effect.Effect<ZoneWithSets, PowerDnsError>
  /** Replaces or deletes the given sets in one transaction; comments stay. */
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
    // Without `dnssec=false` the server queries the database once per zone to learn whether the zone is signed.
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
