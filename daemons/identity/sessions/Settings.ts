/** Settings of sessions and of the throttle. */
import { accessLifetime } from "#core/auth/TokenClaims.ts"
import * as Settings from "#core/config/Settings.ts"
import { publicUrl } from "#core/http/PublicBase.ts"
import { signInLimits } from "#core/config/SignInLimits.ts"

export { publicUrl } from "#core/http/PublicBase.ts"

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
