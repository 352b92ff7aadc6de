import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { inTenant, page, pageOf, plainText } from "#core/http/Paging.ts"
import { InvalidRequest, NotFound, Unavailable } from "#core/http/Problem.ts"
import { Uuid } from "../bank-store/Fields.ts"
import { NoWebhookSecret, TooManyEvents, WrongSignature } from "./Errors.ts"

/** Longest event. Unit: bytes. Reason: providers' events have a few kilobytes. */
export const maxEvent = 256 * 1024

export const Provider = Schema.Literals(["card", "wallet"])
export const EventState = Schema.Literals(["applied", "unknown", "failed"])

const summary = {
  id: Schema.String,
  provider: Provider,
  /** Id that the provider gave the event; else the SHA-256 of the body. */
  event_id: Schema.String,
  /** Such as `payment.succeeded`; null when the body names none. */
  type: Schema.NullOr(Schema.String),
  /** Whether the signature was verified. False: received without a secret. */
  signed: Schema.Boolean,
  /** `unknown`: stored without effect. `failed`: of a known type, but not usable. */
  state: EventState,
  /** Why the event failed, or what a person should look at. */
  problem: Schema.NullOr(Schema.String),
  /** Payment that the event made or undid. */
  payment_id: Schema.NullOr(Schema.String),
  received_at: Schema.String
}

export const WebhookEventSummary = Schema.Struct(summary).annotate({ identifier: "PaymentWebhookEventSummary" })
export const WebhookEventView = Schema.Struct({
  ...summary,
  /** As received. */
  body: Schema.String
}).annotate({ identifier: "PaymentWebhookEvent" })

/** Answer to the provider. */
export const Received = Schema.Struct({
  event_id: Schema.String,
  /** `duplicate`: the event was received before, and nothing changed. */
  outcome: Schema.Literals([...EventState.literals, "duplicate"])
}).annotate({ identifier: "PaymentWebhookReceived" })

/** Events from payment providers. */
export const webhooks = HttpApiGroup.make("paymentWebhooks")
  .add(
    HttpApiEndpoint.post("receive", "/:provider", {
      params: { provider: Provider },
      success: Received,
      error: [WrongSignature, NoWebhookSecret, TooManyEvents, InvalidRequest, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Receive an event of a payment provider",
        description:
          "The header `X-Webhook-Signature` is the HMAC-SHA256 of the body's bytes in hex, with the provider's " +
          "secret; 403 when it is wrong. Without a configured secret, events from the machine itself are accepted. " +
          "The body is JSON with `id`, `type` and `data`. `payment.succeeded` has `amount`, `currency` and " +
          "optionally `paid_at`, `payment_id`, `invoice_number` or `invoice_id`, and `customer_id`: it records a " +
          "payment. `payment.refunded` has `payment_id` and optionally `amount` with `currency`: it undoes the " +
          "payment, or a part. Other types are stored. An event with a known `id` changes nothing."
      })
    )
  )
  .prefix("/api/v1/payments/webhooks")

/** Events that were received, for people. */
export const webhookEvents = HttpApiGroup.make("paymentWebhookEvents")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(),
        ...inTenant,
        provider: Schema.optionalKey(Provider),
        state: Schema.optionalKey(EventState),
        type: Schema.optionalKey(plainText(100)),
        signed: Schema.optionalKey(Schema.Literals(["true", "false"])),
        /** Part of the provider's id, in any case. */
        event_id: Schema.optionalKey(plainText(200)),
        /** Payment that the event made or undid. */
        payment_id: Schema.optionalKey(Uuid)
      },
      success: pageOf(WebhookEventSummary)
    })
      .annotate(Requires, "ebics.view")
      .annotateMerge(OpenApi.annotations({ summary: "Received events of payment providers, newest first" })),
    HttpApiEndpoint.get("show", "/:uuid", { params: { uuid: Uuid }, success: WebhookEventView, error: NotFound })
      .annotate(Requires, "ebics.view")
      .annotateMerge(OpenApi.annotations({ summary: "One received event with its body" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/payments/webhook-events")

/** API definition of the feature. */
export const PaymentWebhooksApi = Api.make("payment-webhooks").add(webhooks).add(webhookEvents)
