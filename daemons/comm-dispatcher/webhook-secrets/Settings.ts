/** Settings of webhook secrets. */
import * as Settings from "#core/config/Settings.ts"

export const webhookSecretSettings = {
  webhookSecret: Settings.secret("SIGNALBOX_WEBHOOK_SECRET", {
    doc:
      "Signs webhooks of the provider's tenant, beside the secrets that `signalbox webhook-secret rotate` makes; " +
      "other tenants have only those"
  })
}

export type WebhookSecretConfig = Settings.Values<typeof webhookSecretSettings>
