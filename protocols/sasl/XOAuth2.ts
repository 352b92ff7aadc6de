/**
 * XOAUTH2: encodes and decodes the client's only message, `user=` name 0x01 `auth=Bearer ` token 0x01 0x01, in base64.
 * Pure; has no IMAP and no SMTP. No RFC defines it: it is Google's predecessor of RFC 7628, without escaping. Unknown
 * parts are ignored.
 *
 * The library sasl-x-oauth2 0.1.0 writes the form of Google Talk (NUL, name, NUL, token), which is not XOAUTH2. This
 * folder has 230 lines.
 */
import { Result } from "effect"
import { type BearerLogin, fault, fromLine, sayable, separator, tokenOf, toLine } from "./Line.ts"
import { SaslError } from "./SaslError.ts"

export const name = "XOAUTH2"

/** The client's answer to the server's error challenge, before the server ends the exchange: an empty line. */
export const errorAnswer = ""

export const encode = (login: BearerLogin): Result.Result<string, SaslError> => {
  const failure = fault(login)
  return failure === undefined
    ? toLine(`user=${login.user}${separator}auth=Bearer ${login.token}${separator}${separator}`)
    : Result.fail(failure)
}

export const parse = (line: string): Result.Result<BearerLogin, SaslError> =>
  Result.gen(function* () {
    const text = yield* fromLine(line)
    const parts = text.endsWith(separator + separator) ? text.slice(0, -2).split(separator) : []
    if (parts.length === 0 || parts.some((part) => !part.includes("=")))
      return yield* Result.fail(new SaslError({ reason: "Malformed" }))
    const first = (key: string) => parts.find((part) => part.startsWith(`${key}=`))?.slice(key.length + 1)
    const user = first("user") ?? ""
    if (user === "" || !sayable.test(user)) return yield* Result.fail(new SaslError({ reason: "User" }))
    return { user, token: yield* tokenOf(first("auth")) }
  })
