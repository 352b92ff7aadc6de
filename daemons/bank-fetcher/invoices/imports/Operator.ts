/** Implementation of the imports of CSV files by commands. The daemon does the work. */
import { Effect, Option } from "effect"
import { readFile } from "node:fs/promises"
import { providerTenant } from "#core/auth/Caller.ts"
import { fail } from "#core/cli/Ending.ts"
import { columns, print } from "#core/cli/Output.ts"
import { maxFile, viewOf } from "#core/imports/Imports.ts"
import { fileProblem } from "#core/imports/ImportWorker.ts"
import { changing, operator, reading } from "../../bank-store/OperatorStore.ts"
import { idOf, type Maybe } from "../OperatorFlags.ts"
import { ImportInvoices, invoiceImports, ImportPayments, paymentImports } from "./ImportKinds.ts"
import { invoiceColumns } from "./InvoiceRow.ts"
import { paymentColumns } from "./PaymentRow.ts"

type Kind = "invoices" | "payments"
const kinds = {
  invoices: { imports: invoiceImports, columnsOf: invoiceColumns, job: ImportInvoices },
  payments: { imports: paymentImports, columnsOf: paymentColumns, job: ImportPayments }
} as const

const progressLines = (row: ReturnType<typeof viewOf<string>>) => [
  ...columns([
    ["id", row.id],
    ["state", row.state],
    ["rows", `${row.rows.done} of ${row.rows.total ?? "?"}`],
    ["created", String(row.rows.created)],
    ["changed", String(row.rows.changed)],
    ["unchanged", String(row.rows.unchanged)],
    ["failed", String(row.rows.failed)]
  ]),
  ...row.errors.map(({ line, message }) => `line ${line}: ${message}`)
]

export const importFile = Effect.fnUntraced(function* (
  kind: Kind,
  { file, json, tenant }: { readonly file: string; readonly tenant: Maybe<number>; readonly json: boolean }
) {
  const { columnsOf, imports, job } = kinds[kind]
  const text = yield* Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: (error) => fail(`The file cannot be read: ${(error as Error).message}`)
  })
  const size = Buffer.byteLength(text)
  const problem =
    size > maxFile ? `has more than ${maxFile} bytes` : yield* Effect.promise(() => fileProblem(text, columnsOf))
  if (problem !== undefined) return yield* fail(`${file} ${problem}`)
  const made = yield* changing(
    [job],
    imports.create(
      Option.getOrElse(tenant, () => providerTenant),
      text,
      operator
    )
  )
  yield* print(json, viewOf(made), progressLines)
})

export const importProgress = Effect.fnUntraced(function* (
  kind: Kind,
  { id, json }: { readonly id: string; readonly json: boolean }
) {
  const row = yield* reading(Effect.flatMap(idOf(id), kinds[kind].imports.get))
  yield* print(json, viewOf(row), progressLines)
})
