/** Settings of client tokens. */
import { publicUrl } from "#core/http/PublicBase.ts"
import * as Settings from "#core/config/Settings.ts"

/** Default lifetime of a token. Unit: days. Source: interface document 2 §8. */
export const defaultTokenDays = 7

export const tokenSettings = {
  publicUrl,
  tokenDays: Settings.integer("SIGNALBOX_PROVISIONING_TOKEN_DAYS", {
    doc: "How long a provisioning link is valid, unless it is used before",
    unit: "days",
    default: defaultTokenDays,
    min: 1,
    max: 90
  })
}
