/** `signalbox bank invoice`, `payment` and `customer-ibans`. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"

const ofInvoices = () => import("./invoice/Operator.ts")
const ofPayments = () => import("./payment/Operator.ts")
const ofImports = () => import("./imports/Operator.ts")
const ofCustomers = () => import("./customers/Operator.ts")

const which = Argument.String("invoice").pipe(Argument.withDescription("Id, or number of the invoice"))
const paymentId = Argument.String("payment").pipe(Argument.withDescription("Id of the payment"))
const file = Argument.String("file").pipe(Argument.withDescription("CSV file"))
const text = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description))
const optional = (name: string, description: string) => text(name, description).pipe(Flag.optional)
const ofTenant = Flag.Int("tenant").pipe(Flag.withDescription("Only of this tenant"), Flag.optional)
const tenant = Flag.Int("tenant").pipe(
  Flag.withDescription("Tenant; default: the customer's, else the provider's"),
  Flag.optional
)
const ofCustomer = Flag.Int("customer").pipe(Flag.withDescription("Only of this customer"), Flag.optional)
const customer = Flag.Int("customer").pipe(Flag.withDescription("Id of the customer"), Flag.optional)
const currency = optional("currency", "ISO 4217 code; default: EUR")
const note = optional("note", "Note for people")
const due = (more: string) => optional("due", `Day on which it is due${more}`)
const discount = optional("discount", "Cash discount: how much less is due until --discount-until")
const discountUntil = optional("discount-until", "Last day of the cash discount")
const externalId = optional("external-id", "Id of an outside CRM")

const listInvoices = Command.make(
  "list",
  {
    tenant: ofTenant,
    customer: ofCustomer,
    status: Flag.Literals("status", ["open", "partial", "paid", "cancelled"]).pipe(
      Flag.withDescription("Only invoices with this status"),
      Flag.optional
    ),
    overdue: Flag.Boolean("overdue").pipe(Flag.withDescription("Only overdue invoices"), Flag.withDefault(false)),
    q: optional("q", "Part of the number, external id, note or customer"),
    limit,
    json
  },
  (flags) => lazily(ofInvoices, (module) => module.list(flags))
).pipe(
  Command.withDescription("Lists invoices and credit notes, newest first."),
  Command.withExamples([{ command: "signalbox bank invoice list --overdue", description: "Who has not paid" }])
)

const showInvoice = Command.make("show", { which, tenant: ofTenant, json }, (flags) =>
  lazily(ofInvoices, (module) => module.show(flags))
).pipe(Command.withDescription("Shows an invoice and its payments."))

const createInvoice = Command.make(
  "create",
  {
    number: text("number", "Number of the invoice"),
    amount: text("amount", "Amount such as 250.50; negative: a credit note"),
    issued: text("issued", "Day of the invoice, such as 2030-01-31"),
    due: due("; default: 14 days later"),
    discount,
    discountUntil,
    customer,
    tenant,
    currency,
    externalId,
    note,
    json
  },
  (flags) => lazily(ofInvoices, (module) => module.create(flags))
).pipe(Command.withDescription("Creates an invoice or a credit note."))

const updateInvoice = Command.make(
  "update",
  {
    which,
    tenant: ofTenant,
    number: optional("number", "New number"),
    amount: optional("amount", "New amount"),
    issued: optional("issued", "Day of the invoice"),
    due: due(""),
    discount,
    discountUntil,
    customer,
    noCustomer: Flag.Boolean("no-customer").pipe(
      Flag.withDescription("The invoice belongs to no customer"),
      Flag.withDefault(false)
    ),
    currency: optional("currency", "ISO 4217 code"),
    note,
    json
  },
  (flags) => lazily(ofInvoices, (module) => module.update(flags))
).pipe(
  Command.withDescription("Changes an invoice. An empty value, --discount '' or --note '', removes the field."),
  Command.withExamples([
    { command: "signalbox bank invoice update RE-2030-0001 --due 2030-03-01", description: "More time to pay" }
  ])
)

const deleteInvoice = Command.make("delete", { which, tenant: ofTenant, json }, (flags) =>
  lazily(ofInvoices, (module) => module.remove(flags))
).pipe(Command.withDescription("Deletes an invoice that no payment ever settled."))

const importInvoices = Command.make("import", { file, tenant, json }, (flags) =>
  lazily(ofImports, (module) => module.importFile("invoices", flags))
).pipe(
  Command.withDescription(
    "Imports invoices from a CSV file; the daemon does the work. Columns: number, amount, issued_on, and optionally " +
      "external_id, customer_number, customer_id, currency, due_on, discount_until, discount_amount, note."
  )
)

const cancelInvoice = Command.make("cancel", { which, tenant: ofTenant, json }, (flags) =>
  lazily(ofInvoices, (module) => module.cancel(flags))
).pipe(Command.withDescription("Cancels an invoice that no payment settles."))

const progress = (kind: "invoices" | "payments") =>
  Command.make(
    "import-progress",
    { id: Argument.String("import").pipe(Argument.withDescription("Id that `import` printed")), json },
    (flags) => lazily(ofImports, (module) => module.importProgress(kind, flags))
  ).pipe(Command.withDescription("Shows the progress of an import, and the rows that failed."))

export const invoice = Command.make("invoice").pipe(
  Command.withDescription("Invoices and credit notes."),
  Command.withSubcommands([
    listInvoices,
    showInvoice,
    createInvoice,
    updateInvoice,
    cancelInvoice,
    deleteInvoice,
    importInvoices,
    progress("invoices")
  ])
)

const listPayments = Command.make(
  "list",
  {
    tenant: ofTenant,
    customer: ofCustomer,
    state: Flag.Literals("state", ["active", "undone"]).pipe(
      Flag.withDescription("Only payments in this state"),
      Flag.optional
    ),
    unassigned: Flag.Boolean("unassigned").pipe(
      Flag.withDescription("Only payments of which a part settles no invoice"),
      Flag.withDefault(false)
    ),
    q: optional("q", "Part of the external id, note, customer or invoice number"),
    limit,
    json
  },
  (flags) => lazily(ofPayments, (module) => module.list(flags))
).pipe(Command.withDescription("Lists payments, newest first."))

const showPayment = Command.make("show", { id: paymentId, json }, (flags) =>
  lazily(ofPayments, (module) => module.show(flags))
).pipe(Command.withDescription("Shows a payment and what it settles."))

const createPayment = Command.make(
  "create",
  {
    amount: text("amount", "Amount such as 250.50; negative: money that went out"),
    paid: text("paid", "Day of the payment, such as 2030-01-31"),
    invoice: Flag.String("invoice").pipe(
      Flag.withDescription("Number of an invoice that it settles; several: one flag each"),
      Flag.atLeast(0)
    ),
    customer,
    tenant,
    currency,
    externalId,
    note,
    json
  },
  (flags) => lazily(ofPayments, (module) => module.create(flags))
).pipe(
  Command.withDescription("Records a payment, which settles the invoices in their order."),
  Command.withExamples([
    {
      command: "signalbox bank payment create --amount 250.50 --paid 2030-01-31 --invoice RE-2030-0001",
      description: "Somebody paid in cash"
    }
  ])
)

const undoPayment = Command.make("undo", { id: paymentId, json }, (flags) =>
  lazily(ofPayments, (module) => module.undo(flags))
).pipe(Command.withDescription("Undoes a payment; its invoices are open again."))

const importPayments = Command.make("import", { file, tenant, json }, (flags) =>
  lazily(ofImports, (module) => module.importFile("payments", flags))
).pipe(
  Command.withDescription(
    "Imports payments from a CSV file; the daemon does the work. Columns: external_id, amount, paid_on, and " +
      "optionally invoice_numbers (separated by |), customer_number, customer_id, currency, note."
  )
)

export const payment = Command.make("payment").pipe(
  Command.withDescription("Payments, and what they settle."),
  Command.withSubcommands([listPayments, showPayment, createPayment, undoPayment, importPayments, progress("payments")])
)

const customerId = Argument.Int("customer").pipe(Argument.withDescription("Id of the customer"))

const listIbans = Command.make(
  "list",
  { tenant: ofTenant, q: optional("q", "Part of the name or number, or begin of an IBAN"), limit, json },
  (flags) => lazily(ofCustomers, (module) => module.list(flags))
).pipe(Command.withDescription("Lists customers with their IBANs."))

const addIban = Command.make("add", { customer: customerId, iban: Argument.String("iban"), json }, (flags) =>
  lazily(ofCustomers, (module) => module.add(flags))
).pipe(Command.withDescription("Adds an IBAN to a customer."))

const removeIban = Command.make("remove", { customer: customerId, iban: Argument.String("iban"), json }, (flags) =>
  lazily(ofCustomers, (module) => module.remove(flags))
).pipe(Command.withDescription("Removes an IBAN of a customer."))

export const customerIbans = Command.make("customer-ibans").pipe(
  Command.withDescription("IBANs of customers, by which payments are matched."),
  Command.withSubcommands([listIbans, addIban, removeIban])
)
