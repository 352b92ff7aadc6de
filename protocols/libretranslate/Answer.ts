/** Decodes the answers of a LibreTranslate server. Pure; opens no socket. Source: LibreTranslate, app.py, July 2026. */
import { Result, Schema } from "effect"
import type { HttpAnswer } from "../http/Exchange.ts"
import type { LibreTranslateReason } from "./LibreTranslateError.ts"

/** A language of the server, and the codes into which it translates from there. */
export interface EngineLanguage {
  readonly code: string
  readonly targets: ReadonlyArray<string>
}

/** Longest message that is kept. Unit: UTF-16 units. */
const maxMessage = 300

/** Maximum number of languages and targets that are read. Reason: the server has about fifty. */
const maxLanguages = 500

const Languages = Schema.Array(
  Schema.Struct({ code: Schema.String, targets: Schema.optionalKey(Schema.Array(Schema.String)) })
)
const decodeLanguages = Schema.decodeUnknownResult(Languages)
const decodeTranslated = Schema.decodeUnknownResult(Schema.Struct({ translatedText: Schema.Array(Schema.String) }))
const decodeError = Schema.decodeUnknownResult(Schema.Struct({ error: Schema.String }))

/** Answer of `GET /languages`. Undefined: no list of languages. */
export const readLanguages = (json: unknown): ReadonlyArray<EngineLanguage> | undefined => {
  const read = decodeLanguages(json)
  if (Result.isFailure(read) || read.success.length > maxLanguages) return undefined
  return read.success.map(({ code, targets }) => ({ code, targets: (targets ?? []).slice(0, maxLanguages) }))
}

/** Answer of `POST /translate` to an array of `count` texts. Undefined: no array of this length. */
export const readTranslated =
  (count: number) =>
  (json: unknown): ReadonlyArray<string> | undefined => {
    const read = decodeTranslated(json)
    return Result.isSuccess(read) && read.success.translatedText.length === count
      ? read.success.translatedText
      : undefined
  }

/** The value that `read` finds in a success, or the reason why there is none. `secret`: removed from messages. */
export const readAnswer = <A>(
  { body, headers, status, truncated }: HttpAnswer,
  read: (json: unknown) => A | undefined,
  secret: string
): Result.Result<A, LibreTranslateReason> => {
  if (status >= 300 && status < 400)
    return Result.fail({ _tag: "NotItsAnswer", status, why: "a redirect, which is not followed" })
  if (status === 429) return Result.fail({ _tag: "SlowDown", retryAfter: retryAfter(headers["retry-after"]) })
  if (truncated) return Result.fail({ _tag: "NotItsAnswer", status, why: "it is too long" })
  const json = parsed(body)
  if (status >= 200 && status < 300) {
    const found = json === undefined ? undefined : read(json)
    return found === undefined
      ? Result.fail({ _tag: "NotItsAnswer", status, why: "it has not the expected content" })
      : Result.succeed(found)
  }
  const error = decodeError(json)
  if (Result.isFailure(error)) return Result.fail({ _tag: "NotItsAnswer", status, why: "it has no error message" })
  const message = shown(error.success.error, secret)
  if (status === 403) return Result.fail({ _tag: "Forbidden", message })
  if (status === 400) return Result.fail({ _tag: "Refused", message })
  return status === 500
    ? Result.fail({ _tag: "Failed", message })
    : Result.fail({ _tag: "NotItsAnswer", status, why: message })
}

const shown = (text: string, secret: string): string =>
  (secret === "" ? text : text.replaceAll(secret, "…")).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").slice(0, maxMessage)

/** Unit of the header: seconds. A date is ignored. Source: RFC 9110 §10.2.3. */
const retryAfter = (header: string | ReadonlyArray<string> | undefined): number | null =>
  typeof header === "string" && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : null

/** Undefined: not JSON. */
const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"))
  } catch {
    return undefined
  }
}
