/** Exports of webhook-secrets for other features. */
export { headersOf } from "./Signature.ts"
export { webhookSecretSettings } from "./Settings.ts"
export { layer as webhookSecretsLayer, WebhookSecrets } from "./WebhookSecrets.ts"
