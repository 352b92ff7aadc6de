/** Base address of links that commands print, from the settings of this machine. */
import { Effect } from "effect"
import { settings } from "#core/config/Environment.ts"
import { platformSettings } from "#core/config/PlatformSettings.ts"
import { publicUrl as publicUrlSetting } from "../sessions/Exports.ts"

/** Bind addresses that mean all interfaces. */
const everywhere = new Set(["0.0.0.0", "::"])

/** Base address without trailing slash. */
export const linkBase = Effect.gen(function* () {
  const { bind, gatewayPort, publicUrl } = yield* settings({
    publicUrl: publicUrlSetting,
    bind: platformSettings.bind,
    gatewayPort: platformSettings.gatewayPort
  })
  const host = everywhere.has(bind) ? "127.0.0.1" : bind.includes(":") ? `[${bind}]` : bind
  return publicUrl?.replace(/\/+$/, "") ?? `http://${host}:${gatewayPort}`
})
