/** Implementation of `signalbox bank invoice`. The commands use the database, so no daemon needs to run. */
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { fail } from "#core/cli/Ending.ts"
import { columns, print, table } from "#core/cli/Output.ts"
import { InvalidRequest } from "#core/http/Problem.ts"
import { ReconcileWanted } from "../../bank-store/BankJobs.ts"
import { changing, operator, reading } from "../../bank-store/OperatorStore.ts"
import { requestReconcile } from "../../bank-store/ReconcileRequest.ts"
import { decoded, given, isId, type Maybe, tenantFor } from "../OperatorFlags.ts"
import { InvoiceChange, NewInvoice } from "./Fields.ts"
import * as InvoiceLists from "./InvoiceLists.ts"
import * as Invoices from "./Invoices.ts"
import { changed, normalised } from "./Normalise.ts"
import { detail, summary } from "./Views.ts"

export const list = Effect.fnUntraced(function* (flags: {
  readonly tenant: Maybe<number>
  readonly customer: Maybe<number>
  readonly status: Maybe<"open" | "partial" | "paid" | "cancelled">
  readonly overdue: boolean
  readonly q: Maybe<string>
  readonly limit: number
  readonly json: boolean
}) {
  const filter = {
    ...given("tenant_id", flags.tenant),
    ...given("customer_id", flags.customer),
    ...given("status", flags.status),
    ...given("q", flags.q),
    ...(flags.overdue ? { overdue: "true" as const } : {})
  }
  const found = (yield* reading(InvoiceLists.list(filter, undefined, flags.limit))).map(summary)
  yield* print(flags.json, found, () =>
    table("No matching invoices.", [
      ["number", "amount", "open", "currency", "due", "status", "customer", "tenant", "id"],
      ...found.map((row) => [
        row.number,
        row.amount,
        row.open,
        row.currency,
        row.due_on,
        row.overdue ? `${row.status}, overdue` : row.status,
        row.customer_name ?? "",
        String(row.tenant_id),
        row.id
      ])
    ])
  )
})

/** Id of the invoice with this id or number. */
const meant = Effect.fnUntraced(function* (which: string, tenant: Maybe<number>) {
  if (isId(which)) return which
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: string; tenant_id: number }>`select id, tenant_id from bank_fetcher.invoice
    where number = ${which} and (${Option.isNone(tenant)} or tenant_id = ${Option.getOrElse(tenant, () => 0)})
    order by tenant_id limit 10`
  if (rows.length > 1)
    return yield* fail(
      `Several tenants have an invoice ${which}. Name one with --tenant: ${rows.map((row) => row.tenant_id).join(", ")}`
    )
  return rows[0]?.id ?? (yield* fail(`The invoice ${which} does not exist.`))
})

const invoiceLines = (row: Effect.Success<ReturnType<typeof detail>>) => [
  ...columns([
    ["number", row.number],
    ["id", row.id],
    ["amount", `${row.amount} ${row.currency}`],
    ["open", `${row.open} ${row.currency}`],
    ["status", row.overdue ? `${row.status}, overdue` : row.status],
    ["issued", row.issued_on],
    ["due", row.due_on],
    ...(row.discount === null ? [] : [["cash discount", `${row.discount.amount} until ${row.discount.until}`]]),
    ["customer", row.customer_name ?? String(row.customer_id ?? "none")],
    ["tenant", String(row.tenant_id)]
  ]),
  ...columns(
    row.payments.map((payment) => [
      "payment",
      payment.paid_on,
      payment.amount,
      payment.source,
      payment.state,
      payment.payment_id
    ])
  )
]

interface Which {
  readonly which: string
  readonly tenant: Maybe<number>
  readonly json: boolean
}

export const show = Effect.fnUntraced(function* ({ json, tenant, which }: Which) {
  const reader = Effect.flatMap(meant(which, tenant), (id) => Effect.flatMap(Invoices.get(id), detail))
  yield* print(json, yield* reading(reader), invoiceLines)
})

