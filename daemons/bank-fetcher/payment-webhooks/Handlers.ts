import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import type { IncomingMessage } from "node:http"
import { inScope, providerTenant } from "#core/auth/Caller.ts"
import { clientAddress, isForwarded, isLoopback, peerAddress } from "#core/http/ClientAddress.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { pagedBySeq } from "../bank-store/SeqPage.ts"
import { maxEvent, PaymentWebhooksApi, type WebhookEventSummary } from "./Api.ts"
import { eventOf } from "./PaymentEvent.ts"
import { Receiver } from "./Receiver.ts"
import * as WebhookEvents from "./WebhookEvents.ts"

export const webhooks = Handlers.group(
  PaymentWebhooksApi,
  "paymentWebhooks",
  Effect.fn(function* (handlers) {
    const receiver = yield* Receiver
    return handlers.handleRaw(
      "receive",
      Effect.fnUntraced(function* ({ params: { provider }, request }) {
        const incoming = NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage
        const address = clientAddress(incoming)
        yield* receiver.admit(address)
        // A body that is too long or does not arrive is answered by the edge.
        const body = new Uint8Array(yield* Effect.orDie(request.arrayBuffer))
        if (body.length > maxEvent)
          return yield* new InvalidRequest({
            errors: [{ field: "payload", message: `must have at most ${maxEvent} bytes` }]
          })
        const isSigned = yield* receiver.accept({
          provider,
          address,
          body,
          signature: request.headers["x-webhook-signature"],
          isFromHere: !isForwarded(incoming) && isLoopback(peerAddress(incoming))
        })
        const event = eventOf(body)
        const outcome = yield* orUnavailable(
          tenantTransaction(providerTenant, WebhookEvents.receive(providerTenant, provider, isSigned, event))
        )
        return { event_id: event.eventId, outcome }
      })
    )
  })
)

const summary = ({ seq: _seq, ...row }: WebhookEvents.StoredEvent): typeof WebhookEventSummary.Type => ({
  ...row,
  received_at: row.received_at.toISOString()
})

export const webhookEvents = Handlers.group(PaymentWebhooksApi, "paymentWebhookEvents", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage, ...filter } }) {
      return pagedBySeq(yield* orUnavailable(inScope(WebhookEvents.list(filter, before, limit + 1))), limit, summary)
    }),
    show: Effect.fnUntraced(function* ({ params }) {
      const { body, ...row } = yield* orUnavailable(inScope(WebhookEvents.get(params.uuid)))
      return { ...summary(row), body }
    })
  })
)
