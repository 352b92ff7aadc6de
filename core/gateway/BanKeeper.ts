/**
 * The ban list as a service of a daemon, for daemons that refuse banned addresses themselves or run on hosts without a
 * gateway. Uses the table and the files of the gateway (Bans.ts).
 */
import { Context, Effect, Layer } from "effect"
import { settings } from "../config/Environment.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import * as Migrations from "../sql/Migrations.ts"
import { Supervisor } from "../supervision/Supervisor.ts"
import type { BanList } from "./BanList.ts"
import * as Bans from "./Bans.ts"

const keeperSettings = { trustedProxies: platformSettings.trustedProxies, networkDir: platformSettings.networkDir }

export class BanKeeper extends Context.Service<BanKeeper, { readonly banned: BanList }>()("signalbox/core/BanKeeper") {}

const keep = Effect.gen(function* () {
  const config = yield* settings(keeperSettings)
  yield* Migrations.run(Bans.gatewayMigrations)
  const bans = yield* Bans.make({ trusted: config.trustedProxies, directory: config.networkDir })
  yield* Supervisor.actors(bans.actors)
  return BanKeeper.of({ banned: bans.banned })
})

/** Keeps the list, and the files when `SIGNALBOX_NETWORK_DIR` is set. */
export const layer = Layer.effect(BanKeeper, keep)

/** Only keeps the files, when `SIGNALBOX_NETWORK_DIR` is set. */
export const files = Layer.effectDiscard(
  Effect.flatMap(settings(keeperSettings), ({ networkDir }) => (networkDir === undefined ? Effect.void : keep))
)
