/** Where domains are to lead, as the installation says. */
import { Context, Effect, Layer } from "effect"
import { NotConfigured } from "#core/http/Problem.ts"
import type { DnsVerifierConfig } from "./Config.ts"
import type { PlatformAddresses } from "./zones/Wanted.ts"

export class Platform extends Context.Service<Platform, {
  /** A domain that leads nowhere is no domain of ours, so none is made before the installation says where to. */
  readonly get: Effect.Effect<PlatformAddresses, NotConfigured>
}>()("signalbox/dns-verifier/Platform") {}

const settings = ["SIGNALBOX_PLATFORM_IPV4"]

export const layer = ({ platformIpv4: ipv4, platformIpv6: ipv6 }: Pick<DnsVerifierConfig, "platformIpv4" | "platformIpv6">) =>
  Layer.succeed(Platform, Platform.of({
    get: ipv4 === undefined
      ? Effect.fail(new NotConfigured({ settings, detail: `Set ${settings.join(" and ")}, then restart dns-verifier.` }))
      : Effect.succeed({ ipv4, ipv6 })
  }))
