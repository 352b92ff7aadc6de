import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { DevicePagesApi } from "./Api.ts"
import { devicePages as handlers } from "./Handlers.ts"
import { phoneLinks } from "./migrations/0051_phone_links.ts"
import { devicePageConflicts, devicePageSettings } from "./Settings.ts"

/** What devices without a client of ours load: profiles for Apple devices and configurations of telephones. */
export const devicePages = Feature.make({
  settings: devicePageSettings,
  conflicts: devicePageConflicts,
  migrations: [phoneLinks],
  api: DevicePagesApi,
  layer: HttpApiBuilder.layer(DevicePagesApi).pipe(Layer.provide(handlers))
})
