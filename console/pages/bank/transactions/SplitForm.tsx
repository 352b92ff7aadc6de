import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { call } from "../../../lib/Call.ts"
import { useFirstFocus } from "../../../lib/FirstFocus.ts"
import { money } from "../../../lib/Format.ts"
import { language, words } from "../../../lib/Language.ts"
import type { Problem } from "../../../lib/Problem.ts"
import { Finder, type Found } from "../../../parts/Finder.tsx"
import { ownTenant } from "../Accounts.ts"
import { decimalOf } from "../Amounts.ts"
import { Refused } from "../Refusals.ts"
import type { Suggestion, Transaction } from "../Shapes.ts"
import { allocationsOf, isForeign, type Part, problemOf, proposal, restOf, type SplitInvoice } from "./Split.ts"

const t = words({
  en: {
    title: "Choose invoices and split",
    invoice: (at: number) => `Invoice ${at}`,
    amount: (at: number) => `Amount ${at}`,
    find: "Number or customer",
    add: "Another invoice",
    remove: (at: number) => `Remove invoice ${at}`,
    open: (amount: string) => `open ${amount}`,
    total: "Transaction",
    rest: "Rest",
    restHint: "The rest stays with the customer as unassigned.",
    note: "Note (optional)",
    foreign: "The currencies differ. The amounts above are in the currency of the invoices; I have checked the rate.",
    send: "Match",
    cancel: "Cancel",
    no_part: "Add an invoice.",
    no_invoice: "Choose an invoice in every line.",
    twice: "An invoice is there twice.",
    bad_amount: "Enter an amount in every line, such as 250.50.",
    more_than_open: "An amount is more than what is open on its invoice.",
    too_much: "The amounts are more than the transaction.",
    mixed: "All invoices must have the same currency."
  },
  de: {
    title: "Rechnungen wählen und aufteilen",
    invoice: (at: number) => `Rechnung ${at}`,
    amount: (at: number) => `Betrag ${at}`,
    find: "Nummer oder Kunde",
    add: "Weitere Rechnung",
    remove: (at: number) => `Rechnung ${at} entfernen`,
    open: (amount: string) => `offen ${amount}`,
    total: "Umsatz",
    rest: "Rest",
    restHint: "Der Rest bleibt beim Kunden als nicht zugewiesen.",
    note: "Notiz (optional)",
    foreign:
      "Die Währungen sind verschieden. Die Beträge oben sind in der Währung der Rechnungen; ich habe den Kurs geprüft.",
    send: "Zuordnen",
    cancel: "Abbrechen",
    no_part: "Fügen Sie eine Rechnung hinzu.",
    no_invoice: "Wählen Sie in jeder Zeile eine Rechnung.",
    twice: "Eine Rechnung steht zweimal da.",
    bad_amount: "Geben Sie in jeder Zeile einen Betrag ein, etwa 250,50.",
    more_than_open: "Ein Betrag ist größer als das Offene seiner Rechnung.",
    too_much: "Die Beträge sind mehr als der Umsatz.",
    mixed: "Alle Rechnungen müssen dieselbe Währung haben."
  }
})

/** Decimal text as people of the page's language type it, without a sign. */
const localAmount = (amount: string): string =>
  language.peek() === "de" ? amount.replace("-", "").replace(".", ",") : amount.replace("-", "")

/** Invoices that a search offers. */
const offered = 12

interface OpenInvoice extends SplitInvoice, Found {}

const found = (invoice: SplitInvoice & { readonly customer_name: string | null }): OpenInvoice => ({
  id: invoice.id,
  number: invoice.number,
  open: invoice.open,
  currency: invoice.currency,
  label: invoice.number,
  detail: () =>
    [invoice.customer_name ?? "", t().open(money(invoice.open, invoice.currency))]
      .filter((one) => one !== "")
      .join(", ")
})

/** Invoices with an open amount that match the text. */
const find = async (q: string): Promise<ReadonlyArray<OpenInvoice>> => {
  const pages = await Promise.all(
    (["open", "partial"] as const).map((status) =>
      call("GET /api/v1/crm/invoices", { query: { ...ownTenant(), status, q, limit: offered } })
    )
  )
  return pages
    .flatMap(({ items }) => items)
    .toSorted((a, b) => (a.issued_on < b.issued_on ? 1 : -1))
    .slice(0, offered)
    .map(found)
}

export interface SplitRequest {
  readonly allocations: ReadonlyArray<{ readonly invoice_id: string; readonly amount: string }>
  readonly confirm_currency?: boolean
  readonly note?: string
}

interface Props {
  readonly transaction: Transaction
  /** Its invoices are in the form from the beginning; undefined for none. */
  readonly suggestion: Suggestion | undefined
  readonly busy: boolean
  readonly problem: Problem | undefined
  readonly send: (request: SplitRequest) => void
  readonly shut: () => void
}

