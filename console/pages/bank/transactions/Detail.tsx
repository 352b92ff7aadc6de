import { useEffect, useRef } from "preact/hooks"
import { calendarDay } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { ibanText } from "../Amounts.ts"
import { Money } from "../Money.tsx"
import { StatusBadge } from "../StatusWords.tsx"
import { Refused } from "../Refusals.ts"
import type { Suggestions, Transaction } from "../Shapes.ts"
import { Decision } from "./Decision.tsx"
import type { Desk } from "./Desk.ts"
import { IgnoreForm } from "./IgnoreForm.tsx"
import { BookingBadge } from "./Rows.tsx"
import { SplitForm } from "./SplitForm.tsx"
import { SuggestionList } from "./SuggestionList.tsx"

const t = words({
  en: {
    nobody: "without a name",
    back: "Back to the list",
    booked: "Booked",
    value: "Value date",
    account: "Account",
    iban: "IBAN",
    text: "Reference",
    endToEnd: "End-to-end id",
    creditor: "Creditor reference",
    mandate: "Mandate",
    returned: "Reason of the return",
    gvc: "Kind of booking",
    statement: "Statement",
    open: "open the statement",
    replaced: "A newer statement replaced this transaction.",
    newer: "Open the new one",
    accept: "Accept the suggestion",
    split: "Choose invoices",
    ignore: "Ignore",
    undo: "Undo"
  },
  de: {
    nobody: "ohne Namen",
    back: "Zurück zur Liste",
    booked: "Gebucht",
    value: "Wertstellung",
    account: "Konto",
    iban: "IBAN",
    text: "Verwendungszweck",
    endToEnd: "Ende-zu-Ende-Referenz",
    creditor: "Gläubigerreferenz",
    mandate: "Mandat",
    returned: "Grund der Rückgabe",
    gvc: "Art der Buchung",
    statement: "Auszug",
    open: "Auszug öffnen",
    replaced: "Ein neuerer Auszug hat diesen Umsatz ersetzt.",
    newer: "Den neuen öffnen",
    accept: "Vorschlag annehmen",
    split: "Rechnungen wählen",
    ignore: "Ignorieren",
    undo: "Rückgängig"
  }
})

interface Props {
  readonly transaction: Transaction
  /** Name of its account. */
  readonly account: string
  readonly desk: Desk
  readonly decides: boolean
  /** Back to the list, on narrow screens. */
  readonly back: () => void
}

/** One transaction: its facts, its suggestions or decision, and what can be done. */
export const Detail = ({ account, back, decides, desk, transaction }: Props) => {
  const heading = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a narrow screen the list is hidden, so that the focus would be lost.
    if (document.activeElement === document.body || document.activeElement?.clientHeight === 0)
      heading.current?.focus({ preventScroll: true })
  }, [])
  const { amount, currency } = transaction
  return (
    <section ref={heading} class="card" tabIndex={-1} aria-labelledby="detail-title">
      <button type="button" class="small desk-back" onClick={back}>
        {t().back}
      </button>
      <div class="card-head">
        <h2 id="detail-title">{transaction.counter_name ?? t().nobody}</h2>
        <strong class="detail-amount">
          <Money amount={amount} currency={currency} />
        </strong>
      </div>
      <p class="detail-state">
        <StatusBadge of={transaction.reconciliation_status} /> <BookingBadge of={transaction.booking_status} />
      </p>
      {transaction.current ? null : (
        <p class="remark">
          {t().replaced}{" "}
          {transaction.replaced_by === null ? null : (
            <a href={`/console/bank/transactions?id=${transaction.replaced_by}`}>{t().newer}</a>
          )}
        </p>
      )}
      <Facts transaction={transaction} account={account} />
      <Loading of={{ ...desk.suggestions, value: { value: desk.current } as typeof desk.suggestions.value }}>
        {(found) =>
          found === undefined ? null : (
            <Work transaction={transaction} found={found} desk={desk} decides={decides && transaction.current} />
          )
        }
      </Loading>
    </section>
  )
}

const Facts = ({ account, transaction }: { readonly transaction: Transaction; readonly account: string }) => {
  const facts: ReadonlyArray<readonly [string, string | null]> = [
    [t().text, transaction.text === "" ? null : transaction.text],
    [t().booked, calendarDay(transaction.booked_on)],
    [t().value, transaction.value_on === null ? null : calendarDay(transaction.value_on)],
    [t().iban, transaction.counter_iban === null ? null : ibanText(transaction.counter_iban)],
    [t().endToEnd, transaction.end_to_end_id],
    [t().creditor, transaction.creditor_reference],
    [t().mandate, transaction.mandate_id],
    [t().returned, transaction.return_reason],
    [t().gvc, transaction.gvc],
    [t().account, account === "" ? null : account]
  ]
  return (
    <dl class="facts detail-facts">
      {facts.map(([name, value]) =>
        value === null ? null : (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        )
      )}
      <dt>{t().statement}</dt>
      <dd>
        <a href={`/console/bank/statements/${transaction.statement_id}`}>{t().open}</a>
      </dd>
    </dl>
  )
}

/** Actions about the transaction; with the forms of split and ignore. */
const Work = ({
  decides,
  desk,
  found,
  transaction
}: Omit<Props, "account" | "back"> & { readonly found: Suggestions }) => {
  const { busy, problem } = desk.doing
  const shut = () => desk.show("view")
  const [first] = found.suggestions
  if (desk.mode === "split")
    return (
      <SplitForm
        transaction={transaction}
        suggestion={first}
        busy={busy.value}
        problem={problem.value}
        send={desk.split}
        shut={shut}
      />
    )
  if (desk.mode === "ignore")
    return (
      <IgnoreForm
        usual={found.recognised?.text ?? ""}
        busy={busy.value}
        problem={problem.value}
        send={desk.ignore}
        shut={shut}
      />
    )
  return (
    <>
      {found.decision === null ? (
        <SuggestionList found={found} accept={decides ? desk.accept : undefined} busy={busy.value} />
      ) : (
        <Decision found={found} decision={found.decision} />
      )}
      <Refused problem={problem.value} />
      {decides ? (
        <div class="page-actions">
          {found.decision === null ? (
            <>
              {first === undefined ? null : (
                <Action keys="a" primary disabled={busy.value} act={() => desk.accept(1)}>
                  {t().accept}
                </Action>
              )}
              <Action keys="s" disabled={busy.value} act={() => desk.show("split")}>
                {t().split}
              </Action>
              <Action keys="i" disabled={busy.value} act={() => desk.show("ignore")}>
                {t().ignore}
              </Action>
            </>
          ) : null}
          {found.can_undo ? (
            <Action keys="u" disabled={busy.value} act={desk.undo}>
              {t().undo}
            </Action>
          ) : null}
        </div>
      ) : null}
    </>
  )
}

const Action = ({
  act,
  children,
  disabled,
  keys,
  primary = false
}: {
  readonly keys: string
  readonly primary?: boolean
  readonly disabled: boolean
  readonly act: () => void
  readonly children: string
}) => (
  <button type="button" class={primary ? "primary" : ""} aria-keyshortcuts={keys} disabled={disabled} onClick={act}>
    {children} <kbd aria-hidden="true">{keys}</kbd>
  </button>
)
