/** Settings of sessions and of the throttle. */
import { accessLifetime } from "#core/auth/TokenClaims.ts"
import * as Settings from "#core/config/Settings.ts"
import { signInLimits } from "#core/config/SignInLimits.ts"

/** Address at which browsers reach this installation. */
export const publicUrl = Settings.httpAddress("SIGNALBOX_PUBLIC_URL", {
  doc: "Public address, for links and for the callbacks of OpenID providers; unset: the address it listens on"
})

export const sessionSettings = {
  accessTtl: Settings.integer("SIGNALBOX_JWT_TTL", {
    doc: "Lifetime of an access token",
    unit: "seconds",
    default: accessLifetime.default,
    min: accessLifetime.min,
    max: accessLifetime.max
  }),
  sessionTtl: Settings.integer("SIGNALBOX_SESSION_TTL", {
    doc: "How long an unused session lasts",
    unit: "seconds",
    default: 30 * 86_400,
    min: 300,
    max: 365 * 86_400
  }),
  ...signInLimits,
  publicUrl
}
