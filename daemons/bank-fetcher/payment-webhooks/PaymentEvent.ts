/** Reads events of payment providers in their neutral form. Pure. */
import { Result, Schema } from "effect"
import { createHash } from "node:crypto"
import { BodyId } from "#core/http/Paging.ts"
import { fieldProblems } from "#core/http/Problem.ts"
import { Time } from "#core/http/Time.ts"
import { Amount, Currency, minorIn, Uuid } from "../bank-store/Fields.ts"

/** Longest id of an event or payment. Unit: characters. Reason: known providers have at most 64. */
const maxId = 200

const EventId = Schema.String.pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maxId)))

const Succeeded = Schema.Struct({
  amount: Amount,
  currency: Currency,
  paid_at: Schema.optionalKey(Time),
  /** Id of the payment at the provider. Default: the id of the event. */
  payment_id: Schema.optionalKey(EventId),
  invoice_id: Schema.optionalKey(Uuid),
  invoice_number: Schema.optionalKey(Schema.String),
  customer_id: Schema.optionalKey(BodyId)
})

const Refunded = Schema.Struct({
  /** `payment_id` of the payment's event, or the id of that event. */
  payment_id: EventId,
  /** Default: the whole payment. */
  amount: Schema.optionalKey(Amount),
  currency: Schema.optionalKey(Currency),
  refunded_at: Schema.optionalKey(Time)
})

const Envelope = Schema.Struct({
  id: Schema.optionalKey(EventId),
  type: Schema.optionalKey(Schema.String),
  data: Schema.optionalKey(Schema.Unknown)
})

/** What an event wants. Amounts in minor units. */
export type Wanted =
  | {
      readonly kind: "pay"
      readonly payment: string
      readonly amount: number
      readonly currency: string
      /** Day in UTC; null: the day of receipt. */
      readonly paidOn: string | null
      readonly invoiceId: string | null
      readonly invoiceNumber: string | null
      readonly customerId: number | null
    }
  | {
      readonly kind: "refund"
      readonly payment: string
      /** Null: the whole payment. */
      readonly amount: number | null
      readonly currency: string | null
      readonly paidOn: string | null
    }
  | { readonly kind: "unknown" }
  | { readonly kind: "failed"; readonly problem: string }

export interface PaymentEvent {
  readonly eventId: string
  readonly type: string | null
  /** As received, without characters that Postgres cannot store. */
  readonly text: string
  readonly wanted: Wanted
}

/** Longest type that is kept. Unit: characters. */
const maxType = 100

const failed = (problem: string): Wanted => ({ kind: "failed", problem })

/** The event in a body. A body that is no event fails, and its SHA-256 is its id. */
export const eventOf = (body: Uint8Array): PaymentEvent => {
  const text = Buffer.from(body).toString("utf8").replaceAll("\0", "\ufffd")
  const envelope = Schema.decodeUnknownResult(Envelope)(parsed(text))
  const hash = () => createHash("sha256").update(body).digest("hex")
  if (Result.isFailure(envelope))
    return { eventId: hash(), type: null, text, wanted: failed("The body is no JSON object with id, type and data.") }
  const { data, id, type } = envelope.success
  const eventId = storable(id) ?? hash()
  return { eventId, type: storable(type)?.slice(0, maxType) ?? null, text, wanted: wantedOf(eventId, type, data) }
}

/** The text without NUL characters and half surrogate pairs, which Postgres cannot store. */
const storable = (text: string | undefined): string | undefined => text?.toWellFormed().replaceAll("\0", "\ufffd")

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const wantedOf = (eventId: string, type: string | undefined, data: unknown): Wanted => {
  switch (type) {
    case "payment.succeeded":
      return decoded(Succeeded, data, (fields) => {
        const amount = minorIn(fields.amount, fields.currency)
        if (typeof amount === "object") return failed(`data.amount ${amount.problem}`)
        return amount <= 0
          ? failed("data.amount must be above 0")
          : {
              kind: "pay",
              payment: fields.payment_id ?? eventId,
              amount,
              currency: fields.currency,
              paidOn: dayIn(fields.paid_at),
              invoiceId: fields.invoice_id?.toLowerCase() ?? null,
              invoiceNumber: fields.invoice_number ?? null,
              customerId: fields.customer_id ?? null
            }
      })
    case "payment.refunded":
      return decoded(Refunded, data, ({ amount: text, currency = null, payment_id: payment, refunded_at: at }) => {
        if (text !== undefined && currency === null) return failed("data.currency is missing")
        const amount = text === undefined || currency === null ? null : minorIn(text, currency)
        if (amount !== null && typeof amount === "object") return failed(`data.amount ${amount.problem}`)
        return amount !== null && amount <= 0
          ? failed("data.amount must be above 0")
          : { kind: "refund", payment, amount, currency, paidOn: dayIn(at) }
      })
    default:
      return { kind: "unknown" }
  }
}

const dayIn = (time: string | undefined): string | null =>
  time === undefined ? null : new Date(time).toISOString().slice(0, 10)

const decoded = <A>(schema: Schema.Codec<A, unknown>, data: unknown, use: (fields: A) => Wanted): Wanted => {
  const fields = Schema.decodeUnknownResult(schema)(data)
  if (Result.isSuccess(fields)) return use(fields.success)
  const [first] = fieldProblems("data", fields.failure.issue)
  return failed(`${first?.field ?? "data"}: ${first?.message ?? "is wrong"}`)
}
