/** Public base address of this installation, for links and for the return from an OpenID provider. */
import { Context, Effect, Layer } from "effect"
import { publicBase } from "#core/http/PublicBase.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import { publicUrl } from "./Settings.ts"

export class PublicBase extends Context.Service<
  PublicBase,
  {
    /** The configured address, or the address of the request; without trailing slash. */
    readonly of: (headers: Readonly<Record<string, string | undefined>>) => string
  }
>()("signalbox/identity/PublicBase") {}

/**
 * With the public address that is configured at the time of each request. Without one, a provider still redirects to
 * registered addresses only.
 */
export const layer: Layer.Layer<PublicBase, never, StoredSettings> = Layer.effect(
  PublicBase,
  Effect.map(StoredSettings, ({ value }) => PublicBase.of({ of: (headers) => publicBase(value(publicUrl), headers) }))
)
