/**
 * What both mechanisms are made of: base64 of UTF-8, parts between 0x01, a bearer token. Pure. Sources: RFC 4648 §4,
 * RFC 6750 §2.1.
 */
import { Result } from "effect"
import { SaslError } from "./SaslError.ts"

/** Stands between parts. Source: RFC 7628 §3.1, `kvsep`. */
export const separator = "\u0001"

/** Longest line, in base64. Unit: characters. Source: RFC 4954 §4, the longest AUTH line of SMTP. */
export const maxLength = 12_288

/** A login by token: who, and by what right. */
export interface BearerLogin {
  /** The name to sign in as, a mail address as a rule; as it is, nothing escaped. */
  readonly user: string
  readonly token: string
}

/** Undefined is fine; else the part that cannot be said. */
export const fault = (login: BearerLogin): SaslError | undefined => {
  if (login.user === "" || !sayable.test(login.user) || !login.user.isWellFormed())
    return new SaslError({ reason: "User" })
  return bearer.test(login.token) ? undefined : new SaslError({ reason: "Token" })
}

export const toLine = (text: string): Result.Result<string, SaslError> => {
  const line = Buffer.from(text, "utf8").toString("base64")
  return line.length > maxLength ? Result.fail(new SaslError({ reason: "TooLong" })) : Result.succeed(line)
}

/** Strict, as RFC 4648 §3 has it: no other characters, padded, no bits left over. */
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

/** The token of `Bearer …`; the word in any case. */
export const tokenOf = (authorization: string | undefined): Result.Result<string, SaslError> => {
  const token = /^bearer +(\S*)$/i.exec(authorization ?? "")?.[1]
  return token !== undefined && bearer.test(token)
    ? Result.succeed(token)
    : Result.fail(new SaslError({ reason: "Token" }))
}

/** No control character: one of them would end the part. */
export const sayable = /^[^\u0000-\u001f\u007f]*$/

const bearer = /^[A-Za-z0-9._~+/-]+=*$/
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
