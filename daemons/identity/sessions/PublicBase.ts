/** Address at which browsers reach this installation, for links and for the return from an OpenID provider. */
import { Context, Layer } from "effect"

export class PublicBase extends Context.Service<
  PublicBase,
  {
    /** Without a slash at its end: the public address, or where this request came to. */
    readonly of: (headers: Readonly<Record<string, string | undefined>>) => string
  }
>()("signalbox/identity/PublicBase") {}

/** `publicUrl`: as it is configured, if it is. */
export const layer = (publicUrl: string | undefined): Layer.Layer<PublicBase> =>
  Layer.succeed(PublicBase, { of: (headers) => publicBase(publicUrl, headers) })

/**
 * Public address, or the address of the request where none is configured. Pure. A forged `host` misleads only its own
 * client: a provider redirects to registered addresses only. The listener has removed forwarded headers of untrusted
 * proxies.
 */
export const publicBase = (
  publicUrl: string | undefined,
  headers: Readonly<Record<string, string | undefined>>
): string => {
  if (publicUrl !== undefined) return publicUrl
  const host = headers["host"] ?? ""
  const base = `${headers["x-forwarded-proto"] === "https" ? "https" : "http"}://${host}`
  return hostForm.test(host) && URL.canParse(base) ? base : "http://localhost"
}

/** Name or address with a port, and nothing that could end up in a path. */
const hostForm = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/
