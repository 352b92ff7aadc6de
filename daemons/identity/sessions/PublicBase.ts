/** Public base address of this installation, for links and for the return from an OpenID provider. */
import { Context, Layer } from "effect"
import { publicBase } from "#core/http/PublicBase.ts"

export class PublicBase extends Context.Service<
  PublicBase,
  {
    /** The configured address, or the address of the request; without trailing slash. */
    readonly of: (headers: Readonly<Record<string, string | undefined>>) => string
  }
>()("signalbox/identity/PublicBase") {}

/**
 * `publicUrl`: the configured address, if any. Without one, a provider still redirects to registered addresses only.
 */
export const layer = (publicUrl: string | undefined): Layer.Layer<PublicBase> =>
  Layer.succeed(PublicBase, { of: (headers) => publicBase(publicUrl, headers) })
