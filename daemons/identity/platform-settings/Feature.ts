import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { brandSettings } from "#core/config/BrandSettings.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { envelopeColumn } from "#core/settings/SettingStore.ts"
import { PlatformSettingsApi } from "./Api.ts"
import { branding, platformSettings as handlers } from "./Handlers.ts"

/** Settings of the installation that operators change while it runs. */
export const platformSettings = Feature.make({
  settings: brandSettings,
  sealed: [envelopeColumn],
  api: PlatformSettingsApi,
  layer: HttpApiBuilder.layer(PlatformSettingsApi).pipe(Layer.provide([handlers, branding]))
})
