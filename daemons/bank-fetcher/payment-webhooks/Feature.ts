import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { ReconcileWanted } from "../bank-store/BankJobs.ts"
import { PaymentWebhooksApi } from "./Api.ts"
import { webhookEvents, webhooks } from "./Handlers.ts"
import { paymentWebhooks as tables } from "./migrations/0006_payment_webhooks.ts"
import * as Receiver from "./Receiver.ts"
import { webhookSettings } from "./Settings.ts"

/** Events of payment providers. */
export const paymentWebhooks = Feature.make({
  settings: webhookSettings,
  migrations: [tables],
  queues: [ReconcileWanted],
  api: PaymentWebhooksApi,
  layer: HttpApiBuilder.layer(PaymentWebhooksApi).pipe(
    Layer.provide([webhooks, webhookEvents]),
    Layer.provide(Receiver.layer)
  )
})
