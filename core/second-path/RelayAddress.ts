/** Parses the address of an SMTP relay. Pure. Separate from the sending module, so that commands need not load it. */
import { Redacted, Result } from "effect"

/** Address of an SMTP relay and the credentials for it. */
export interface Relay {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (`smtps:`). */
  readonly implicitTls: boolean
  readonly credentials: { readonly user: string; readonly password: Redacted.Redacted } | undefined
}

/**
 * Parses `smtp://` or `smtps://` with host, port and `user:password@`. Default ports: 25, with credentials 587, smtps
 * 465. A failure is a sentence.
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
