/**
 * The address of an SMTP relay as a setting holds it. Pure, and apart from what sends, which commands need not load.
 */
import { Redacted, Result } from "effect"

/** Where a relay is and as whom we speak to it. */
export interface Relay {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (`smtps:`). */
  readonly implicitTls: boolean
  readonly credentials: { readonly user: string; readonly password: Redacted.Redacted } | undefined
}

/**
 * `smtp://` or `smtps://`, host, port (25, with credentials 587; smtps 465), `user:password@`. A sentence when it is
 * none.
 */
export const parse = (raw: string): Result.Result<Relay, string> => {
  const url = URL.parse(raw.trim())
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "") {
    return Result.fail("must be smtp://host:port or smtps://host:port")
  }
  if ((url.pathname !== "" && url.pathname !== "/") || url.search !== "" || url.hash !== "") {
    return Result.fail("must end with the port")
  }
  if ((url.username === "") !== (url.password === "")) return Result.fail("must carry user and password, or neither")
  const implicitTls = url.protocol === "smtps:"
  const signsIn = url.username !== ""
  try {
    return Result.succeed({
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port === "" ? (implicitTls ? 465 : signsIn ? 587 : 25) : Number(url.port),
      implicitTls,
      credentials: signsIn
        ? { user: decodeURIComponent(url.username), password: Redacted.make(decodeURIComponent(url.password)) }
        : undefined
    })
  } catch {
    return Result.fail("has a user or password with a broken %-escape")
  }
}
