/** The addresses of the platform, to which domains must point, as they are configured now. */
import { Context, Effect, Layer } from "effect"
import { mailServerSettings } from "#core/config/MailServerSettings.ts"
import { StoredSettings, untilChanged } from "#core/settings/StoredSettings.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
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

/** On build and after each change, updates the stored platform records to the configured addresses. */
export const platform = Layer.effect(
  Platform,
  Effect.gen(function* () {
    const now = (yield* StoredSettings).live({}, mailServerSettings)
    const addresses = () => ({ ipv4: now.platformIpv4, ipv6: now.platformIpv6 })
    let adjusted = addresses()
    yield* Effect.orDie(adjustPlatformRecords(adjusted))
    yield* Supervisor.actor({
      name: "platform records",
      run: Effect.gen(function* () {
        const actor = yield* Actor
        while (true) {
          const changed = yield* untilChanged(addresses, adjusted, actor.progress)
          yield* adjustPlatformRecords(changed)
          adjusted = changed
        }
      })
    })
    return Platform.of({
      get addresses() {
        return addresses()
      },
      get missing() {
        return now.platformIpv4 === undefined ? ["SIGNALBOX_PLATFORM_IPV4"] : []
      }
    })
  })
)
