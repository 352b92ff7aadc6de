import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { paymentWebhooks as tables } from "./migrations/0006_payment_webhooks.ts"

/** Events of payment providers. */
export const paymentWebhooks = Feature.make({ migrations: [tables], layer: Layer.empty })
