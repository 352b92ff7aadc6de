/**
 * Writes the networks of trunks for the firewall of this host, when `SIGNALBOX_NETWORK_DIR` is set. The switch's port
 * for trunks asks for no password, so only these networks may reach it.
 */
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { trunkFile } from "#core/bans/BanFiles.ts"
import * as NetworkFiles from "#core/bans/NetworkFiles.ts"
import { settings } from "#core/config/Environment.ts"
import { platformSettings } from "#core/config/PlatformSettings.ts"
import { Wake } from "#core/events/Wake.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
import { dataTopic, effectiveNetworks, type NetworksOf } from "../directory/Exports.ts"

/** Interval of checks without announcement. Reason: a lost announcement delays calls of a new trunk by that long. */
const lookInterval = Duration.seconds(30)

const networks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const trunks = yield* sql<NetworksOf>`select host, networks, confirmed from sip_config.trunk where enabled`
  return trunks.flatMap(effectiveNetworks)
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { networkDir } = yield* settings({ networkDir: platformSettings.networkDir })
    if (networkDir === undefined) return
    yield* Supervisor.actor({
      name: "trunk networks",
      run: Effect.gen(function* () {
        const actor = yield* Actor
        const changed = yield* (yield* Wake).subscribe(dataTopic)
        while (true) {
          yield* actor.progress
          const found = yield* transaction(networks)
          yield* NetworkFiles.write(networkDir, [trunkFile(found)])
          yield* actor.note(`${found.length} networks in ${networkDir}`)
          yield* changed.wait(lookInterval)
        }
      })
    })
  })
)
