import { call } from "../../lib/Call.ts"
import { money, number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
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
    title: "Bank",
    todo: "To do",
    nothing: "Nothing to do. All transactions are decided, and the statements are complete.",
    unmatched: (count: number) => (count === 1 ? "unmatched transaction" : "unmatched transactions"),
    suggested: (count: number) => (count === 1 ? "transaction with a suggestion" : "transactions with a suggestion"),
    overdue: (count: number) => (count === 1 ? "overdue invoice" : "overdue invoices"),
    open: (count: number) => (count === 1 ? "open invoice" : "open invoices"),
    findings: (count: number) => (count === 1 ? "statement with findings" : "statements with findings"),
    files: (count: number) => (count === 1 ? "file that could not be read" : "files that could not be read"),
    in: (amount: string) => `${amount} in`,
    out: (amount: string) => `${amount} out`,
    chart: (currency: string) => `Last 30 days in ${currency}`,
    first: "No bank account yet.",
    firstHint:
      "Add the account whose payments you want to match. With EBICS its statements come every morning by themselves.",
    add: "Add an account"
  },
  de: {
    title: "Bank",
    todo: "Zu tun",
    nothing: "Nichts zu tun. Über alle Umsätze ist entschieden, und die Auszüge sind vollständig.",
    unmatched: (count: number) => (count === 1 ? "offener Umsatz" : "offene Umsätze"),
    suggested: (count: number) => (count === 1 ? "Umsatz mit Vorschlag" : "Umsätze mit Vorschlag"),
    overdue: (count: number) => (count === 1 ? "überfällige Rechnung" : "überfällige Rechnungen"),
    open: (count: number) => (count === 1 ? "offene Rechnung" : "offene Rechnungen"),
    findings: (count: number) => (count === 1 ? "Auszug mit Auffälligkeiten" : "Auszüge mit Auffälligkeiten"),
    files: (count: number) => (count === 1 ? "unlesbare Datei" : "unlesbare Dateien"),
    in: (amount: string) => `${amount} Eingang`,
    out: (amount: string) => `${amount} Ausgang`,
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
    <BankPage section="overview" title={t().title}>
      <Loading of={dashboard}>
        {(found) => (
          <>
            {found.accounts.length === 0 ? (
              <section class="card">
                <h2>{t().first}</h2>
                <p>{t().firstHint}</p>
                {may("ebics.manage") ? (
                  <a class="button primary" href="/console/bank/accounts/new">
                    {t().add}
                  </a>
                ) : null}
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
  readonly title: (count: number) => string
  readonly detail: ReadonlyArray<string>
  readonly tone: "info" | "warning" | "error"
}

const tasksOf = ({ currencies, failed_files, findings, suggested, unmatched }: Dashboard): ReadonlyArray<Task> => {
  const sums = (of: "unmatched" | "suggested") =>
    currencies
      .filter((one) => one[of].count > 0)
      .map(({ currency, [of]: { incoming, outgoing } }) =>
        [
          ...(minorOf(incoming, currency) === 0 ? [] : [t().in(money(incoming, currency))]),
          ...(minorOf(outgoing, currency) === 0 ? [] : [t().out(money(outgoing.replace("-", ""), currency))])
        ].join(", ")
      )
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
  if (tasks.length === 0 && of.accounts.length === 0) return null
  return (
    <section class="card" aria-labelledby="bank-todo">
      <h2 id="bank-todo">{t().todo}</h2>
      {tasks.length === 0 ? (
        <p class="soft">{t().nothing}</p>
      ) : (
        <ul class="bank-tasks">
          {tasks.map(({ count, detail, href, title, tone }) => (
            <li key={href} class={tone}>
              <a href={href}>
                <b>{number(count)}</b> {title(count)}
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
