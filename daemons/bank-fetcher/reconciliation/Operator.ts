/** Implements `signalbox bank reconcile` and the other commands of matching. They use the database. */
import { Console, Effect, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { fail } from "#core/cli/Ending.ts"
import { columns, print, table } from "#core/cli/Output.ts"
import { fieldProblems, InvalidRequest } from "#core/http/Problem.ts"
import type { Language } from "#core/words/Language.ts"
import { ReconcileWanted } from "../bank-store/BankJobs.ts"
import { changing, operator, reading } from "../bank-store/OperatorStore.ts"
import { ReconcileRequest, type ReconciliationView, type SuggestionView } from "./Api.ts"
import * as Batches from "./Batches.ts"
import { dashboard as dashboardOf } from "./Dashboard.ts"
import * as Decisions from "./Decisions.ts"
import { ofAllocations } from "./MatchRequest.ts"
import { groundOf } from "./MatchRun.ts"
import { batchView, recognisedView, reconciliationView, suggestionsOf, suggestionViews } from "./ReconciliationViews.ts"
import { get } from "./TransactionRows.ts"

/** Interval of looks at a batch. */
const lookInterval = "500 millis"

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const idOf = (text: string) => (uuid.test(text) ? Effect.succeed(text) : fail(`${text} is not an id.`))

interface OneTransaction {
  readonly transaction: string
  readonly lang: Language
  readonly json: boolean
}

export const reconcile = Effect.fnUntraced(function* (flags: {
  readonly tenant: number
  readonly wait: boolean
  readonly json: boolean
}) {
  const started = yield* changing([ReconcileWanted], Batches.start(flags.tenant, operator.actor))
  const ended = flags.wait ? yield* reading(waited(started.id)) : started
  const view = batchView(ended)
  yield* print(flags.json, view, () => [`batch ${view.id} is ${view.state}: ${countsOf(ended)}`])
  if (ended.state === "failed") return yield* fail(ended.problem ?? "The batch failed.")
})

const countsOf = ({ auto_matched, done, ignored, suggested, total, unmatched }: Batches.Batch) =>
  `${done} of ${total ?? "?"} decided, ${auto_matched} matched, ${suggested} suggested, ${ignored} ignored, ` +
  `${unmatched} unmatched`

/** The batch at its end. Tells the progress on standard error. */
const waited = Effect.fnUntraced(function* (id: string) {
  let last = ""
  while (true) {
    const batch = yield* Batches.get(id)
    if (batch.state === "finished" || batch.state === "failed") return batch
    const now = `${batch.state}: ${countsOf(batch)}`
    if (now !== last) yield* Console.error(now)
    last = now
    yield* Effect.sleep(lookInterval)
  }
})

const stateLines = (row: typeof ReconciliationView.Type) => [
  ...columns([
    ["transaction", row.transaction_id],
    ["status", row.reconciliation_status],
    ["amount", `${row.amount} ${row.currency}`],
    ["matched", `${row.matched} ${row.currency}`],
    ...(row.ignored_text === null ? [] : [["ignored", row.ignored_text]]),
    ...(row.decision === null ? [] : [["decided by", `${row.decision.decided_by} at ${row.decision.decided_at}`]])
  ]),
  ...columns(
    (row.decision?.allocations ?? []).map(({ amount, currency, number }) => ["settles", number, amount, currency])
  )
]

const suggestionLines = (found: ReadonlyArray<typeof SuggestionView.Type>) =>
  columns(
    found.map(({ allocations, confidence, reasons }) => [
      `${confidence} %`,
      allocations.map(({ amount, currency, number }) => `${number} ${amount} ${currency}`).join(" + "),
      reasons.map(({ text }) => text).join(", ")
    ])
  )

export const suggestions = Effect.fnUntraced(function* ({ json, lang, transaction }: OneTransaction) {
  const id = yield* idOf(transaction)
  const found = yield* reading(
    Effect.gen(function* () {
      const row = yield* get(id)
      const isOpen = row.current && (row.status === "unmatched" || row.status === "suggested")
      const ground = isOpen ? yield* groundOf(row.tenantId) : undefined
      return {
        ...(yield* reconciliationView(row, lang)),
        recognised: ground === undefined ? null : recognisedView(row, ground, lang),
        suggestions: yield* suggestionViews(row, ground === undefined ? [] : yield* suggestionsOf(row, ground), lang)
      }
    })
  )
  yield* print(json, found, () => [
    ...stateLines(found),
    ...(found.recognised === null ? [] : [found.recognised.text]),
    ...suggestionLines(found.suggestions)
  ])
})

/** The invoice with this id or number. */
const invoiceId = Effect.fnUntraced(function* (tenantId: number, named: string) {
  if (uuid.test(named)) return named
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: string }>`select id from bank_fetcher.invoice
    where tenant_id = ${tenantId} and number = ${named}`
  return row?.id ?? (yield* fail(`There is no invoice ${named}.`))
})

