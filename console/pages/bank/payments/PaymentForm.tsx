import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { call } from "../../../lib/Call.ts"
import { useFirstFocus } from "../../../lib/FirstFocus.ts"
import { words } from "../../../lib/Language.ts"
import { useDoing } from "../../../lib/Doing.ts"
import { clockDay } from "../../../lib/TimeZone.ts"
import { errorsOf } from "../../telephony/Refusals.ts"
import { typedAmount } from "../Amounts.ts"
import { CustomerField } from "../invoices/CustomerField.tsx"
import { Refused } from "../Refusals.ts"
import type { Payment } from "../Shapes.ts"

const t = words({
  en: {
    title: "Record a payment",
    intro: "For money that no bank statement shows, such as cash.",
    amount: "Amount",
    amountHint: "Negative for money that went out",
    currency: "Currency",
    day: "Paid on",
    customer: "Customer",
    settles: "Settles",
    invoice: (at: number) => `Invoice number ${at}`,
    part: (at: number) => `Amount ${at}`,
    partHint: "Without an amount: as much as is open.",
    add: "Another invoice",
    remove: (at: number) => `Remove invoice ${at}`,
    note: "Note",
    save: "Save",
    cancel: "Cancel"
  },
  de: {
    title: "Zahlung erfassen",
    intro: "Für Geld, das auf keinem Kontoauszug steht, etwa bar.",
    amount: "Betrag",
    amountHint: "Negativ für Geld, das hinausging",
    currency: "Währung",
    day: "Bezahlt am",
    customer: "Kunde",
    settles: "Begleicht",
    invoice: (at: number) => `Rechnungsnummer ${at}`,
    part: (at: number) => `Betrag ${at}`,
    partHint: "Ohne Betrag: so viel, wie offen ist.",
    add: "Weitere Rechnung",
    remove: (at: number) => `Rechnung ${at} entfernen`,
    note: "Notiz",
    save: "Speichern",
    cancel: "Abbrechen"
  }
})

interface Line {
  readonly key: number
  readonly number: string
  readonly amount: string
}

/** Form for a payment by hand, with the invoices that it settles. */
export const PaymentForm = ({
  saved,
  shut
}: {
  readonly saved: (payment: Payment) => void
  readonly shut: () => void
}) => {
  const doing = useDoing()
  const form = useFirstFocus<HTMLFormElement>("input")
  const next = useRef(1)
  const draft = useSignal({ amount: "", currency: "EUR", paid_on: clockDay(Date.now()), customer: "", note: "" })
  const lines = useSignal<ReadonlyArray<Line>>([{ key: 0, number: "", amount: "" }])
  const errors = errorsOf(doing.problem.value)
  const set = (name: keyof typeof draft.value, value: string) => (draft.value = { ...draft.value, [name]: value })
  const change = (key: number, more: Partial<Line>) => {
    lines.value = lines.peek().map((line) => (line.key === key ? { ...line, ...more } : line))
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const { amount, currency, customer, note, paid_on } = draft.peek()
    void doing.run(async () => {
      saved(
        await call("POST /api/v1/crm/payments", {
          payload: {
            amount: typedAmount(amount, currency),
            currency,
            paid_on,
            ...(customer === "" ? {} : { customer_id: Number(customer) }),
            ...(note.trim() === "" ? {} : { note: note.trim() }),
            allocations: lines
              .peek()
              .filter(({ number }) => number.trim() !== "")
              .map((line) => ({
                invoice_number: line.number.trim(),
                ...(line.amount.trim() === "" ? {} : { amount: typedAmount(line.amount, currency) })
              }))
          }
        })
      )
    })
  }
  const field = (name: "amount" | "currency" | "note" | "paid_on", label: string, more: object = {}) => (
    <label>
      {label}
      <input
        name={name}
        autocomplete="off"
        value={draft.value[name]}
        aria-invalid={errors.has(name)}
        onInput={({ currentTarget }) => set(name, currentTarget.value)}
        {...more}
      />
      {errors.has(name) ? <small class="field-error">{errors.get(name)}</small> : null}
    </label>
  )
  return (
    <form ref={form} class="stack card thing-form" aria-labelledby="payment-form" onSubmit={submit}>
      <h2 id="payment-form">{t().title}</h2>
      <p class="soft">{t().intro}</p>
      {field("amount", t().amount, { required: true, inputMode: "decimal", placeholder: t().amountHint })}
      {field("currency", t().currency, { required: true, maxLength: 3 })}
      {field("paid_on", t().day, { required: true, type: "date" })}
      <div class="field">
        <label for="payment-customer">{t().customer}</label>
        <CustomerField
          id="payment-customer"
          value={draft.value.customer}
          set={(value) => set("customer", value)}
          invalid={errors.has("customer_id")}
        />
      </div>
      <fieldset class="field">
        <legend>{t().settles}</legend>
        {lines.value.map((line, at) => (
          <div key={line.key} class="list-row">
            <input
              aria-label={t().invoice(at + 1)}
              placeholder={t().invoice(at + 1)}
              autocomplete="off"
              value={line.number}
              onInput={({ currentTarget }) => change(line.key, { number: currentTarget.value })}
            />
            <input
              aria-label={t().part(at + 1)}
              placeholder={t().part(at + 1)}
              inputMode="decimal"
              autocomplete="off"
              value={line.amount}
              onInput={({ currentTarget }) => change(line.key, { amount: currentTarget.value })}
            />
            <button
              type="button"
              class="small"
              aria-label={t().remove(at + 1)}
              onClick={() => (lines.value = lines.peek().filter(({ key }) => key !== line.key))}
            >
              ×
            </button>
          </div>
        ))}
        <small>{t().partHint}</small>
        <div>
          <button
            type="button"
            class="small"
            onClick={() => (lines.value = [...lines.peek(), { key: next.current++, number: "", amount: "" }])}
          >
            {t().add}
          </button>
        </div>
      </fieldset>
      {field("note", t().note, { maxLength: 1000 })}
      <Refused problem={doing.problem.value} shown={["amount", "currency", "note", "paid_on"]} />
      <div class="page-actions">
        <button type="submit" class="primary" disabled={doing.busy.value}>
          {t().save}
        </button>
        <button type="button" onClick={shut}>
          {t().cancel}
        </button>
      </div>
    </form>
  )
}
