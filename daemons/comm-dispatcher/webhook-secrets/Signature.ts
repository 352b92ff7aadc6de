/**
 * Signature of a webhook. Pure. It covers the tenant, the delivery and the time, so that a receiver refuses a request
 * of another tenant, and one that is sent again. Receivers: docs/webhooks.md.
 */
import { createHmac } from "node:crypto"
import { Redacted } from "effect"

/** The signed parts of a request. */
export interface Signed {
  readonly tenantId: number
  /** Id of the delivery, the same for every attempt at a target. */
  readonly delivery: string
  /** Time of the attempt. Unit: Unix seconds. */
  readonly timestamp: number
  readonly body: string
}

const hexOf = (secret: Redacted.Redacted, { body, delivery, tenantId, timestamp }: Signed): string =>
  createHmac("sha256", Redacted.value(secret)).update(`v1.${tenantId}.${delivery}.${timestamp}.${body}`).digest("hex")

/** Headers that name the signed parts, with one signature per secret, the newest first. */
export const headersOf = (
  secrets: ReadonlyArray<Redacted.Redacted>,
  signed: Signed
): Readonly<Record<string, string>> => ({
  "X-Signalbox-Tenant": String(signed.tenantId),
  "X-Signalbox-Delivery": signed.delivery,
  "X-Signalbox-Timestamp": String(signed.timestamp),
  ...(secrets.length === 0
    ? {}
    : { "X-Signalbox-Signature": secrets.map((secret) => `v1=${hexOf(secret, signed)}`).join(",") })
})
