import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { inTenant, page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { isDay } from "#protocols/bank-formats/Values.ts"
import { NotRead, TooLarge, TooManyImports } from "./Errors.ts"
import { maxImport, maxZip } from "./RawFiles.ts"
import { FileView, ImportView, reconciliationStatuses, StatementView, TransactionView } from "./Views.ts"

const Uuid = Schema.String.pipe(Schema.check(Schema.isUUID()))
const params = { uuid: Uuid }
const view = "ebics.view"
const manage = "ebics.manage"

const Day = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter((text: string) =>
      /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text) ? undefined : "must be a day such as 2026-01-31"
    )
  )
)
/** Decimal amount of a filter. Unit: the currency's main unit. */
const Amount = Schema.String.pipe(Schema.check(Schema.isPattern(/^-?\d{1,13}(\.\d{1,4})?$/)))
const Currency = Schema.String.pipe(Schema.check(Schema.isPattern(/^[A-Z]{3}$/)))
const yes = Schema.Literals(["true", "false"])

/** Largest seq. Source: JavaScript's largest exact integer; Postgres `bigint` is larger. */
const largestSeq = Number.MAX_SAFE_INTEGER

const transactionFilter = {
  ...inTenant,
  account: Schema.optionalKey(Uuid),
  statement: Schema.optionalKey(Uuid),
  status: Schema.optionalKey(Schema.Literals(reconciliationStatuses)),
  booking_status: Schema.optionalKey(Schema.Literals(["booked", "pending", "information"])),
  direction: Schema.optionalKey(Schema.Literals(["in", "out"])),
  from: Schema.optionalKey(Day),
  to: Schema.optionalKey(Day),
  min_amount: Schema.optionalKey(Amount),
  max_amount: Schema.optionalKey(Amount),
  currency: Schema.optionalKey(Currency),
  q: Schema.optionalKey(plainText(100)),
  current: Schema.optionalKey(Schema.Literals(["true", "false", "all"]))
}

const filterText =
  "`status` is the reconciliation status. `from` and `to` are days of the booking. `min_amount` and `max_amount` " +
  "bound the amount without its sign. `direction`: `in` is money that came in. `q` matches a part of the reference, " +
  "the name, an IBAN or an id in any letter case. `current`: `true` (default) leaves out rows that a later statement " +
  "replaced; with `statement`, the default is `all`."

/** Statements, and the files that they come from. */
export const statements = HttpApiGroup.make("bankStatements")
  .add(
    HttpApiEndpoint.get("list", "/statements", {
      query: {
        ...page(),
        ...inTenant,
        account: Schema.optionalKey(Uuid),
        file: Schema.optionalKey(Uuid),
        kind: Schema.optionalKey(Schema.Literals(["end_of_day", "intraday"])),
        state: Schema.optionalKey(Schema.Literals(["current", "replaced"])),
        from: Schema.optionalKey(Day),
        to: Schema.optionalKey(Day),
        findings: Schema.optionalKey(yes)
      },
      success: pageOf(StatementView)
    })
      .annotate(Requires, view)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Bank statements, newest first",
          description:
            "`from` and `to` select statements that cover a day of this range. `findings=true` selects statements " +
            "that people should look at."
        })
      ),
    HttpApiEndpoint.post("imported", "/statements/import", {
      query: { ...inTenant, account: Schema.optionalKey(Uuid), name: Schema.optionalKey(plainText(1000)) },
      success: ImportView.pipe(HttpApiSchema.status(202)),
      error: [NotRead, NotFound, TooLarge, TooManyImports]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Import a file with statements",
          description:
            "The body is the file: camt.052, camt.053, MT940, MT942, or a ZIP file of these. At most " +
            `${maxImport} bytes, a ZIP file ${maxZip}. The file name is \`name\`, otherwise that of ` +
            "`Content-Disposition`. The statements belong to the accounts with their IBANs; `account` gets those " +
            "without an IBAN. A tenant may import 4 GiB and 10,000 files a day, two files at the same time. " +
            "The answer comes before the files are read: `GET …/files/{uuid}` shows the outcome. A file that is " +
            "stored already is a duplicate, and is not read again."
        })
      ),
    HttpApiEndpoint.get("show", "/statements/:uuid", { params, success: StatementView, error: NotFound })
      .annotate(Requires, view)
      .annotateMerge(
        OpenApi.annotations({
          summary: "One bank statement",
          description: "`GET …/transactions?statement={uuid}` lists its transactions."
        })
      ),
    HttpApiEndpoint.get("raw", "/statements/:uuid/raw", {
      params,
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/octet-stream" }),
      error: NotFound
    })
      .annotate(Requires, view)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Original file of a statement",
          description: "The file as the bank sent it, which may contain more statements. Kept for ten years."
        })
      ),
    HttpApiEndpoint.get("files", "/files", {
      query: {
        ...page(),
        ...inTenant,
        account: Schema.optionalKey(Uuid),
        source: Schema.optionalKey(Schema.Literals(["ebics", "import"])),
        state: Schema.optionalKey(Schema.Literals(["waiting", "parsed", "failed", "removed"]))
      },
      success: pageOf(FileView)
    })
      .annotate(Requires, view)
      .annotateMerge(OpenApi.annotations({ summary: "Files from banks, newest first" })),
    HttpApiEndpoint.get("file", "/files/:uuid", { params, success: FileView, error: NotFound })
      .annotate(Requires, view)
      .annotateMerge(OpenApi.annotations({ summary: "One file from a bank" })),
    HttpApiEndpoint.get("fileRaw", "/files/:uuid/raw", {
      params,
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/octet-stream" }),
      error: NotFound
    })
      .annotate(Requires, view)
      .annotateMerge(OpenApi.annotations({ summary: "Content of a file from a bank" })),
    HttpApiEndpoint.post("parse", "/files/:uuid/parse", {
      params,
      success: FileView.pipe(HttpApiSchema.status(202)),
      error: NotFound
    })
      .annotate(Requires, manage)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Read a failed file again",
          description: "For use after an update. A file that was read, or is waiting, stays as it is."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/crm/ebics")

/** Transactions of the statements. */
export const transactions = HttpApiGroup.make("bankTransactions")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...page(largestSeq), ...transactionFilter },
      success: pageOf(TransactionView)
    })
      .annotate(Requires, view)
      .annotateMerge(OpenApi.annotations({ summary: "List bank transactions, newest first", description: filterText })),
    HttpApiEndpoint.get("exported", "/export", {
      query: transactionFilter,
      success: HttpApiSchema.StreamUint8Array({ contentType: "text/csv; charset=utf-8" })
    })
      .annotate(Requires, view)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Bank transactions as CSV",
          description:
            `${filterText} UTF-8, separated by commas, newest first. A text that a spreadsheet would take for a ` +
            "formula gets an apostrophe in front."
        })
      ),
    HttpApiEndpoint.get("show", "/:uuid", { params, success: TransactionView, error: NotFound })
      .annotate(Requires, view)
      .annotateMerge(OpenApi.annotations({ summary: "One bank transaction" }))
  )
  .middleware(Authentication)
  .prefix("/api/v1/crm/ebics/transactions")

export const StatementsApi = Api.make("bankStatements").add(statements, transactions)
