/** What an answer of the interface says. Pure; opens no socket. */
import { Result, Schema } from "effect"
import type { HttpAnswer } from "./Exchange.ts"
import type { PowerDnsReason } from "./PowerDnsError.ts"

/** `content` as in a zone file, hosts with a dot at their end. A disabled record is kept and not answered with. */
export const Content = Schema.Struct({ content: Schema.String, disabled: Schema.optionalKey(Schema.Boolean) })
export type Content = typeof Content.Type

/** `name` in full, with a dot at its end. A set may be without records: comments keep it. */
export const RecordSet = Schema.Struct({
  name: Schema.String,
  type: Schema.String,
  ttl: Schema.optionalKey(Schema.Int),
  records: Schema.Array(Content)
})
export type RecordSet = typeof RecordSet.Type

/**
 * `id` is for paths, as it is. `kind`: `Native`, `Master`, `Producer` can be changed; `Slave` (`Secondary`) and
 * `Consumer` come from elsewhere.
 */
export const Zone = Schema.Struct({ id: Schema.String, name: Schema.String, kind: Schema.optionalKey(Schema.String) })
export type Zone = typeof Zone.Type
export const Zones = Schema.Array(Zone)

export const ZoneWithSets = Schema.Struct({ ...Zone.fields, rrsets: Schema.Array(RecordSet) })
export type ZoneWithSets = typeof ZoneWithSets.Type

const decodeFailure = Schema.decodeUnknownResult(Schema.Struct({ error: Schema.String }))

/** Unit: UTF-16 units. Reason: messages are one sentence that quotes the record. */
const maxMessage = 300

/** Statuses that say that a change, as it stands, cannot be made. */
const refusing = new Set([400, 409, 422])

/**
 * The text of an answer that is a success, read as JSON (undefined when empty), or why it is none. `now`: milliseconds
 * since 1970. `secrets`: never shown.
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

/** The text without secrets and without what would not print, bounded. */
const shown = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets
    .reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "…")), text)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .slice(0, maxMessage)

/** RFC 9110 §10.2.3: seconds, or a date. Unit of the answer: milliseconds. */
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
    // No JSON: what it says is not for us.
    return null
  }
}
