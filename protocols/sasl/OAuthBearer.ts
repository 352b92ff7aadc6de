/**
 * OAUTHBEARER: encodes and decodes the client's only message, a GS2 header with the user name and then key-value pairs.
 * Pure; has no IMAP, no SMTP and no channel binding. Sources: RFC 7628 §3.1; RFC 5801 §4 for the header.
 *
 * The user name is required: it is optional in RFC 7628, but mail servers require it. Unknown keys are ignored, as §3.1
 * requires.
 */
import { Result } from "effect"
import { type BearerLogin, fault, fromLine, sayable, separator, tokenOf, toLine } from "./Line.ts"
import { SaslError } from "./SaslError.ts"

export const name = "OAUTHBEARER"

/**
 * The client's answer to the server's error challenge, before the server ends the exchange: a single 0x01 in base64
 * (RFC 7628 §3.2.3).
 */
export const errorAnswer = "AQ=="

/** `host` and `port`: the server to which the client believes it is connected. */
export interface OAuthBearerLogin extends BearerLogin {
  readonly host?: string
  readonly port?: number
}

export const encode = (login: OAuthBearerLogin): Result.Result<string, SaslError> => {
  const failure = fault(login) ?? faultOfServer(login)
  if (failure !== undefined) return Result.fail(failure)
  const pairs = [
    ...(login.host === undefined ? [] : [`host=${login.host}`]),
    ...(login.port === undefined ? [] : [`port=${login.port}`]),
    `auth=Bearer ${login.token}`
  ]
  return toLine(`n,a=${escape(login.user)},${separator}${pairs.join(separator)}${separator}${separator}`)
}

export const parse = (line: string): Result.Result<OAuthBearerLogin, SaslError> =>
  Result.gen(function* () {
    const fail = (reason: SaslError["reason"]) => Result.fail(new SaslError({ reason }))
    const text = yield* fromLine(line)
    const [, binding, escaped, rest] = header.exec(text) ?? []
    if (binding === undefined || rest === undefined) return yield* fail("Malformed")
    if (binding.startsWith("p=")) return yield* fail("ChannelBinding")
    const user = unescape(escaped ?? "")
    if (user === undefined || user === "" || !sayable.test(user)) return yield* fail("User")

    const pairs = new Map<string, string>()
    for (const part of rest.split(separator)) {
      const [, key, value] = pair.exec(part) ?? []
      if (key === undefined || value === undefined || pairs.has(key)) return yield* fail("Malformed")
      pairs.set(key, value)
    }
    const [host, port] = [pairs.get("host"), pairs.get("port")]
    const login: OAuthBearerLogin = {
      user,
      token: yield* tokenOf(pairs.get("auth")),
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port: /^[0-9]{1,5}$/.test(port) ? Number(port) : 0 })
    }
    const failure = faultOfServer(login)
    return failure === undefined ? login : yield* Result.fail(failure)
  })

/** `n,a=name,` 0x01 pairs 0x01 0x01: channel binding flag, escaped user name, and pairs without their last 0x01. */
const header = /^(n|y|p=[A-Za-z0-9.-]+),(?:a=([^,]*))?,\u0001([^]*)\u0001\u0001$/
/** `key "=" value`. The key has letters; the value has visible characters, space, tab, CR and LF. */
const pair = /^([A-Za-z]+)=([\t\n\r\u0020-\u007e]*)$/

const faultOfServer = ({ host, port }: OAuthBearerLogin): SaslError | undefined => {
  if (host !== undefined && !/^[\u0021-\u007e]+$/.test(host)) return new SaslError({ reason: "Host" })
  const fine = port === undefined || (Number.isInteger(port) && port >= 1 && port <= 65_535)
  return fine ? undefined : new SaslError({ reason: "Port" })
}

/** Escapes `,` and `=`, which have a meaning in the header. Source: RFC 5801 §4, `saslname`. */
const escape = (name: string): string => name.replace(/=/g, "=3D").replace(/,/g, "=2C")

const unescape = (name: string): string | undefined =>
  /=(?!2C|3D)/.test(name) ? undefined : name.replace(/=2C/g, ",").replace(/=3D/g, "=")
