/** Public base address of this installation, for links and for the return from an OpenID provider. */
import { Context, Layer } from "effect"

export class PublicBase extends Context.Service<
  PublicBase,
  {
    /** The configured address, or the address of the request; without trailing slash. */
    readonly of: (headers: Readonly<Record<string, string | undefined>>) => string
  }
>()("signalbox/identity/PublicBase") {}

/** `publicUrl`: the configured address, if any. */
export const layer = (publicUrl: string | undefined): Layer.Layer<PublicBase> =>
  Layer.succeed(PublicBase, { of: (headers) => publicBase(publicUrl, headers) })

/**
 * The public address, or the address of the request when none is configured. Pure. A forged `host` misleads only its
 * sender, because a provider redirects to registered addresses only. The listener has removed forwarded headers of
 * untrusted proxies.
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

/** A host name or address with optional port. Excludes characters that could become part of a path. */
const hostForm = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/
