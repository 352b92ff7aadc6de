import { calendarDay, money, number, percent } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { type DayMoney, matchedShare } from "./MoneyScale.ts"

const t = words({
  en: {
    asTable: "As a table",
    day: "Day",
    in: "In",
    out: "Out",
    share: "Matched",
    of: (matched: string, all: string, share: string) => `${matched} of ${all} (${share})`
  },
  de: {
    asTable: "Als Tabelle",
    day: "Tag",
    in: "Eingang",
    out: "Ausgang",
    share: "Zugeordnet",
    of: (matched: string, all: string, share: string) => `${matched} von ${all} (${share})`
  }
})

/** Days of the chart as a table, newest first; days without money are left out. */
export const MoneyTable = ({
  currency,
  days,
  label
}: {
  readonly label: string
  readonly currency: string
  readonly days: ReadonlyArray<DayMoney>
}) => (
  <details>
    <summary>{t().asTable}</summary>
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <caption class="sr">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{t().day}</th>
            <th scope="col" class="number">
              {t().in}
            </th>
            <th scope="col" class="number">
              {t().out}
            </th>
            <th scope="col" class="number">
              {t().share}
            </th>
          </tr>
        </thead>
        <tbody>
          {days
            .filter((day) => day.transactions > 0)
            .toReversed()
            .map((day) => (
              <tr key={day.day}>
                <th scope="row">{calendarDay(day.day)}</th>
                <td class="number">{money(day.in.toFixed(2), currency)}</td>
                <td class="number">{money(day.out.toFixed(2), currency)}</td>
                <td class="number">
                  {t().of(number(day.matched), number(day.transactions), percent(matchedShare(day) ?? 0))}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  </details>
)