/** Form that matches a transaction with one or several invoices, with the rest shown while typing. */
export const SplitForm = ({ busy, problem, send, shut, suggestion, transaction }: Props) => {
  const { amount, currency } = transaction
  const form = useFirstFocus<HTMLFormElement>("input")
  const next = useRef(1)
  const note = useSignal("")
  const confirmed = useSignal(false)
  const tried = useSignal(false)
  const parts = useSignal<ReadonlyArray<Part>>(
    suggestion === undefined
      ? [{ key: 0, invoice: undefined, amount: "" }]
      : suggestion.allocations.map(({ amount: part, customer_name, invoice_id, ...invoice }) => ({
          key: next.current++,
          invoice: found({ ...invoice, id: invoice_id, customer_name }),
          amount: localAmount(part)
        }))
  )
  const split = { amount, currency, parts: parts.value }
  const wrong = problemOf(split)
  const rest = restOf(split)
  const foreign = isForeign(split)
  const change = (key: number, more: Partial<Part>) => {
    parts.value = parts.peek().map((part) => (part.key === key ? { ...part, ...more } : part))
  }
  const pick = (key: number, invoice: OpenInvoice | undefined) => {
    const others = parts.peek().filter((part) => part.key !== key && part.invoice !== undefined)
    change(key, {
      invoice,
      amount:
        invoice === undefined
          ? ""
          : localAmount(proposal(invoice, restOf({ amount, currency, parts: others }), currency))
    })
  }
  const submit = (event: Event) => {
    event.preventDefault()
    tried.value = true
    if (wrong !== undefined || (foreign && !confirmed.value)) return
    send({
      allocations: allocationsOf(split),
      ...(foreign ? { confirm_currency: true } : {}),
      ...(note.value.trim() === "" ? {} : { note: note.value.trim() })
    })
  }
  return (
    <form
      ref={form}
      class="inset bank-split"
      aria-labelledby="split-title"
      onSubmit={submit}
      onKeyDown={(event) => event.key === "Escape" && shut()}
    >
      <h3 id="split-title">{t().title}</h3>
      <ol>
        {parts.value.map((part, at) => (
          <li key={part.key}>
            <Finder
              id={`split-invoice-${part.key}`}
              label={t().invoice(at + 1)}
              placeholder={t().find}
              value={part.invoice as OpenInvoice | undefined}
              find={find}
              pick={(invoice) => pick(part.key, invoice)}
              invalid={tried.value && part.invoice === undefined}
              focused={part.invoice === undefined}
            />
            <span class="split-amount">
              <input
                aria-label={t().amount(at + 1)}
                inputMode="decimal"
                autocomplete="off"
                value={part.amount}
                size={10}
                onInput={({ currentTarget }) => change(part.key, { amount: currentTarget.value })}
              />
              <span>{part.invoice?.currency ?? currency}</span>
            </span>
            <button
              type="button"
              class="small"
              aria-label={t().remove(at + 1)}
              onClick={() => (parts.value = parts.peek().filter(({ key }) => key !== part.key))}
            >
              ×
            </button>
          </li>
        ))}
      </ol>
      <button
        type="button"
        class="small"
        onClick={() => (parts.value = [...parts.peek(), { key: next.current++, invoice: undefined, amount: "" }])}
      >
        {t().add}
      </button>
      <dl class="facts split-sums">
        <dt>{t().total}</dt>
        <dd class="number">{money(amount, currency)}</dd>
        <dt>{t().rest}</dt>
        <dd class="number">
          <span role="status">{rest === undefined ? "–" : money(decimalOf(rest, currency), currency)}</span>
        </dd>
      </dl>
      {rest !== undefined && rest !== 0 && wrong === undefined ? <small>{t().restHint}</small> : null}
      {foreign ? (
        <label class="check">
          <input
            type="checkbox"
            required
            checked={confirmed.value}
            onChange={({ currentTarget }) => (confirmed.value = currentTarget.checked)}
          />
          {t().foreign}
        </label>
      ) : null}
      <label class="bank-field">
        {t().note}
        <input
          maxLength={500}
          value={note.value}
          autocomplete="off"
          onInput={({ currentTarget }) => (note.value = currentTarget.value)}
        />
      </label>
      <p role="status" class="field-error">
        {wrong !== undefined && (tried.value || wrong === "too_much" || wrong === "more_than_open") ? t()[wrong] : ""}
      </p>
      <Refused problem={problem} />
      <div class="page-actions">
        <button type="submit" class="primary" disabled={busy}>
          {t().send}
        </button>
        <button type="button" onClick={shut}>
          {t().cancel}
        </button>
      </div>
    </form>
  )
}
