/** The configured addresses of the platform, to which domains must point. */
import { Context, Effect, Layer } from "effect"
import { settings as readSettings } from "#core/config/Environment.ts"
import { mailServerSettings } from "#core/config/MailServerSettings.ts"
import { NotConfigured } from "#core/http/Problem.ts"
import { adjustPlatformRecords } from "./PlatformRecords.ts"
import type { PlatformAddresses } from "../record-sets/DesiredSets.ts"

export class Platform extends Context.Service<
  Platform,
  {
    readonly addresses: PlatformAddresses
    /** The addresses; fails while no IPv4 address is configured, because new domains would have no target. */
    readonly get: Effect.Effect<PlatformAddresses, NotConfigured>
  }
>()("signalbox/dns-verifier/Platform") {}

const settings = ["SIGNALBOX_PLATFORM_IPV4"]

/** On build, updates the stored platform records to the configured addresses. */
export const platform = Layer.effect(
  Platform,
  Effect.gen(function* () {
    const { platformIpv4: ipv4, platformIpv6: ipv6 } = yield* readSettings(mailServerSettings)
    const addresses = { ipv4, ipv6 }
    yield* Effect.orDie(adjustPlatformRecords(addresses))
    return Platform.of({
      addresses,
      get:
        ipv4 === undefined
          ? Effect.fail(
              new NotConfigured({ settings, detail: `Set ${settings.join(" and ")}, then restart dns-verifier.` })
            )
          : Effect.succeed(addresses)
    })
  })
)
