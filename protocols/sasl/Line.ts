/**
 * Parts that both mechanisms share: base64 of UTF-8 text, the separator 0x01, and bearer tokens. Pure. Sources: RFC
 * 4648 §4, RFC 6750 §2.1.
 */
import { Result } from "effect"
import { SaslError } from "./SaslError.ts"

/** Separator between parts. Source: RFC 7628 §3.1, `kvsep`. */
export const separator = "\u0001"

/** Longest line, in base64. Unit: characters. Source: RFC 4954 §4, the longest AUTH line of SMTP. */
export const maxLength = 12_288

/** A login with a user name and a bearer token. */
export interface BearerLogin {
  /** Login name, usually a mail address. Not escaped. */
  readonly user: string
  readonly token: string
}

/** The error of a login that cannot be encoded; undefined when it can. */
export const fault = (login: BearerLogin): SaslError | undefined => {
  if (login.user === "" || !sayable.test(login.user) || !login.user.isWellFormed())
    return new SaslError({ reason: "User" })
  return bearer.test(login.token) ? undefined : new SaslError({ reason: "Token" })
}

export const toLine = (text: string): Result.Result<string, SaslError> => {
  const line = Buffer.from(text, "utf8").toString("base64")
  return line.length > maxLength ? Result.fail(new SaslError({ reason: "TooLong" })) : Result.succeed(line)
}

/** Decodes strictly (RFC 4648 §3): no other characters, correct padding, no extra bits. */
export const fromLine = (line: string): Result.Result<string, SaslError> => {
  if (line.length > maxLength) return Result.fail(new SaslError({ reason: "TooLong" }))
  const bytes = Buffer.from(line, "base64")
  if (bytes.toString("base64") !== line) return Result.fail(new SaslError({ reason: "NotBase64" }))
  try {
    return Result.succeed(utf8.decode(bytes))
  } catch {
    return Result.fail(new SaslError({ reason: "NotUtf8" }))
  }
}

/** The token of `Bearer …`; the scheme is case-insensitive. */
export const tokenOf = (authorization: string | undefined): Result.Result<string, SaslError> => {
  const token = /^bearer +(\S*)$/i.exec(authorization ?? "")?.[1]
  return token !== undefined && bearer.test(token)
    ? Result.succeed(token)
    : Result.fail(new SaslError({ reason: "Token" }))
}

/** Text without control characters, because the control character 0x01 would end the part. */
export const sayable = /^[^\u0000-\u001f\u007f]*$/

const bearer = /^[A-Za-z0-9._~+/-]+=*$/
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
