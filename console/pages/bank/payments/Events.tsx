import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { useFilterable } from "../../../parts/Filterable.ts"
import { useFilters } from "../../../parts/Address.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { Filters } from "../../telephony/Filters.tsx"
import { ownTenant } from "../Accounts.ts"
import { BankPage } from "../BankPage.tsx"
import { FilterSelect } from "../../../parts/FilterSelect.tsx"
import type { PaymentEventRow } from "../Shapes.ts"
import { sourceTitle } from "../StatusWords.tsx"
import { At } from "../../../parts/When.tsx"
import {
  EventBadge,
  eventProblemText,
  eventStates,
  eventStateTitle,
  eventsTitle,
  receivesEvents,
  SignatureBadge,
  signatureTitle,
  typeTitle
} from "./EventWords.tsx"

const t = words({
  en: {
    back: "All payments",
    search: "Id of the event",
    provider: "Provider",
    state: "State",
    signature: "Signature",
    received: "Received",
    event: "Event",
    outcome: "Result",
    open: "open the payment",
    payment: "Only events of one payment are shown.",
    clear: "Show all events",
    none: "No event yet. Payment providers send events once the address of Signalbox is entered there.",
    noneSo: "No event matches the filters.",
    elsewhere: "Payment providers send their events to the provider's own tenant only."
  },
  de: {
    back: "Alle Zahlungen",
    search: "ID des Ereignisses",
    provider: "Anbieter",
    state: "Zustand",
    signature: "Signatur",
    received: "Erhalten",
    event: "Ereignis",
    outcome: "Ergebnis",
    open: "Zahlung öffnen",
    payment: "Gezeigt werden nur die Ereignisse einer Zahlung.",
    clear: "Alle Ereignisse zeigen",
    none: "Noch kein Ereignis. Zahlungsanbieter senden Ereignisse, sobald dort die Adresse von Signalbox eingetragen ist.",
    noneSo: "Kein Ereignis passt zu den Filtern.",
    elsewhere: "Zahlungsanbieter senden ihre Ereignisse nur an den Mandanten des Betreibers."
  }
})

/** Events per page. */
const pageSize = 50

/** Events that payment providers sent, with what became of them. */
export default () => {
  const filters = useFilters<string>({ event_id: "", provider: "", state: "", signed: "", payment: "" })
  const { event_id = "", payment = "", provider = "", signed = "", state = "" } = filters.value
  const keys = [event_id, payment, provider, signed, state]
  const trail = useTrail(keys)
  const before = trail.value.at(-1)
  const events = useLoad(
    () =>
      call("GET /api/v1/payments/webhook-events", {
        query: {
          ...ownTenant(),
          limit: pageSize,
          before,
          event_id,
          payment_id: payment,
          provider: provider as PaymentEventRow["provider"],
          state: state as PaymentEventRow["state"],
          signed: signed as "true" | "false"
        }
      }),
    [...keys, before],
    { live: ["payment.*"] }
  )
  const filterable = useFilterable(events, keys.some((one) => one !== "") || before !== undefined)
  return (
    <BankPage
      section="payments"
      title={eventsTitle()}
      actions={
        <a class="button" href="/console/bank/payments">
          {t().back}
        </a>
      }
    >
      {filterable ? (
        <div class="filters">
          <Filters of={[{ name: "event_id", label: () => t().search, wide: true }]} filters={filters} />
          <FilterSelect
            name="provider"
            label={t().provider}
            value={provider}
            set={(value) => filters.set("provider", value)}
            options={(["card", "wallet"] as const).map((one) => [one, sourceTitle(one)])}
          />
          <FilterSelect
            name="state"
            label={t().state}
            value={state}
            set={(value) => filters.set("state", value)}
            options={eventStates.map((one) => [one, eventStateTitle(one)])}
          />
          <FilterSelect
            name="signed"
            label={t().signature}
            value={signed}
            set={(value) => filters.set("signed", value)}
            options={[true, false].map((one) => [String(one), signatureTitle(one)])}
          />
        </div>
      ) : null}
      {payment === "" ? null : (
        <p class="hint">
          {t().payment}
          <button type="button" class="small" onClick={() => filters.set("payment", "")}>
            {t().clear}
          </button>
        </p>
      )}
      <Loading of={events}>
        {({ items, next_before }) => (
          <>
            {items.length > 0 ? (
              <Table events={items} />
            ) : (
              <p class="empty">
                {keys.some((one) => one !== "") ? t().noneSo : receivesEvents() ? t().none : t().elsewhere}
              </p>
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </BankPage>
  )
}

const Table = ({ events }: { readonly events: ReadonlyArray<PaymentEventRow> }) => (
  <div class="scroll" role="region" aria-label={eventsTitle()} tabIndex={0}>
    <table class="bank-table">
      <caption class="sr">{eventsTitle()}</caption>
      <thead>
        <tr>
          <th scope="col">{t().event}</th>
          <th scope="col">{t().received}</th>
          <th scope="col">{t().signature}</th>
          <th scope="col">{t().outcome}</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id}>
            <th scope="row" class="bank-name">
              <a class="bank-file" href={`/console/bank/payments/events/${event.id}`}>
                {typeTitle(event.type)}
              </a>
              <small class="bank-file">
                {sourceTitle(event.provider)}, {event.event_id}
              </small>
            </th>
            <td>
              <At at={event.received_at} />
            </td>
            <td>
              <SignatureBadge signed={event.signed} />
            </td>
            <td class="bank-text">
              <EventBadge of={event.state} />{" "}
              {event.payment_id === null ? null : <a href={`/console/bank/payments/${event.payment_id}`}>{t().open}</a>}
              {event.problem === null ? null : <small>{eventProblemText(event.problem)}</small>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