/** An invoice, or an invoice with `=` and an amount. */
const allocationOf = Effect.fnUntraced(function* (tenantId: number, text: string) {
  const [, named = text, amount] = /^(.*)=(-?[\d.]+)$/.exec(text) ?? []
  return { invoice_id: yield* invoiceId(tenantId, named), ...(amount === undefined ? {} : { amount }) }
})

export const match = Effect.fnUntraced(function* (
  flags: OneTransaction & {
    readonly invoice: ReadonlyArray<string>
    readonly note: Option.Option<string>
    readonly confirmCurrency: boolean
  }
) {
  const id = yield* idOf(flags.transaction)
  const change = Effect.gen(function* () {
    const row = yield* Decisions.lockOpen(id)
    const request = Schema.decodeUnknownResult(ReconcileRequest, { errors: "all" })({
      allocations: yield* Effect.forEach(flags.invoice, (text) => allocationOf(row.tenantId, text)),
      confirm_currency: flags.confirmCurrency,
      ...(Option.isSome(flags.note) ? { note: flags.note.value } : {})
    })
    if (Result.isFailure(request))
      return yield* new InvalidRequest({ errors: fieldProblems("payload", request.failure.issue) })
    yield* Decisions.match(row, yield* ofAllocations(row, request.success), operator)
    return yield* reconciliationView(yield* get(id), flags.lang)
  })
  const view = yield* changing([], change)
  yield* print(flags.json, view, stateLines)
})

const changed = <E, R>(
  { json, lang, transaction }: OneTransaction,
  change: (id: string) => Effect.Effect<unknown, E, R>
) =>
  Effect.gen(function* () {
    const id = yield* idOf(transaction)
    const shown = Effect.flatMap(get(id), (row) => reconciliationView(row, lang))
    const view = yield* changing([], Effect.andThen(change(id), shown))
    yield* print(json, view, stateLines)
  })

export const ignore = (flags: OneTransaction & { readonly reason: Option.Option<string> }) =>
  changed(flags, (id) => Decisions.ignore(id, Option.getOrNull(flags.reason), operator))

export const undo = (flags: OneTransaction) => changed(flags, (id) => Decisions.undo(id, operator))

export const dashboard = Effect.fnUntraced(function* (flags: {
  readonly tenant: number
  readonly days: number
  readonly json: boolean
}) {
  const view = yield* reading(dashboardOf(flags.tenant, flags.days))
  yield* print(flags.json, view, () => [
    ...table("No bank accounts. Add one: bin/signalbox bank --help", [
      ["account", "balance", "on", "last movement", "unmatched", "findings", "fetching"],
      ...view.accounts.map((one) => [
        one.name,
        `${one.intraday?.amount ?? one.balance?.amount ?? "?"} ${one.currency}`,
        one.intraday?.on ?? one.balance?.on ?? "",
        one.last_movement ?? "",
        String(one.unmatched),
        String(one.findings),
        one.failing === null
          ? (one.last_success ?? "never fetched")
          : `failed ${one.failing.failures} times: ${one.failing.problem ?? ""}`
      ])
    ]),
    ...columns(
      view.currencies.map(({ currency, open_invoices: open, overdue_invoices: overdue, suggested, unmatched }) => [
        currency,
        `${unmatched.count} unmatched`,
        `${suggested.count} suggested`,
        `${open.count} open invoices of ${open.amount}`,
        `${overdue.count} overdue of ${overdue.amount}`
      ])
    ),
    ...table("No bookings in this period.", [
      ["day", "currency", "in", "out", "bookings", "matched"],
      ...view.daily.map((day) => [
        day.day,
        day.currency,
        day.incoming,
        day.outgoing,
        String(day.transactions),
        String(day.matched)
      ])
    ])
  ])
})
