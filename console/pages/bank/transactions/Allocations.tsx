import { calendarDay, money } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { minorOf } from "../Amounts.ts"
import type { Suggestion } from "../Shapes.ts"

const t = words({
  en: {
    of: (amount: string, open: string) => `${amount} of ${open} open`,
    discount: (amount: string) => `cash discount ${amount}`,
    due: (day: string) => `due ${day}`
  },
  de: {
    of: (amount: string, open: string) => `${amount} von ${open} offen`,
    discount: (amount: string) => `Skonto ${amount}`,
    due: (day: string) => `fällig ${day}`
  }
})

type Allocation = Suggestion["allocations"][number]

/** Invoices of a match with the amounts. `open`: whether what is open now is shown. */
export const Allocations = ({ open, parts }: { readonly parts: ReadonlyArray<Allocation>; readonly open: boolean }) => (
  <ul class="allocations">
    {parts.map((part) => (
      <li key={part.invoice_id}>
        <a href={`/console/bank/invoices/${part.invoice_id}`}>{part.number}</a> {part.customer_name ?? ""}
        <small>
          {[
            open && part.amount !== part.open
              ? t().of(money(part.amount, part.currency), money(part.open, part.currency))
              : money(part.amount, part.currency),
            ...(minorOf(part.discount, part.currency) === 0 ? [] : [t().discount(money(part.discount, part.currency))]),
            t().due(calendarDay(part.due_on))
          ].join(", ")}
        </small>
      </li>
    ))}
  </ul>
)
