/** What an answer of the interface says. Pure; opens no socket. */
import { Result, Schema } from "effect"
import type { HttpAnswer } from "./Exchange.ts"
import type { IonosDnsReason } from "./IonosDnsError.ts"

/** `type`: `NATIVE`, or `SLAVE`, which is read from elsewhere. */
export const Zone = Schema.Struct({ id: Schema.String, name: Schema.String, type: Schema.optionalKey(Schema.String) })
export type Zone = typeof Zone.Type
export const Zones = Schema.Array(Zone)

/** `name` in full, without a dot at its end. `ttl`: seconds. `prio`: of MX and SRV, whose content does not hold it. */
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

/** One error; an answer is a list of them, and behind a gateway may be a single one. */
const Failure = Schema.Struct({
  code: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String),
  parameters: Schema.optionalKey(Schema.Unknown)
})
const decodeFailures = Schema.decodeUnknownResult(Schema.NonEmptyArray(Failure))
const decodeFailure = Schema.decodeUnknownResult(Failure)
const decodeFields = Schema.decodeUnknownResult(Schema.Struct({ invalidFields: Schema.Array(Schema.String) }))

/** Unit: UTF-16 units. Reason: messages are a sentence; a proxy's may be a page. */
const maxMessage = 300

/**
 * What a call answers, or why it does not. `now`: milliseconds since 1970. `secrets`: what must not be shown, should
 * the other side repeat it.
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

/** The text without secrets and without what would not print, bounded. */
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

/** RFC 9110 §10.2.3: seconds, or a date. Unit of the answer: milliseconds. */
const pause = (value: string | ReadonlyArray<string> | undefined, now: number): number | undefined => {
  if (typeof value !== "string") return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1_000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** What is no JSON, and so of somebody before the interface. */
const page = Symbol("page")

/** Undefined when there is nothing: not all changes have an answer. */
const parsed = (body: Uint8Array): unknown => {
  if (body.length === 0) return undefined
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"))
  } catch {
    return page
  }
}
