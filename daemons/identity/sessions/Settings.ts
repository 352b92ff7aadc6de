/** Settings of sessions and of the throttle. */
import { accessLifetime } from "#core/auth/TokenClaims.ts"
import * as Settings from "#core/config/Settings.ts"
import { signInLimits } from "#core/config/SignInLimits.ts"

/** Address at which browsers reach this installation. */
export const publicUrl = Settings.httpAddress("SIGNALBOX_PUBLIC_URL", {
  doc: "Address at which people reach us, for links and for the way back from outside providers; unset: where we listen"
})

export const sessionSettings = {
  accessTtl: Settings.integer("SIGNALBOX_JWT_TTL", {
    doc: "How long an access token is good",
    unit: "seconds",
    default: accessLifetime.default,
    min: accessLifetime.min,
    max: accessLifetime.max
  }),
  sessionTtl: Settings.integer("SIGNALBOX_SESSION_TTL", {
    doc: "How long somebody stays signed in without coming back",
    unit: "seconds",
    default: 30 * 86_400,
    min: 300,
    max: 365 * 86_400
  }),
  ...signInLimits,
  publicUrl
}
