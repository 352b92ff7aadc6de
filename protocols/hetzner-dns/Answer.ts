/** Decodes the answers of Hetzner's DNS API. Pure; opens no socket. */
import { Result, Schema } from "effect"
import type { HttpAnswer } from "../http/Exchange.ts"
import type { HetznerDnsReason } from "./HetznerDnsError.ts"

/** A zone. `mode`: `primary`, or `secondary`, which copies another server and cannot be changed. */
export const Zone = Schema.Struct({ id: Schema.Int, name: Schema.String, mode: Schema.optionalKey(Schema.String) })
export type Zone = typeof Zone.Type

/** One value of a record set, in zone file syntax. */
export const Value = Schema.Struct({ value: Schema.String, comment: Schema.optionalKey(Schema.NullOr(Schema.String)) })
export type Value = typeof Value.Type

/** A record set. `name`: relative to the zone, `@` for the zone itself. `ttl`: seconds; null: the zone's default. */
export const RecordSet = Schema.Struct({
  name: Schema.String,
  type: Schema.String,
  ttl: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  records: Schema.Array(Value)
})
export type RecordSet = typeof RecordSet.Type

export const Action = Schema.Struct({
  id: Schema.Int,
  status: Schema.Literals(["running", "success", "error"]),
  error: Schema.optionalKey(Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })))
})
export type Action = typeof Action.Type

const Page = {
  meta: Schema.optionalKey(
    Schema.Struct({ pagination: Schema.optionalKey(Schema.Struct({ next_page: Schema.NullOr(Schema.Int) })) })
  )
}
export const ZonePage = Schema.Struct({ zones: Schema.Array(Zone), ...Page })
export const SetPage = Schema.Struct({ rrsets: Schema.Array(RecordSet), ...Page })
export const Acted = Schema.Struct({ action: Action })

const Failure = Schema.Struct({
  error: Schema.Struct({ code: Schema.String, message: Schema.String, details: Schema.optionalKey(Schema.Unknown) })
})
const Fields = Schema.Struct({
  fields: Schema.Array(
    Schema.Struct({ name: Schema.String, messages: Schema.optionalKey(Schema.Array(Schema.String)) })
  )
})
const decodeFailure = Schema.decodeUnknownResult(Failure)
const decodeFields = Schema.decodeUnknownResult(Fields)

/**
 * Longest error message that is kept. Unit: UTF-16 units. Reason: the API writes a sentence or two; a proxy may send a
 * page.
 */
const maxMessage = 300

/**
 * Longest wait taken from `RateLimit-Reset`. Unit: milliseconds. Reason: the header names the time when *all* requests
 * of the hour are available again. One request becomes available each second, so a shorter wait is enough.
 */
export const longestPause = 15_000

/** Wait after a 429 that names none. Unit: milliseconds. Reason: one request becomes available each second. */
const defaultPause = 2_000

/**
 * The decoded result of a call, or the reason why there is none. `now`: milliseconds since 1970. `secrets`: texts to
 * remove from error messages, in case the server repeats them.
 */
export const readAnswer = <A>(
  schema: Schema.Codec<A, unknown>,
  { body, headers, status, truncated }: HttpAnswer,
  now: number,
  secrets: ReadonlyArray<string>
): Result.Result<A, HetznerDnsReason> => {
  if (status === 429) return Result.fail({ _tag: "RateLimited", retryAfter: pause(headers, now) ?? defaultPause })
  if (status >= 300 && status < 400)
    return Result.fail({ _tag: "NotItsAnswer", status, why: "a redirect, which is not followed" })
  const json = truncated ? undefined : parsed(body)
  if (status >= 500) {
    const retryAfter = pause(headers, now)
    return Result.fail({ _tag: "Failed", status, ...(retryAfter === undefined ? {} : { retryAfter }) })
  }
  if (truncated) return Result.fail({ _tag: "NotItsAnswer", status, why: "too long" })
  const failure = decodeFailure(json)
  if (Result.isSuccess(failure)) {
    const { code, details, message } = failure.success.error
    if (code === "rate_limit_exceeded")
      return Result.fail({ _tag: "RateLimited", retryAfter: pause(headers, now) ?? defaultPause })
    return Result.fail({
      _tag: "Refused",
      status,
      code: shown(code, secrets),
      message: shown(`${message}${fieldsOf(details)}`, secrets)
    })
  }
  if (status >= 400) return Result.fail({ _tag: "NotItsAnswer", status, why: "no answer of the Cloud API" })
  const success = Schema.decodeUnknownResult(schema)(json)
  return Result.isSuccess(success)
    ? Result.succeed(success.success)
    : Result.fail({ _tag: "NotItsAnswer", status, why: "no answer of the Cloud API" })
}

/** The text made safe to show: without secrets and unprintable characters, cut to `maxMessage`. */
export const shown = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets
    .reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "…")), text)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .slice(0, maxMessage)

const fieldsOf = (details: unknown): string => {
  const fields = decodeFields(details)
  return Result.isFailure(fields)
    ? ""
    : fields.success.fields.map(({ messages, name }) => `; ${name}: ${(messages ?? []).join(", ")}`).join("")
}

const pause = (headers: HttpAnswer["headers"], now: number): number | undefined => {
  const after = seconds(headers["retry-after"])
  if (after !== undefined) return after * 1_000
  const reset = seconds(headers["ratelimit-reset"])
  return reset === undefined ? undefined : Math.min(longestPause, Math.max(0, reset * 1_000 - now))
}

const seconds = (value: string | ReadonlyArray<string> | undefined): number | undefined =>
  typeof value === "string" && /^\d{1,12}$/.test(value.trim()) ? Number(value) : undefined

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"))
  } catch {
    return undefined
  }
}
