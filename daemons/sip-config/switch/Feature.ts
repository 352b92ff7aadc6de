import { Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import * as Feature from "#core/daemon/Feature.ts"
import * as BanKeeper from "#core/gateway/BanKeeper.ts"
import { Lane } from "#core/lane/Lane.ts"
import { sipSettings } from "../directory/Exports.ts"
import { planOf, projected } from "../routing/Exports.ts"
import { theSwitch } from "./migrations/0003_switch.ts"
import * as SwitchLane from "./SwitchLane.ts"
import { switchLaneSettings } from "./SwitchSettings.ts"
import * as TrunkFile from "./TrunkFile.ts"

const all = { ...sipSettings, ...switchLaneSettings }

const lane = Layer.unwrap(
  Effect.map(settings(all), (config) =>
    SwitchLane.layer({ plan: planOf(config), ports: { tls: config.tlsPort }, ranges: config.switchRanges })
  )
)

/** Feature: configuration, directory and dialplan that the telephone switch requests. */
export const switchConfiguration = Feature.make({
  settings: all,
  migrations: [theSwitch],
  routes: [{ prefix: "/switch/xml", rateLimited: false }],
  layer: Layer.merge(
    Layer.effectDiscard(
      Effect.flatMap(SwitchLane.SwitchLane, ({ handle }) => Lane.handle(SwitchLane.switchLane, handle))
    ).pipe(Layer.provide(lane), Layer.provide(projected), Layer.provide(BanKeeper.layer)),
    TrunkFile.layer
  )
})
