import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { call } from "../../../lib/Call.ts"
import { calendarDay, money } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Sure } from "../../mail/Sure.tsx"
import { minorOf } from "../Amounts.ts"
import { BankPage } from "../BankPage.tsx"
import { Money } from "../Money.tsx"
import { Refused } from "../Refusals.ts"
import { InvoiceBadges, PaymentBadge, sourceTitle } from "../StatusWords.tsx"
import type { Invoice } from "../Shapes.ts"
import { InvoiceForm } from "./InvoiceForm.tsx"

const t = words({
  en: {
    invoice: (number: string) => `Invoice ${number}`,
    credit_note: (number: string) => `Credit note ${number}`,
    title: "Invoice",
    all: "All invoices",
    change: "Change",
    cancel: "Cancel the invoice",
    cancelSure: "Really? No payment settles it any more.",
    remove: "Delete",
    removeSure: "Really delete?",
    state: "State",
    customer: "Customer",
    amount: "Amount",
    settled: "Settled",
    discounted: "of it cash discount",
    open: "Open",
    issued: "Issued on",
    due: "Due on",
    discount: "Cash discount",
    discountOf: (amount: string, day: string) => `${amount} until ${day}`,
    external: "Id in another program",
    note: "Note",
    payments: "Payments",
    none: "No payment yet.",
    day: "Day",
    source: "Source"
  },
  de: {
    invoice: (number: string) => `Rechnung ${number}`,
    credit_note: (number: string) => `Gutschrift ${number}`,
    title: "Rechnung",
    all: "Alle Rechnungen",
    change: "Ändern",
    cancel: "Stornieren",
    cancelSure: "Wirklich? Keine Zahlung begleicht sie mehr.",
    remove: "Löschen",
    removeSure: "Wirklich löschen?",
    state: "Zustand",
    customer: "Kunde",
    amount: "Betrag",
    settled: "Beglichen",
    discounted: "davon Skonto",
    open: "Offen",
    issued: "Ausgestellt am",
    due: "Fällig am",
    discount: "Skonto",
    discountOf: (amount: string, day: string) => `${amount} bis ${day}`,
    external: "ID in einem anderen Programm",
    note: "Notiz",
    payments: "Zahlungen",
    none: "Noch keine Zahlung.",
    day: "Tag",
    source: "Herkunft"
  }
})

/** Page of one invoice with its payments. */
export default ({ uuid }: { readonly uuid: string }) => {
  const { route } = useLocation()
  const editing = useSignal(false)
  const doing = useDoing()
  const params = { uuid }
  const invoice = useLoad(() => call("GET /api/v1/crm/invoices/:uuid", { params }), [uuid], {
    live: ["payment.*", "bank.transaction.*"]
  })
  const shown = invoice.value.value
  const isUntouched = shown !== undefined && shown.payments.length === 0
  return (
    <BankPage
      section="invoices"
      title={shown === undefined ? t().title : t()[shown.kind](shown.number)}
      actions={
        <>
          {shown !== undefined && may("ebics.reconcile") ? (
            <>
              {editing.value || shown.status === "cancelled" ? null : (
                <button type="button" onClick={() => (editing.value = true)}>
                  {t().change}
                </button>
              )}
              {shown.status === "cancelled" ? null : (
                <Sure
                  sure={t().cancelSure}
                  disabled={doing.busy.value}
                  onSure={() =>
                    void doing
                      .run(() => call("POST /api/v1/crm/invoices/:uuid/cancel", { params }))
                      .then((done) => done && invoice.reload())
                  }
                >
                  {t().cancel}
                </Sure>
              )}
              {isUntouched ? (
                <Sure
                  sure={t().removeSure}
                  disabled={doing.busy.value}
                  onSure={() =>
                    void doing
                      .run(() => call("DELETE /api/v1/crm/invoices/:uuid", { params }))
                      .then((done) => done && route("/console/bank/invoices"))
                  }
                >
                  {t().remove}
                </Sure>
              ) : null}
            </>
          ) : null}
          <a class="button" href="/console/bank/invoices">
            {t().all}
          </a>
        </>
      }
    >
      <Refused problem={doing.problem.value} />
      <Loading of={invoice}>
        {(found) => (
          <>
            {editing.value ? (
              <InvoiceForm
                invoice={found}
                shut={() => (editing.value = false)}
                saved={() => {
                  editing.value = false
                  invoice.reload()
                }}
              />
            ) : null}
            <Facts invoice={found} />
            <Payments invoice={found} />
          </>
        )}
      </Loading>
    </BankPage>
  )
}

const Facts = ({ invoice }: { readonly invoice: Invoice }) => {
  const { currency } = invoice
  return (
    <section class="card">
      <dl class="facts">
        <dt>{t().state}</dt>
        <dd>
          <InvoiceBadges invoice={invoice} />
        </dd>
        <dt>{t().customer}</dt>
        <dd>
          {invoice.customer_name ?? "–"} {invoice.customer_number ?? ""}
        </dd>
        <dt>{t().amount}</dt>
        <dd>
          <Money amount={invoice.amount} currency={currency} />
        </dd>
        <dt>{t().settled}</dt>
        <dd>
          <Money amount={invoice.settled} currency={currency} />
          {minorOf(invoice.discounted, currency) === 0
            ? ""
            : `, ${t().discounted} ${money(invoice.discounted, currency)}`}
        </dd>
        <dt>{t().open}</dt>
        <dd>
          <strong>
            <Money amount={invoice.open} currency={currency} />
          </strong>
        </dd>
        <dt>{t().issued}</dt>
        <dd>{calendarDay(invoice.issued_on)}</dd>
        <dt>{t().due}</dt>
        <dd>{calendarDay(invoice.due_on)}</dd>
        {invoice.discount === null ? null : (
          <>
            <dt>{t().discount}</dt>
            <dd>{t().discountOf(money(invoice.discount.amount, currency), calendarDay(invoice.discount.until))}</dd>
          </>
        )}
        {invoice.external_id === null ? null : (
          <>
            <dt>{t().external}</dt>
            <dd>{invoice.external_id}</dd>
          </>
        )}
        {invoice.note === null ? null : (
          <>
            <dt>{t().note}</dt>
            <dd>{invoice.note}</dd>
          </>
        )}
      </dl>
    </section>
  )
}

const Payments = ({ invoice: { currency, payments } }: { readonly invoice: Invoice }) => (
  <section class="card" aria-labelledby="payments">
    <h2 id="payments">{t().payments}</h2>
    {payments.length === 0 ? (
      <p class="soft">{t().none}</p>
    ) : (
      <div class="scroll" role="region" aria-labelledby="payments" tabIndex={0}>
        <table class="bank-table">
          <thead>
            <tr>
              <th scope="col">{t().day}</th>
              <th scope="col" class="number">
                {t().amount}
              </th>
              <th scope="col" class="number">
                {t().discount}
              </th>
              <th scope="col">{t().source}</th>
              <th scope="col">{t().state}</th>
            </tr>
          </thead>
          <tbody>
            {payments.map((payment) => (
              <tr key={payment.payment_id}>
                <td>
                  <a href={`/console/bank/payments/${payment.payment_id}`}>{calendarDay(payment.paid_on)}</a>
                </td>
                <td class="number">
                  <Money amount={payment.amount} currency={currency} />
                </td>
                <td class="number">
                  {minorOf(payment.discount, currency) === 0 ? (
                    "–"
                  ) : (
                    <Money amount={payment.discount} currency={currency} />
                  )}
                </td>
                <td>{sourceTitle(payment.source)}</td>
                <td>
                  <PaymentBadge of={payment.state} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
)