interface OptionalFields {
  readonly due: Maybe<string>
  readonly discount: Maybe<string>
  readonly discountUntil: Maybe<string>
  readonly customer: Maybe<number>
  readonly currency: Maybe<string>
  readonly note: Maybe<string>
}

/** Fields of the request. An empty text removes the discount or the note. */
const fieldsOf = (flags: OptionalFields) => {
  const { discount: amount, discountUntil: until, note } = flags
  const isGiven = Option.isSome(amount) || Option.isSome(until)
  const discount = Option.contains(amount, "") ? null : { ...given("amount", amount), ...given("until", until) }
  return {
    ...given("due_on", flags.due),
    ...given("customer_id", flags.customer),
    ...given("currency", flags.currency),
    ...(isGiven ? { discount } : {}),
    ...(Option.contains(note, "") ? { note: null } : given("note", note))
  }
}

const storable = (fields: Parameters<typeof normalised>[0]) => {
  const to = normalised(fields)
  return "problems" in to ? Effect.fail(new InvalidRequest({ errors: to.problems })) : Effect.succeed(to)
}

interface CreateFlags extends OptionalFields {
  readonly number: string
  readonly amount: string
  readonly issued: string
  readonly tenant: Maybe<number>
  readonly externalId: Maybe<string>
  readonly json: boolean
}

export const create = Effect.fnUntraced(function* (flags: CreateFlags) {
  const creating = Effect.gen(function* () {
    const { external_id: externalId = null, ...fields } = yield* decoded(NewInvoice, {
      number: flags.number,
      amount: flags.amount,
      issued_on: flags.issued,
      ...given("external_id", flags.externalId),
      ...fieldsOf(flags)
    })
    const to = yield* storable(fields)
    const tenantId = yield* tenantFor(flags.tenant, flags.customer)
    const made = yield* Invoices.create(tenantId, externalId, to, operator)
    yield* requestReconcile(tenantId)
    return yield* detail(made)
  })
  yield* print(flags.json, yield* changing([ReconcileWanted], creating), invoiceLines)
})

/** Requests a decision about the transactions that the invoice may explain, or no longer explains. */
const reconciled = (row: Invoices.Invoice) => Effect.as(requestReconcile(row.tenant_id), row)

interface UpdateFlags extends Which, OptionalFields {
  readonly number: Maybe<string>
  readonly amount: Maybe<string>
  readonly issued: Maybe<string>
  readonly noCustomer: boolean
}

export const update = Effect.fnUntraced(function* (flags: UpdateFlags) {
  const updating = Effect.gen(function* () {
    const change = yield* decoded(InvoiceChange, {
      ...given("number", flags.number),
      ...given("amount", flags.amount),
      ...given("issued_on", flags.issued),
      ...fieldsOf(flags),
      ...(flags.noCustomer ? { customer_id: null } : {})
    })
    const id = yield* meant(flags.which, flags.tenant)
    const after = yield* Invoices.update(id, (before) => storable(changed(before, change)), operator)
    return yield* detail(yield* reconciled(after))
  })
  yield* print(flags.json, yield* changing([ReconcileWanted], updating), invoiceLines)
})

export const cancel = Effect.fnUntraced(function* ({ json, tenant, which }: Which) {
  const cancelling = meant(which, tenant).pipe(
    Effect.flatMap((id) => Invoices.cancel(id, operator)),
    Effect.flatMap(reconciled),
    Effect.flatMap(detail)
  )
  yield* print(json, yield* changing([ReconcileWanted], cancelling), invoiceLines)
})

export const remove = Effect.fnUntraced(function* ({ json, tenant, which }: Which) {
  const removing = meant(which, tenant).pipe(
    Effect.flatMap((id) => Invoices.remove(id, operator)),
    Effect.flatMap(reconciled)
  )
  const { id, number } = yield* changing([ReconcileWanted], removing)
  yield* print(json, { id, number }, () => [`deleted ${number}`])
})
