/** Decodes the answers of PowerDNS's HTTP API. Pure; opens no socket. */
import { Result, Schema } from "effect"
import type { HttpAnswer } from "../http/Exchange.ts"
import type { PowerDnsReason } from "./PowerDnsError.ts"

/**
 * A record of a set. `content`: in zone file syntax, with host names that end in a dot. A disabled record is stored but
 * not served.
 */
export const Content = Schema.Struct({ content: Schema.String, disabled: Schema.optionalKey(Schema.Boolean) })
export type Content = typeof Content.Type

/** A record set. `name`: full name with a final dot. A set that has only comments has no records. */
export const RecordSet = Schema.Struct({
  name: Schema.String,
  type: Schema.String,
  ttl: Schema.optionalKey(Schema.Int),
  records: Schema.Array(Content)
})
export type RecordSet = typeof RecordSet.Type

/**
 * A zone. `id`: used unchanged in paths. `kind`: `Native`, `Master` and `Producer` can be changed; `Slave`
 * (`Secondary`) and `Consumer` copy another server.
 */
export const Zone = Schema.Struct({ id: Schema.String, name: Schema.String, kind: Schema.optionalKey(Schema.String) })
export type Zone = typeof Zone.Type
export const Zones = Schema.Array(Zone)

export const ZoneWithSets = Schema.Struct({ ...Zone.fields, rrsets: Schema.Array(RecordSet) })
export type ZoneWithSets = typeof ZoneWithSets.Type

const decodeFailure = Schema.decodeUnknownResult(Schema.Struct({ error: Schema.String }))

/**
 * Longest error message that is kept. Unit: UTF-16 units. Reason: the server writes one sentence that quotes the
 * record.
 */
const maxMessage = 300

/** Statuses with which the server refuses a change as invalid. */
const refusing = new Set([400, 409, 422])

/**
 * The decoded JSON of a success (undefined for an empty body), or the reason why there is none. `now`: milliseconds
 * since 1970. `secrets`: texts to remove from error messages.
 */
export const readAnswer = <A>(
  schema: Schema.Codec<A, unknown>,
  { body, headers, status, truncated }: HttpAnswer,
  now: number,
  secrets: ReadonlyArray<string>
): Result.Result<A, PowerDnsReason> => {
  const retryAfter = pause(headers["retry-after"], now)
  if (status === 401 || status === 403) return Result.fail({ _tag: "Unauthorized", status })
  if (status === 404) return Result.fail({ _tag: "NotFound" })
  if (status === 429) return Result.fail({ _tag: "RateLimited", ...(retryAfter === undefined ? {} : { retryAfter }) })
  if (status >= 300 && status < 400)
    return Result.fail({ _tag: "NotItsAnswer", status, why: "a redirect, which is not followed" })
  if (status >= 500) return Result.fail({ _tag: "Failed", status, ...(retryAfter === undefined ? {} : { retryAfter }) })
  if (truncated) return Result.fail({ _tag: "NotItsAnswer", status, why: "too long" })
  const json = parsed(body)
  const failure = decodeFailure(json)
  if (refusing.has(status) && Result.isSuccess(failure))
    return Result.fail({ _tag: "Refused", status, message: shown(failure.success.error, secrets) })
  const success = Schema.decodeUnknownResult(schema)(json)
  return status < 300 && Result.isSuccess(success)
    ? Result.succeed(success.success)
    : Result.fail({ _tag: "NotItsAnswer", status, why: "no answer of PowerDNS" })
}

/** The text made safe to show: without secrets and unprintable characters, cut to `maxMessage`. */
const shown = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets
    .reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "…")), text)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .slice(0, maxMessage)

/** Parses Retry-After: seconds or a date (RFC 9110 §10.2.3). Returns milliseconds. */
const pause = (value: string | ReadonlyArray<string> | undefined, now: number): number | undefined => {
  if (typeof value !== "string") return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1_000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const parsed = (body: Uint8Array): unknown => {
  if (body.length === 0) return undefined
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"))
  } catch {
    // The body is not JSON, so it is not from PowerDNS.
    return null
  }
}
