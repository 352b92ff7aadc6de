/** Stores events of payment providers, and does what they want, once. In the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { paymentByExternalId, recordProviderPayment, refundProviderPayment } from "../invoices/Exports.ts"
import { requestReconcile } from "../bank-store/ReconcileRequest.ts"
import type { PaymentEvent, Wanted } from "./PaymentEvent.ts"

export type ProviderName = "card" | "wallet"

export interface StoredEvent {
  readonly id: string
  readonly seq: number
  readonly provider: ProviderName
  readonly event_id: string
  readonly type: string | null
  readonly signed: boolean
  readonly state: "applied" | "unknown" | "failed"
  readonly problem: string | null
  readonly payment_id: string | null
  readonly received_at: Date
}

/** What an event did. */
interface Outcome {
  readonly state: StoredEvent["state"]
  readonly problem: string | null
  readonly paymentId: string | null
}

/** Stores the event and does what it wants; `duplicate` when it was received before. */
export const receive = Effect.fnUntraced(function* (
  tenantId: number,
  provider: ProviderName,
  isSigned: boolean,
  { eventId, text, type, wanted }: PaymentEvent
) {
  const sql = yield* SqlClient.SqlClient
  // Waits for another transaction that receives the same event.
  const [made] = yield* sql<{ id: string }>`
    insert into bank_fetcher.webhook_event (tenant_id, provider, event_id, type, signed, state, body)
    values (${tenantId}, ${provider}, ${eventId}, ${type}, ${isSigned}, 'unknown', ${text})
    on conflict (tenant_id, provider, event_id) do nothing returning id`
  if (made === undefined) return "duplicate" as const
  const { paymentId, problem, state } = yield* apply(tenantId, provider, wanted)
  yield* sql`update bank_fetcher.webhook_event set state = ${state}, problem = ${problem},
      payment_id = ${paymentId}::uuid
    where id = ${made.id}::uuid`
  return state
})

const apply = (tenantId: number, provider: ProviderName, wanted: Wanted) => {
  switch (wanted.kind) {
    case "pay":
      return pay(tenantId, provider, wanted)
    case "refund":
      return refund(tenantId, provider, wanted)
    case "unknown":
      return Effect.succeed<Outcome>({ state: "unknown", problem: null, paymentId: null })
    case "failed":
      return Effect.succeed(failure(wanted.problem))
  }
}

const failure = (problem: string, paymentId: string | null = null): Outcome => ({ state: "failed", problem, paymentId })

/** External id of a provider's payment. */
const externalId = (provider: ProviderName, payment: string): string => `${provider}:${payment}`

const today = () => new Date().toISOString().slice(0, 10)

const pay = Effect.fnUntraced(function* (
  tenantId: number,
  provider: ProviderName,
  { amount, currency, customerId, invoiceId, invoiceNumber, paidOn, payment }: Wanted & { readonly kind: "pay" }
) {
  const { id, isNew, problem } = yield* recordProviderPayment(tenantId, {
    source: provider,
    externalId: externalId(provider, payment),
    customerId,
    amount,
    currency,
    paidOn: paidOn ?? today(),
    invoiceId,
    invoiceNumber
  })
  return isNew
    ? ({ state: "applied", problem, paymentId: id } satisfies Outcome as Outcome)
    : failure("Another event recorded this payment.", id)
})

const refund = Effect.fnUntraced(function* (
  tenantId: number,
  provider: ProviderName,
  { amount, currency, paidOn, payment }: Wanted & { readonly kind: "refund" }
) {
  const paymentId = yield* paymentByExternalId(tenantId, externalId(provider, payment))
  if (paymentId === undefined) return failure("No payment has this payment_id.")
  return yield* refundProviderPayment({ paymentId, amount, currency, paidOn: paidOn ?? today() }).pipe(
    Effect.andThen(requestReconcile(tenantId)),
    Effect.as<Outcome>({ state: "applied", problem: null, paymentId }),
    Effect.catchTags({
      SettlementRefused: ({ reason }) =>
        Effect.succeed(failure(`The payment cannot be refunded: ${reason}.`, paymentId)),
      NotFound: () => Effect.succeed(failure("No payment has this payment_id."))
    })
  )
})

export interface Filter {
  readonly tenant_id?: number
  readonly provider?: ProviderName
  readonly state?: StoredEvent["state"]
  readonly type?: string
  readonly signed?: "true" | "false"
  /** Part of the id, in any case. */
  readonly event_id?: string
  readonly payment_id?: string
}

const columns = (sql: SqlClient.SqlClient) =>
  sql`id, seq, provider, event_id, type, signed, state, problem, payment_id, received_at`

/** Events, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (
  { event_id: eventId, payment_id: paymentId, provider, signed, state, tenant_id: tenant, type }: Filter,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<StoredEvent>`select ${columns(sql)} from bank_fetcher.webhook_event where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`tenant_id = ${tenant}`]),
    ...(provider === undefined ? [] : [sql`provider = ${provider}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(signed === undefined ? [] : [sql`signed = ${signed === "true"}`]),
    ...(eventId === undefined ? [] : [sql`strpos(lower(event_id), lower(${eventId})) > 0`]),
    ...(paymentId === undefined ? [] : [sql`payment_id = ${paymentId}::uuid`]),
    ...(before === undefined ? [] : [sql`seq < ${before}`])
  ])} order by seq desc limit ${limit}`
})

/** Event with this id and its body, or 404. */
export const get = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<StoredEvent & { readonly body: string }>`select ${columns(sql)}, body
    from bank_fetcher.webhook_event where id = ${id}::uuid`
  return row ?? (yield* new NotFound({ detail: "The event does not exist." }))
})
