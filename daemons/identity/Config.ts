/** What identity is told by its environment. */
import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { cidrProblem, platformSettings } from "#core/config/PlatformSettings.ts"
import { signInLimits } from "#core/config/SignInLimits.ts"
import { accessLifetime } from "#core/auth/TokenClaims.ts"
import { factorSettings } from "./factors/Settings.ts"
import { oidcSettings } from "./federation/Settings.ts"

/** Where a mail server may ask from when nothing says otherwise: this machine and private networks. Source: RFC 1918, RFC 4193. */
const privateRanges = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]

export const identitySettings = {
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
  keyDays: Settings.integer("SIGNALBOX_JWT_KEY_DAYS", {
    doc: "After how long a new key signs",
    unit: "days",
    default: 90,
    min: 1,
    max: 3650
  }),
  ...signInLimits,
  introspectionRanges: Settings.list("SIGNALBOX_INTROSPECTION_ALLOW_CIDRS", {
    doc: "From where a mail server may ask about tokens, besides naming itself",
    default: privateRanges,
    check: cidrProblem
  }),
  publicUrl: Settings.httpAddress("SIGNALBOX_PUBLIC_URL", {
    doc: "Address at which people reach us, for links and for the way back from outside providers; unset: where we listen"
  }),
  /** The first of them is the first admin's address; none: admin@localhost. */
  adminEmail: platformSettings.adminEmail,
  ...factorSettings,
  ...oidcSettings
}

export type IdentityConfig = Values<typeof identitySettings>
