import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { WebhookSecretsApi } from "./Api.ts"
import { webhookSecrets as handlers } from "./Handlers.ts"
import { webhookSecrets as table } from "./migrations/0006_webhook_secrets.ts"
import { webhookSecretSettings } from "./Settings.ts"
import { sealedWebhookSecrets } from "./Store.ts"

/** Secrets that sign webhooks, per tenant. */
export const webhookSecretsFeature = Feature.make({
  settings: webhookSecretSettings,
  migrations: [table],
  sealed: [sealedWebhookSecrets],
  api: WebhookSecretsApi,
  layer: HttpApiBuilder.layer(WebhookSecretsApi).pipe(Layer.provide(handlers))
})
