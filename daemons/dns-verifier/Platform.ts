/** Where domains are to lead, as the installation says. */
import { Context, Effect, Layer } from "effect"
import { NotConfigured } from "#core/http/Problem.ts"
import type { DnsVerifierConfig } from "./Config.ts"
import { adjustPlatformRecords } from "./data/PlatformRecords.ts"
import type { PlatformAddresses } from "./zones/Wanted.ts"

export class Platform extends Context.Service<
  Platform,
  {
    readonly addresses: PlatformAddresses
    /** A domain that leads nowhere is no domain of ours, so none is made before the installation says where to. */
    readonly get: Effect.Effect<PlatformAddresses, NotConfigured>
    /** Looks in a row that have to find a verified domain elsewhere. */
    readonly errorAfter: number
  }
>()("signalbox/dns-verifier/Platform") {}

const settings = ["SIGNALBOX_PLATFORM_IPV4"]

/** What is wanted of domains follows the installation when this is built. */
export const layer = ({
  dnsErrorAfter: errorAfter,
  platformIpv4: ipv4,
  platformIpv6: ipv6
}: Pick<DnsVerifierConfig, "dnsErrorAfter" | "platformIpv4" | "platformIpv6">) => {
  const addresses = { ipv4, ipv6 }
  const platform = Platform.of({
    addresses,
    get:
      ipv4 === undefined
        ? Effect.fail(
            new NotConfigured({ settings, detail: `Set ${settings.join(" and ")}, then restart dns-verifier.` })
          )
        : Effect.succeed(addresses),
    errorAfter
  })
  return Layer.effect(Platform, Effect.as(Effect.orDie(adjustPlatformRecords(addresses)), platform))
}
