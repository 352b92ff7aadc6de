/** Decodes the answers of the IONOS DNS API. Pure; opens no socket. */
import { Result, Schema } from "effect"
import type { HttpAnswer } from "../http/Exchange.ts"
import type { IonosDnsReason } from "./IonosDnsError.ts"

/** A zone. `type`: `NATIVE`, or `SLAVE`, which copies another server. */
export const Zone = Schema.Struct({ id: Schema.String, name: Schema.String, type: Schema.optionalKey(Schema.String) })
export type Zone = typeof Zone.Type
export const Zones = Schema.Array(Zone)

/**
 * A record. `name`: full name without a final dot. `ttl`: seconds. `prio`: priority of MX and SRV, which `content` does
 * not contain.
 */
export const Entry = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  type: Schema.String,
  content: Schema.String,
  ttl: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  prio: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  disabled: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
export type Entry = typeof Entry.Type

export const ZoneWithEntries = Schema.Struct({ ...Zone.fields, records: Schema.Array(Entry) })
export type ZoneWithEntries = typeof ZoneWithEntries.Type

/** One error. Error answers are a list of them; a gateway may send a single one. */
const Failure = Schema.Struct({
  code: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String),
  parameters: Schema.optionalKey(Schema.Unknown)
})
const decodeFailures = Schema.decodeUnknownResult(Schema.NonEmptyArray(Failure))
const decodeFailure = Schema.decodeUnknownResult(Failure)
const decodeFields = Schema.decodeUnknownResult(Schema.Struct({ invalidFields: Schema.Array(Schema.String) }))

/**
 * Longest error message that is kept. Unit: UTF-16 units. Reason: the API writes one sentence; a proxy may send a page.
 */
const maxMessage = 300

/**
 * The decoded result of a call, or the reason why there is none. `now`: milliseconds since 1970. `secrets`: texts to
 * remove from error messages, in case the server repeats them.
 */
export const readAnswer = <A>(
  schema: Schema.Codec<A, unknown>,
  { body, headers, status, truncated }: HttpAnswer,
  now: number,
  secrets: ReadonlyArray<string>
): Result.Result<A, IonosDnsReason> => {
  const retryAfter = pause(headers["retry-after"], now)
  const asked = retryAfter === undefined ? {} : { retryAfter }
  if (status === 429) return Result.fail({ _tag: "RateLimited", ...asked })
  if (status >= 300 && status < 400)
    return Result.fail({ _tag: "NotItsAnswer", status, why: "a redirect, which is not followed" })
  if (status >= 500) return Result.fail({ _tag: "Failed", status, ...asked })
  if (truncated) return Result.fail({ _tag: "NotItsAnswer", status, why: "too long" })
  const json = parsed(body)
  if (json === page) return Result.fail({ _tag: "NotItsAnswer", status, why: "no JSON" })
  if (status >= 400) {
    const failures = decodeFailures(json)
    const first = Result.isSuccess(failures) ? Result.succeed(failures.success[0]) : decodeFailure(json)
    if (Result.isFailure(first)) return Result.fail({ _tag: "NotItsAnswer", status, why: "no answer of the DNS API" })
    const { code = "no code", message = "no message", parameters } = first.success
    return Result.fail({
      _tag: "Refused",
      status,
      code: shown(code, secrets),
      message: shown(`${message}${fieldsOf(parameters)}`, secrets)
    })
  }
  const success = Schema.decodeUnknownResult(schema)(json)
  return Result.isSuccess(success)
    ? Result.succeed(success.success)
    : Result.fail({ _tag: "NotItsAnswer", status, why: "no answer of the DNS API" })
}

/** The text made safe to show: without secrets and unprintable characters, cut to `maxMessage`. */
const shown = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets
    .reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "…")), text)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .slice(0, maxMessage)

const fieldsOf = (parameters: unknown): string => {
  const fields = decodeFields(parameters)
  return Result.isSuccess(fields) && fields.success.invalidFields.length > 0
    ? `: ${fields.success.invalidFields.join(", ")}`
    : ""
}

/** Parses Retry-After: seconds or a date (RFC 9110 §10.2.3). Returns milliseconds. */
const pause = (value: string | ReadonlyArray<string> | undefined, now: number): number | undefined => {
  if (typeof value !== "string") return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1_000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Marks a body that is not JSON, which comes from a proxy before the API. */
const page = Symbol("page")

/** Parsed JSON; undefined for an empty body, because some changes have no answer. */
const parsed = (body: Uint8Array): unknown => {
  if (body.length === 0) return undefined
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"))
  } catch {
    return page
  }
}
