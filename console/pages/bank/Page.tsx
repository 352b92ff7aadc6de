import { call } from "../../lib/Call.ts"
import { money, number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { ownTenant } from "./Accounts.ts"
import { minorOf } from "./Amounts.ts"
import { BankPage } from "./BankPage.tsx"
import { Balances } from "./Balances.tsx"
import { MoneyChart } from "./MoneyChart.tsx"
import type { DayMoney } from "./MoneyScale.ts"
import type { Dashboard } from "./Shapes.ts"

const t = words({
  en: {
    todo: "To do",
    nothing: "Nothing to do. All transactions are decided, and the statements are complete.",
    unmatched: "unmatched transactions",
    suggested: "transactions with a suggestion",
    overdue: "overdue invoices",
    open: "open invoices",
    findings: "statements with findings",
    files: "files that could not be read",
    sums: (came: string, went: string) => `${came} in, ${went} out`,
    chart: (currency: string) => `Last 30 days in ${currency}`,
    first: "No bank account yet.",
    firstHint:
      "Add the account whose payments you want to match. With EBICS its statements come every morning by themselves.",
    add: "Add an account"
  },
  de: {
    todo: "Zu tun",
    nothing: "Nichts zu tun. Über alle Umsätze ist entschieden, und die Auszüge sind vollständig.",
    unmatched: "offene Umsätze",
    suggested: "Umsätze mit Vorschlag",
    overdue: "überfällige Rechnungen",
    open: "offene Rechnungen",
    findings: "Auszüge mit Auffälligkeiten",
    files: "unlesbare Dateien",
    sums: (came: string, went: string) => `${came} Eingang, ${went} Ausgang`,
    chart: (currency: string) => `Letzte 30 Tage in ${currency}`,
    first: "Noch kein Bankkonto.",
    firstHint:
      "Fügen Sie das Konto hinzu, dessen Zahlungen zugeordnet werden sollen. Mit EBICS kommen seine Auszüge jeden Morgen von selbst.",
    add: "Konto hinzufügen"
  }
})

/** Days of the chart. Unit: days. */
const days = 30

/** The morning's page: balances, what is to do, money of the last days, and what failed. */
export default () => {
  const dashboard = useLoad(
    () => call("GET /api/v1/crm/ebics/dashboard", { query: { ...ownTenant(), days: String(days) } }),
    [],
    { live: ["bank.*", "payment.*"], every: 60_000 }
  )
  return (
    <BankPage section="overview">
      <Loading of={dashboard}>
        {(found) => (
          <>
            {found.accounts.length === 0 ? (
              <section class="card">
                <p class="empty">
                  {t().first} {t().firstHint}
                </p>
                <a class="button" href="/console/bank/accounts/new">
                  {t().add}
                </a>
              </section>
            ) : (
              <Balances accounts={found.accounts} />
            )}
            <ToDo of={found} />
            {chartsOf(found.daily).map(([currency, daily]) => (
              <section key={currency} class="card" aria-labelledby={`chart-${currency}`}>
                <h2 id={`chart-${currency}`}>{t().chart(currency)}</h2>
                <MoneyChart label={t().chart(currency)} currency={currency} days={daily} />
              </section>
            ))}
          </>
        )}
      </Loading>
    </BankPage>
  )
}

/** Figures of the days by currency. */
const chartsOf = (daily: Dashboard["daily"]): ReadonlyArray<readonly [string, ReadonlyArray<DayMoney>]> => {
  const charts = new Map<string, Array<DayMoney>>()
  for (const { currency, day, incoming, matched, outgoing, transactions } of daily) {
    const chart = charts.get(currency) ?? []
    charts.set(currency, chart)
    chart.push({ day, in: Number(incoming), out: Math.abs(Number(outgoing)), transactions, matched })
  }
  return [...charts]
}

interface Task {
  readonly href: string
  readonly count: number
  readonly title: string
  readonly detail: ReadonlyArray<string>
  readonly tone: "info" | "warning" | "error"
}

const tasksOf = ({ currencies, failed_files, findings, suggested, unmatched }: Dashboard): ReadonlyArray<Task> => {
  const sums = (of: "unmatched" | "suggested") =>
    currencies
      .filter((one) => one[of].count > 0)
      .map((one) => t().sums(money(one[of].incoming, one.currency), money(one[of].outgoing, one.currency)))
  const amounts = (of: "overdue_invoices" | "open_invoices") =>
    currencies
      .filter((one) => one[of].count > 0 || minorOf(one[of].amount, one.currency) !== 0)
      .map((one) => money(one[of].amount, one.currency))
  const count = (of: "overdue_invoices" | "open_invoices") => currencies.reduce((all, one) => all + one[of].count, 0)
  const at = "/console/bank"
  return [
    {
      href: `${at}/transactions?status=suggested`,
      count: suggested,
      title: t().suggested,
      detail: sums("suggested"),
      tone: "info" as const
    },
    {
      href: `${at}/transactions?status=unmatched`,
      count: unmatched,
      title: t().unmatched,
      detail: sums("unmatched"),
      tone: "warning" as const
    },
    {
      href: `${at}/invoices?status=overdue`,
      count: count("overdue_invoices"),
      title: t().overdue,
      detail: amounts("overdue_invoices"),
      tone: "error" as const
    },
    {
      href: `${at}/invoices?status=open`,
      count: count("open_invoices"),
      title: t().open,
      detail: amounts("open_invoices"),
      tone: "info" as const
    },
    {
      href: `${at}/statements?findings=true`,
      count: findings,
      title: t().findings,
      detail: [],
      tone: "warning" as const
    },
    {
      href: `${at}/statements/files?state=failed`,
      count: failed_files,
      title: t().files,
      detail: [],
      tone: "error" as const
    }
  ].filter((task) => task.count > 0)
}

const ToDo = ({ of }: { readonly of: Dashboard }) => {
  const tasks = tasksOf(of)
  return (
    <section class="card" aria-labelledby="bank-todo">
      <h2 id="bank-todo">{t().todo}</h2>
      {tasks.length === 0 ? (
        <p class="soft">{of.accounts.length === 0 ? "–" : t().nothing}</p>
      ) : (
        <ul class="bank-tasks">
          {tasks.map(({ count, detail, href, title, tone }) => (
            <li key={href} class={tone}>
              <a href={href}>
                <b>{number(count)}</b> {title}
              </a>
              {detail.map((line) => (
                <small key={line}>{line}</small>
              ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
