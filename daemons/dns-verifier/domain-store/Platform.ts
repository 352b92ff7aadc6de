/** The configured addresses of the platform, to which domains must point. */
import { Context, Effect, Layer } from "effect"
import { settings as readSettings } from "#core/config/Environment.ts"
import { mailServerSettings } from "#core/config/MailServerSettings.ts"
import { adjustPlatformRecords } from "./PlatformRecords.ts"
import type { PlatformAddresses } from "../record-sets/DesiredSets.ts"

export class Platform extends Context.Service<
  Platform,
  {
    readonly addresses: PlatformAddresses
    /** Variables that are not set yet and that every domain waits for. */
    readonly missing: ReadonlyArray<string>
  }
>()("signalbox/dns-verifier/Platform") {}

/** On build, updates the stored platform records to the configured addresses. */
export const platform = Layer.effect(
  Platform,
  Effect.gen(function* () {
    const { platformIpv4: ipv4, platformIpv6: ipv6 } = yield* readSettings(mailServerSettings)
    const addresses = { ipv4, ipv6 }
    yield* Effect.orDie(adjustPlatformRecords(addresses))
    return Platform.of({ addresses, missing: ipv4 === undefined ? ["SIGNALBOX_PLATFORM_IPV4"] : [] })
  })
)
