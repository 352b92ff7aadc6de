import { calendarDay } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Money } from "../Money.tsx"
import { StatusBadge } from "../StatusWords.tsx"
import type { Transaction } from "../Shapes.ts"

const t = words({
  en: { list: "Transactions", nobody: "without a name", pending: "not booked yet", information: "for information" },
  de: { list: "Umsätze", nobody: "ohne Namen", pending: "noch nicht gebucht", information: "zur Information" }
})

/** Whether the bank has not booked a transaction, with its word; null when it is booked. */
export const BookingBadge = ({ of }: { readonly of: Transaction["booking_status"] }) =>
  of === "booked" ? null : <Badge tone="quiet">{t()[of]}</Badge>

/** One page of transactions, one button each. */
export const Rows = ({
  items,
  select,
  selected
}: {
  readonly items: ReadonlyArray<Transaction>
  readonly selected: string
  readonly select: (id: string) => void
}) => (
  <ol class="desk-rows" aria-label={t().list}>
    {items.map((one) => (
      <li key={one.id}>
        <button
          type="button"
          data-row={one.id}
          aria-current={one.id === selected ? "true" : undefined}
          onClick={() => select(one.id)}
        >
          <span class="row-who">{one.counter_name ?? t().nobody}</span>
          <Money amount={one.amount} currency={one.currency} />
          <span class="row-text">{one.text}</span>
          <span class="row-foot">
            <span class="row-day">{calendarDay(one.booked_on)}</span>
            <span>
              <BookingBadge of={one.booking_status} /> <StatusBadge of={one.reconciliation_status} />
            </span>
          </span>
        </button>
      </li>
    ))}
  </ol>
)
