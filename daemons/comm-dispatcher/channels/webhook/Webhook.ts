import { Clock, type Duration, Effect, type Redacted, Schema } from "effect"
import { userAgent } from "#core/config/Version.ts"
import type { Cidr } from "#core/http/AddressGuard.ts"
import { OutboundHttp, type OutboundResponse } from "#core/http/OutboundHttp.ts"
import { severities } from "../../vocabulary/Exports.ts"
import { headersOf } from "../../webhook-secrets/Exports.ts"
import type { Outcome } from "../Outcome.ts"

/**
 * Body of a webhook. The same bytes for every attempt, because receivers answer 422 to a different body under a known
 * Idempotency-Key. Values that differ between attempts are headers.
 */
export const WebhookBody = Schema.Struct({
  run_id: Schema.String,
  /** `email.alarm.received` for alarms by mail. */
  event_type: Schema.String,
  severity: Schema.Literals(severities),
  /** Severity, this target and RETRY in the syntax of a subject, without other targets; of a request its first line. */
  subject: Schema.String,
  /** The first line of the text; words that say so when the text is empty. */
  title: Schema.String,
  /** The mail's text; the title when the text is empty. */
  body: Schema.String,
  /** The sender's address; empty when the alarm did not come by mail. */
  from: Schema.String,
  /** When the alarm was received: ISO 8601, UTC. */
  timestamp: Schema.String
})
export type WebhookBody = typeof WebhookBody.Type

export interface WebhookDelivery {
  readonly url: string
  /** Idempotency key, the same for every attempt at this target of this run. */
  readonly idempotencyKey: string
  readonly body: WebhookBody
  /** Attempt number, starting at 1; sent as `X-Signalbox-Attempt`. */
  readonly attempt: number
  readonly tenantId: number
  /** Each adds a signature to `X-Signalbox-Signature`. */
  readonly secrets?: ReadonlyArray<Redacted.Redacted>
  readonly allowCidrs?: ReadonlyArray<Cidr>
  readonly timeout?: Duration.Duration
  /**
   * Maximum number of redirects to follow. Default: that of the outbound HTTP client. With 0 a redirect fails the
   * delivery.
   */
  readonly maxRedirects?: number
}

const encodeBody = Schema.encodeSync(Schema.fromJsonString(WebhookBody))

/** One attempt: POST, and the outcome of its answer. */
export const deliver = Effect.fn("Webhook.deliver")(function* (delivery: WebhookDelivery) {
  const outbound = yield* OutboundHttp
  const now = yield* Clock.currentTimeMillis
  const body = encodeBody(delivery.body)
  const answer = outbound.request({
    method: "POST",
    url: delivery.url,
    headers: {
      "Content-Type": "application/json",
      "Idempotency-Key": delivery.idempotencyKey,
      "User-Agent": userAgent,
      "X-Signalbox-Attempt": String(delivery.attempt),
      ...headersOf(delivery.secrets ?? [], {
        tenantId: delivery.tenantId,
        delivery: delivery.idempotencyKey,
        timestamp: Math.floor(now / 1_000),
        body
      })
    },
    body,
    ...(delivery.allowCidrs === undefined ? {} : { allowCidrs: delivery.allowCidrs }),
    ...(delivery.timeout === undefined ? {} : { timeout: delivery.timeout }),
    ...(delivery.maxRedirects === undefined ? {} : { maxRedirects: delivery.maxRedirects })
  })
  return yield* answer.pipe(
    Effect.map((response) => outcome(response, now)),
    Effect.catch((error) =>
      Effect.succeed<Outcome>(
        error.retryable
          ? { _tag: "Retryable", reason: error.message, reached: error.requestSent ? "perhaps" : "no" }
          : { _tag: "Permanent", reason: error.message }
      )
    )
  )
})

/**
 * 409: the first request with this key is still being processed (draft-ietf-httpapi-idempotency-key §2.6); retryable.
 */
const passing = new Set([408, 409, 425, 429])

/** The outcome of a status. `now`, epoch milliseconds, is the base of a Retry-After date. */
export const outcome = ({ headers, status }: Pick<OutboundResponse, "status" | "headers">, now: number): Outcome => {
  if (status >= 200 && status < 300) return { _tag: "Delivered", detail: `status ${status}` }
  const reason = `the receiver answered ${status}`
  if (status < 500 && !passing.has(status)) return { _tag: "Permanent", reason }
  const retryAfter = status === 429 || status === 503 ? readRetryAfter(headers["retry-after"], now) : undefined
  return { _tag: "Retryable", reason, reached: "yes", ...(retryAfter === undefined ? {} : { retryAfter }) }
}

/** RFC 9110 §10.2.3: seconds or an HTTP date. In milliseconds; undefined when it is neither. */
const readRetryAfter = (value: string | undefined, now: number): number | undefined => {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1_000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
