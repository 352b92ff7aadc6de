/** Base address of links that commands print. */
import { Effect } from "effect"
import { settings } from "#core/config/Environment.ts"
import { platformSettings } from "#core/config/PlatformSettings.ts"
import { readOnce } from "#core/settings/ReadOnce.ts"
import { publicUrl } from "../sessions/Exports.ts"

/** Bind addresses that mean all interfaces. */
const everywhere = new Set(["0.0.0.0", "::"])

/** Base address without trailing slash: the public address, else that of this machine. */
export const linkBase = Effect.gen(function* () {
  const { bind, gatewayPort } = yield* settings({
    bind: platformSettings.bind,
    gatewayPort: platformSettings.gatewayPort
  })
  const host = everywhere.has(bind) ? "127.0.0.1" : bind.includes(":") ? `[${bind}]` : bind
  return (yield* readOnce(publicUrl))?.replace(/\/+$/, "") ?? `http://${host}:${gatewayPort}`
})
