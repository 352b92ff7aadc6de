import { call } from "../../../lib/Call.ts"
import { calendarDay } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { save } from "../../mail/Download.ts"
import { accountName, useAccounts } from "../Accounts.ts"
import { ibanText } from "../Amounts.ts"
import { BankPage } from "../BankPage.tsx"
import { Money } from "../Money.tsx"
import { Refused } from "../Refusals.ts"
import { StatusBadge } from "../StatusWords.tsx"
import type { Statement, Transaction } from "../Shapes.ts"
import { findingText } from "./FindingWords.ts"
import { daysOf, kindTitle, numberOf, stateTitle } from "./StatementWords.ts"
import { At } from "../../../parts/When.tsx"

const t = words({
  en: {
    title: (days: string) => `Statement ${days}`,
    statement: "Statement",
    raw: "Original file",
    all: "All statements",
    facts: "Statement",
    findings: "To look at",
    account: "Account",
    kind: "Kind",
    number: "Number",
    opening: "Opening balance",
    closing: "Closing balance",
    format: "Format",
    imported: "Imported",
    on: (day: string) => `on ${day}`,
    replaced: "A newer statement replaced this one.",
    newer: "Open the newer statement",
    transactions: "Transactions",
    day: "Day",
    who: "Payer or payee",
    amount: "Amount",
    status: "State",
    none: "No transactions in this statement.",
    gone: "replaced"
  },
  de: {
    title: (days: string) => `Auszug ${days}`,
    statement: "Auszug",
    raw: "Originaldatei",
    all: "Alle Auszüge",
    facts: "Auszug",
    findings: "Auffälligkeiten",
    account: "Konto",
    kind: "Art",
    number: "Nummer",
    opening: "Anfangsstand",
    closing: "Endstand",
    format: "Format",
    imported: "Importiert",
    on: (day: string) => `am ${day}`,
    replaced: "Ein neuerer Auszug hat diesen ersetzt.",
    newer: "Den neueren Auszug öffnen",
    transactions: "Umsätze",
    day: "Tag",
    who: "Zahler oder Empfänger",
    amount: "Betrag",
    status: "Zustand",
    none: "Keine Umsätze in diesem Auszug.",
    gone: "ersetzt"
  }
})

/** Transactions per page. */
const pageSize = 100

/** Page of one statement with its transactions. */
export default ({ uuid }: { readonly uuid: string }) => {
  const doing = useDoing()
  const accounts = useAccounts()
  const statement = useLoad(() => call("GET /api/v1/crm/ebics/statements/:uuid", { params: { uuid } }), [uuid], {
    live: ["bank.statement.*"]
  })
  const shown = statement.value.value
  const download = () =>
    void doing.run(async () => {
      const file = await call("GET /api/v1/crm/ebics/files/:uuid", { params: { uuid: shown!.file_id } })
      await save(`/api/v1/crm/ebics/statements/${uuid}/raw`, file.name)
    })
  return (
    <BankPage
      section="statements"
      title={shown === undefined ? t().statement : t().title(daysOf(shown))}
      actions={
        <>
          <button type="button" disabled={shown === undefined || doing.busy.value} onClick={download}>
            {t().raw}
          </button>
          <a class="button" href="/console/bank/statements">
            {t().all}
          </a>
        </>
      }
    >
      <Refused problem={doing.problem.value} />
      <Loading of={statement}>
        {(found) => (
          <>
            {found.state === "replaced" ? (
              <p class="remark">
                {t().replaced}{" "}
                {found.replaced_by === null ? null : (
                  <a href={`/console/bank/statements/${found.replaced_by}`}>{t().newer}</a>
                )}
              </p>
            ) : null}
            {found.findings.length === 0 ? null : (
              <section class="card" aria-labelledby="findings">
                <h2 id="findings">{t().findings}</h2>
                <ul class="bank-findings">
                  {found.findings.map((finding, at) => (
                    <li key={at}>{findingText(finding)}</li>
                  ))}
                </ul>
              </section>
            )}
            <Facts statement={found} account={accountName(accounts.value.value, found.account_id)} />
          </>
        )}
      </Loading>
      {shown === undefined ? null : <Transactions statement={uuid} />}
    </BankPage>
  )
}

const Facts = ({ account, statement }: { readonly statement: Statement; readonly account: string }) => (
  <section class="card" aria-labelledby="facts">
    <h2 id="facts">{t().facts}</h2>
    <dl class="facts">
      <dt>{t().account}</dt>
      <dd>
        {statement.account_id === null ? null : (
          <a href={`/console/bank/accounts/${statement.account_id}`}>{account}</a>
        )}{" "}
        {statement.iban === null ? "" : ibanText(statement.iban)}
      </dd>
      <dt>{t().kind}</dt>
      <dd>
        {kindTitle(statement.kind)}
        {statement.state === "replaced" ? `, ${stateTitle(statement.state)}` : ""}
      </dd>
      <dt>{t().number}</dt>
      <dd>{numberOf(statement)}</dd>
      <dt>{t().opening}</dt>
      <dd>
        <Balance amount={statement.opening} on={statement.opening_on} currency={statement.currency} />
      </dd>
      <dt>{t().closing}</dt>
      <dd>
        <Balance amount={statement.closing} on={statement.closing_on} currency={statement.currency} />
      </dd>
      <dt>{t().format}</dt>
      <dd>{statement.format}</dd>
      <dt>{t().imported}</dt>
      <dd>
        <At at={statement.imported_at} />
      </dd>
    </dl>
  </section>
)

const Balance = ({
  amount,
  currency,
  on
}: {
  readonly amount: string | null
  readonly currency: string | null
  readonly on: string | null
}) =>
  amount === null || currency === null ? (
    <>–</>
  ) : (
    <>
      <Money amount={amount} currency={currency} /> {on === null ? "" : t().on(calendarDay(on))}
    </>
  )

const Transactions = ({ statement }: { readonly statement: string }) => {
  const trail = useTrail([statement])
  const before = trail.value.at(-1)
  const list = useLoad(
    () => call("GET /api/v1/crm/ebics/transactions", { query: { statement, limit: pageSize, before } }),
    [statement, before],
    { live: ["bank.*"] }
  )
  return (
    <section class="card" aria-labelledby="transactions">
      <h2 id="transactions">{t().transactions}</h2>
      <Loading of={list}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? <p class="soft">{t().none}</p> : <Table transactions={items} />}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </section>
  )
}

const Table = ({ transactions }: { readonly transactions: ReadonlyArray<Transaction> }) => (
  <div class="scroll" role="region" aria-labelledby="transactions" tabIndex={0}>
    <table class="bank-table">
      <thead>
        <tr>
          <th scope="col">{t().day}</th>
          <th scope="col">{t().who}</th>
          <th scope="col" class="number">
            {t().amount}
          </th>
          <th scope="col">{t().status}</th>
        </tr>
      </thead>
      <tbody>
        {transactions.map((one) => (
          <tr key={one.id} class={one.current ? "" : "bank-gone"}>
            <td>{calendarDay(one.booked_on)}</td>
            <td class="bank-text">
              <a href={`/console/bank/transactions?id=${one.id}`}>{one.counter_name ?? "–"}</a>
              <small>{one.text}</small>
            </td>
            <td class="number">
              <Money amount={one.amount} currency={one.currency} />
            </td>
            <td>{one.current ? <StatusBadge of={one.reconciliation_status} /> : t().gone}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
