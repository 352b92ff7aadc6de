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
import { PaymentBadge, sourceTitle } from "../StatusWords.tsx"
import type { Payment } from "../Shapes.ts"
import { eventsTitle, receivesEvents } from "./EventWords.tsx"
import { At } from "../../../parts/When.tsx"

const t = words({
  en: {
    title: (day: string) => `Payment of ${day}`,
    payment: "Payment",
    all: "All payments",
    undo: "Undo the payment",
    sure: "Really? Its invoices are open again.",
    state: "State",
    customer: "Customer",
    amount: "Amount",
    rest: "Unassigned",
    source: "Source",
    transaction: "Bank transaction",
    open: "open the transaction",
    returns: "Returns",
    returned: "open the returned payment",
    external: "Id in another program",
    note: "Note",
    recorded: "Recorded",
    settles: "Settles",
    settled: "Settled until it was undone",
    none: "It settles no invoice.",
    discount: (amount: string) => `cash discount ${amount}`
  },
  de: {
    title: (day: string) => `Zahlung vom ${day}`,
    payment: "Zahlung",
    all: "Alle Zahlungen",
    undo: "Rückgängig machen",
    sure: "Wirklich? Die Rechnungen sind wieder offen.",
    state: "Zustand",
    customer: "Kunde",
    amount: "Betrag",
    rest: "Nicht zugewiesen",
    source: "Herkunft",
    transaction: "Umsatz der Bank",
    open: "Umsatz öffnen",
    returns: "Gibt zurück",
    returned: "zurückgegebene Zahlung öffnen",
    external: "ID in einem anderen Programm",
    note: "Notiz",
    recorded: "Erfasst",
    settles: "Begleicht",
    settled: "Beglich, bis sie rückgängig gemacht wurde",
    none: "Sie begleicht keine Rechnung.",
    discount: (amount: string) => `Skonto ${amount}`
  }
})

/** Page of one payment and what it settles. */
export default ({ uuid }: { readonly uuid: string }) => {
  const doing = useDoing()
  const params = { uuid }
  const payment = useLoad(() => call("GET /api/v1/crm/payments/:uuid", { params }), [uuid], {
    live: ["payment.*", "bank.transaction.*"]
  })
  const shown = payment.value.value
  return (
    <BankPage
      section="payments"
      title={shown === undefined ? t().payment : t().title(calendarDay(shown.paid_on))}
      actions={
        <>
          {/* The payment of a bank transaction is undone there, together with its match. */}
          {shown?.state === "active" && shown.transaction_id === null && may("ebics.reconcile") ? (
            <Sure
              sure={t().sure}
              disabled={doing.busy.value}
              onSure={() =>
                void doing
                  .run(() => call("POST /api/v1/crm/payments/:uuid/undo", { params }))
                  .then((done) => done && payment.reload())
              }
            >
              {t().undo}
            </Sure>
          ) : null}
          <a class="button" href="/console/bank/payments">
            {t().all}
          </a>
        </>
      }
    >
      <Refused problem={doing.problem.value} />
      <Loading of={payment}>
        {(found) => (
          <>
            <Facts payment={found} />
            <section class="card" aria-labelledby="settles">
              <h2 id="settles">{found.state === "active" ? t().settles : t().settled}</h2>
              {found.allocations.length === 0 ? (
                <p class="soft">{t().none}</p>
              ) : (
                <ul class="rows">
                  {found.allocations.map(({ amount, discount, invoice_id, invoice_number }) => (
                    <li key={invoice_id}>
                      <a href={`/console/bank/invoices/${invoice_id}`}>{invoice_number}</a>{" "}
                      <Money amount={amount} currency={found.currency} />
                      {minorOf(discount, found.currency) === 0
                        ? ""
                        : `, ${t().discount(money(discount, found.currency))}`}
                    </li>
                  ))}
                </ul>
              )}
            </section>
          </>
        )}
      </Loading>
    </BankPage>
  )
}

const Facts = ({ payment }: { readonly payment: Payment }) => (
  <section class="card">
    <dl class="facts">
      <dt>{t().state}</dt>
      <dd>
        <PaymentBadge of={payment.state} />
      </dd>
      <dt>{t().amount}</dt>
      <dd>
        <strong>
          <Money amount={payment.amount} currency={payment.currency} />
        </strong>
      </dd>
      {minorOf(payment.unassigned, payment.currency) === 0 ? null : (
        <>
          <dt>{t().rest}</dt>
          <dd>
            <Money amount={payment.unassigned} currency={payment.currency} />
          </dd>
        </>
      )}
      <dt>{t().customer}</dt>
      <dd>
        {payment.customer_name ?? "–"} {payment.customer_number ?? ""}
      </dd>
      <dt>{t().source}</dt>
      <dd>
        {sourceTitle(payment.source)}
        {receivesEvents() && (payment.source === "card" || payment.source === "wallet") ? (
          <>
            {", "}
            <a href={`/console/bank/payments/events?payment=${payment.id}`}>{eventsTitle()}</a>
          </>
        ) : null}
      </dd>
      {payment.transaction_id === null ? null : (
        <>
          <dt>{t().transaction}</dt>
          <dd>
            <a href={`/console/bank/transactions?id=${payment.transaction_id}`}>{t().open}</a>
          </dd>
        </>
      )}
      {payment.returns === null ? null : (
        <>
          <dt>{t().returns}</dt>
          <dd>
            <a href={`/console/bank/payments/${payment.returns}`}>{t().returned}</a>
          </dd>
        </>
      )}
      {payment.external_id === null ? null : (
        <>
          <dt>{t().external}</dt>
          <dd>{payment.external_id}</dd>
        </>
      )}
      {payment.note === null ? null : (
        <>
          <dt>{t().note}</dt>
          <dd>{payment.note}</dd>
        </>
      )}
      <dt>{t().recorded}</dt>
      <dd>
        <At at={payment.created_at} />
      </dd>
    </dl>
  </section>
)
