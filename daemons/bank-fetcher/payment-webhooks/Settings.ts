/** Settings of payment webhooks. */
import * as Settings from "#core/config/Settings.ts"
import { platformSettings } from "#core/config/PlatformSettings.ts"

const secretOf = (provider: string) => ({
  doc:
    `Secret of the ${provider} payment provider (payments.${provider}_webhook_secret), which signs its events; ` +
    "unset: unsigned events are accepted from this machine only"
})

export const webhookSettings = {
  cardSecret: Settings.secret("PAYMENTS_CARD_WEBHOOK_SECRET", secretOf("card")),
  walletSecret: Settings.secret("PAYMENTS_WALLET_WEBHOOK_SECRET", secretOf("wallet")),
  acceptsUnsigned: Settings.flag("PAYMENTS_ACCEPT_UNSIGNED_WEBHOOKS", {
    doc:
      "Accept unsigned events of payment providers without a secret from everywhere; only for tests: anybody can " +
      "then record payments",
    default: false
  }),
  bind: platformSettings.bind
}
