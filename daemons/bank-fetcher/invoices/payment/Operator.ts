/** Implementation of `signalbox bank payment`. The commands use the database, so no daemon needs to run. */
import { Effect } from "effect"
import { columns, print, table } from "#core/cli/Output.ts"
import { InvalidRequest } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import { ReconcileWanted } from "../../bank-store/BankJobs.ts"
import { changing, operator, reading } from "../../bank-store/OperatorStore.ts"
import { requestReconcile } from "../../bank-store/ReconcileRequest.ts"
import { PaymentMatched } from "../Errors.ts"
import { decoded, given, idOf, type Maybe, tenantFor } from "../OperatorFlags.ts"
import { NewPayment } from "./Fields.ts"
import * as Payments from "./Payments.ts"
import * as RecordPayment from "./RecordPayment.ts"
import { recordedOf } from "./Requests.ts"
import { undoPayment } from "./UndoPayment.ts"
import { view } from "./Views.ts"

export const list = Effect.fnUntraced(function* (flags: {
  readonly tenant: Maybe<number>
  readonly customer: Maybe<number>
  readonly state: Maybe<"active" | "undone">
  readonly unassigned: boolean
  readonly q: Maybe<string>
  readonly limit: number
  readonly json: boolean
}) {
  const filter = {
    ...given("tenant_id", flags.tenant),
    ...given("customer_id", flags.customer),
    ...given("state", flags.state),
    ...given("q", flags.q),
    ...(flags.unassigned ? { unassigned: "true" as const } : {})
  }
  const found = (yield* reading(Payments.list(filter, undefined, flags.limit))).map(view)
  yield* print(flags.json, found, () =>
    table("No matching payments.", [
      ["paid", "amount", "unassigned", "currency", "source", "state", "invoices", "tenant", "id"],
      ...found.map((row) => [
        row.paid_on,
        row.amount,
        row.unassigned,
        row.currency,
        row.source,
        row.state,
        row.allocations.map((allocation) => allocation.invoice_number).join(", "),
        String(row.tenant_id),
        row.id
      ])
    ])
  )
})

const paymentLines = (row: ReturnType<typeof view>) => [
  ...columns([
    ["id", row.id],
    ["amount", `${row.amount} ${row.currency}`],
    ["unassigned", `${row.unassigned} ${row.currency}`],
    ["paid", row.paid_on],
    ["source", row.source],
    ["state", row.state],
    ["tenant", String(row.tenant_id)]
  ]),
  ...columns(
    row.allocations.map(({ amount, discount, invoice_number: number }) => [
      "settles",
      number,
      amount,
      `cash discount ${discount}`
    ])
  )
]

interface OnePayment {
  readonly id: string
  readonly json: boolean
}

export const show = Effect.fnUntraced(function* ({ id, json }: OnePayment) {
  const found = yield* reading(Effect.flatMap(idOf(id), Payments.get))
  yield* print(json, view(found), paymentLines)
})

export const create = Effect.fnUntraced(function* (flags: {
  readonly amount: string
  readonly paid: string
  readonly invoice: ReadonlyArray<string>
  readonly customer: Maybe<number>
  readonly tenant: Maybe<number>
  readonly currency: Maybe<string>
  readonly externalId: Maybe<string>
  readonly note: Maybe<string>
  readonly json: boolean
}) {
  const creating = Effect.gen(function* () {
    const { external_id: externalId = null, ...fields } = yield* decoded(NewPayment, {
      amount: flags.amount,
      paid_on: flags.paid,
      allocations: flags.invoice.map((number) => ({ invoice_number: number })),
      ...given("customer_id", flags.customer),
      ...given("currency", flags.currency),
      ...given("external_id", flags.externalId),
      ...given("note", flags.note)
    })
    const payment = recordedOf(fields)
    if ("problems" in payment) return yield* new InvalidRequest({ errors: payment.problems })
    const tenantId = yield* tenantFor(flags.tenant, flags.customer)
    const id = yield* RecordPayment.record(tenantId, { ...payment, externalId }, operator)
    return yield* Payments.get(id)
  })
  yield* print(flags.json, view(yield* changing([], creating)), paymentLines)
})

export const undo = Effect.fnUntraced(function* ({ id, json }: OnePayment) {
  const undone = Effect.gen(function* () {
    const { tenant_id: tenantId, transaction_id: transactionId } = yield* Payments.get(yield* idOf(id))
    if (transactionId !== null) return yield* new PaymentMatched({ transaction_id: transactionId })
    if (yield* undoPayment(id)) {
      yield* Audit.write({ tenantId, ...operator, action: "payment.undone", entity: "payment", id })
      yield* requestReconcile(tenantId)
    }
    return yield* Payments.get(id)
  })
  yield* print(json, view(yield* changing([ReconcileWanted], undone)), paymentLines)
})
