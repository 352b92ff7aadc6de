import { call } from "../../../lib/Call.ts"
import { calendarDay } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { BankPage } from "../BankPage.tsx"
import { Money } from "../Money.tsx"
import type { PaymentEvent } from "../Shapes.ts"
import { PaymentBadge, sourceTitle } from "../StatusWords.tsx"
import { EventBadge, eventProblemText, SignatureBadge, typeTitle } from "./EventWords.tsx"
import { At } from "../../../parts/When.tsx"

const t = words({
  en: {
    title: "Payment event",
    all: "All events",
    state: "State",
    type: "Type",
    id: "Id of the event",
    provider: "Provider",
    signature: "Signature",
    unsigned: "Received without a configured secret: anybody may have sent it.",
    received: "Received",
    problem: "Note",
    payment: "Payment",
    none: "none",
    of: (day: string) => `Payment of ${day}`,
    body: "Body as received",
    empty: "The body is empty."
  },
  de: {
    title: "Zahlungsereignis",
    all: "Alle Ereignisse",
    state: "Zustand",
    type: "Art",
    id: "ID des Ereignisses",
    provider: "Anbieter",
    signature: "Signatur",
    unsigned: "Ohne hinterlegtes Geheimnis empfangen: jeder kann es gesendet haben.",
    received: "Erhalten",
    problem: "Hinweis",
    payment: "Zahlung",
    none: "keine",
    of: (day: string) => `Zahlung vom ${day}`,
    body: "Inhalt, wie empfangen",
    empty: "Der Inhalt ist leer."
  }
})

/** Page of one event: its facts, the payment that came of it, and its body as text. */
export default ({ uuid }: { readonly uuid: string }) => {
  const event = useLoad(() => call("GET /api/v1/payments/webhook-events/:uuid", { params: { uuid } }), [uuid])
  return (
    <BankPage
      section="payments"
      title={t().title}
      actions={
        <a class="button" href="/console/bank/payments/events">
          {t().all}
        </a>
      }
    >
      <Loading of={event}>
        {(found) => (
          <>
            <Facts event={found} />
            <section class="card" aria-labelledby="event-body">
              <h2 id="event-body">{t().body}</h2>
              {found.body === "" ? (
                <p class="soft">{t().empty}</p>
              ) : (
                <pre class="bank-body" tabIndex={0} role="group" aria-labelledby="event-body">
                  {found.body}
                </pre>
              )}
            </section>
          </>
        )}
      </Loading>
    </BankPage>
  )
}

const Facts = ({ event }: { readonly event: PaymentEvent }) => (
  <section class="card">
    <dl class="facts bank-facts">
      <dt>{t().state}</dt>
      <dd>
        <EventBadge of={event.state} />
      </dd>
      <dt>{t().payment}</dt>
      <dd>{event.payment_id === null ? t().none : <PaymentLink id={event.payment_id} />}</dd>
      {event.problem === null ? null : (
        <>
          <dt>{t().problem}</dt>
          <dd>{eventProblemText(event.problem)}</dd>
        </>
      )}
      <dt>{t().provider}</dt>
      <dd>{sourceTitle(event.provider)}</dd>
      <dt>{t().type}</dt>
      <dd>
        {typeTitle(event.type)}{" "}
        {event.type === null || typeTitle(event.type) === event.type ? null : <code>{event.type}</code>}
      </dd>
      <dt>{t().id}</dt>
      <dd>
        <code>{event.event_id}</code>
      </dd>
      <dt>{t().signature}</dt>
      <dd>
        <SignatureBadge signed={event.signed} /> {event.signed ? null : t().unsigned}
      </dd>
      <dt>{t().received}</dt>
      <dd>
        <At at={event.received_at} />
      </dd>
    </dl>
  </section>
)

/** Link to the payment with what it settles now. */
const PaymentLink = ({ id }: { readonly id: string }) => {
  const payment = useLoad(() => call("GET /api/v1/crm/payments/:uuid", { params: { uuid: id } }), [id], {
    live: ["payment.*"]
  })
  return (
    <Loading of={payment}>
      {(found) => (
        <>
          <a href={`/console/bank/payments/${id}`}>{t().of(calendarDay(found.paid_on))}</a>{" "}
          <Money amount={found.amount} currency={found.currency} /> <PaymentBadge of={found.state} />{" "}
          {found.allocations.map(({ invoice_id, invoice_number }) => (
            <span key={invoice_id}>
              <a href={`/console/bank/invoices/${invoice_id}`}>{invoice_number}</a>{" "}
            </span>
          ))}
        </>
      )}
    </Loading>
  )
}
