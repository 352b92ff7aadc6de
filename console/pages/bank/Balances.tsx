import { calendarDay, shortMoment } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { Badge } from "../../parts/Badge.tsx"
import { useNow } from "../../parts/Now.ts"
import { When } from "../../parts/When.tsx"
import { ibanText } from "./Amounts.ts"
import { Money } from "./Money.tsx"
import { bankProblemText } from "./Refusals.ts"
import { stoppedText } from "./Stopped.ts"
import { FetchBadge } from "./StatusWords.tsx"
import type { Dashboard } from "./Shapes.ts"

const t = words({
  en: {
    title: "Balances",
    account: "Account",
    balance: "Balance",
    fetch: "Last fetch",
    open: "Unmatched",
    none: "no statement yet",
    on: (day: string) => `on ${day}`,
    preliminary: "preliminary",
    never: "never",
    byHand: "Statements are imported by hand.",
    setUp: "The set-up is not complete.",
    suspended: "suspended",
    failing: (times: number) => (times === 1 ? "failed once" : `failed ${times} times`),
    since: "since",
    retry: "next attempt",
    success: "last success"
  },
  de: {
    title: "Kontostände",
    account: "Konto",
    balance: "Stand",
    fetch: "Letzter Abruf",
    open: "Offen",
    none: "noch kein Auszug",
    on: (day: string) => `am ${day}`,
    preliminary: "vorläufig",
    never: "nie",
    byHand: "Auszüge werden von Hand importiert.",
    setUp: "Die Einrichtung ist nicht fertig.",
    suspended: "ausgesetzt",
    failing: (times: number) => (times === 1 ? "einmal fehlgeschlagen" : `${times}-mal fehlgeschlagen`),
    since: "seit",
    retry: "nächster Versuch",
    success: "letzter Erfolg"
  }
})

type Row = Dashboard["accounts"][number]

/** Balance, unmatched transactions and last fetch of each account. */
export const Balances = ({ accounts }: { readonly accounts: ReadonlyArray<Row> }) => {
  const now = useNow(60_000)
  return (
    <section class="card" aria-labelledby="balances">
      <h2 id="balances">{t().title}</h2>
      <div class="scroll" role="region" aria-labelledby="balances" tabIndex={0}>
        <table class="bank-table bank-balances">
          <thead>
            <tr>
              <th scope="col">{t().account}</th>
              <th scope="col" class="number">
                {t().balance}
              </th>
              <th scope="col" class="number">
                {t().open}
              </th>
              <th scope="col">{t().fetch}</th>
            </tr>
          </thead>
          <tbody>
            {accounts.map((account) => (
              <tr key={account.account_id}>
                <th scope="row" class="bank-name">
                  <a href={`/console/bank/accounts/${account.account_id}`}>{account.name}</a>
                  <small>{ibanText(account.iban)}</small>
                </th>
                <td class="number">
                  <Balance of={account} />
                </td>
                <td class="number">
                  <a href={`/console/bank/transactions?status=unmatched&account=${account.account_id}`}>
                    {account.unmatched}
                  </a>
                </td>
                <td>
                  <LastFetch of={account} now={now} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const Balance = ({ of: { balance, currency, intraday } }: { readonly of: Row }) =>
  balance === null && intraday === null ? (
    <span class="soft">{t().none}</span>
  ) : (
    <>
      {balance === null ? null : (
        <a href={`/console/bank/statements/${balance.statement_id}`}>
          <strong>
            <Money amount={balance.amount} currency={currency} />
          </strong>
        </a>
      )}
      {balance === null || balance.on === null ? null : <small class="block">{t().on(calendarDay(balance.on))}</small>}
      {intraday === null ? null : (
        <small class="block">
          {t().preliminary} <Money amount={intraday.amount} currency={currency} />
        </small>
      )}
    </>
  )

const LastFetch = ({
  now,
  of: { failing, key_status, last_fetch, last_success, stopped }
}: {
  readonly of: Row
  readonly now: number
}) => (
  <>
    {stopped === null ? null : (
      <p class="bank-warning">
        <Badge tone="error">{stoppedText(stopped)}</Badge>
      </p>
    )}
    {last_fetch === null ? (
      <span class="soft">
        {key_status === "suspended"
          ? t().suspended
          : key_status === "active"
            ? t().never
            : key_status === "pending"
              ? t().byHand
              : t().setUp}
      </span>
    ) : (
      <>
        <FetchBadge of={last_fetch.state} /> <When at={last_fetch.finished_at ?? last_fetch.created_at} now={now} />
      </>
    )}
    {failing === null ? null : (
      <small class="block bank-failing">
        {t().failing(failing.failures)}
        {failing.since === null ? null : (
          <>
            , {t().since} <When at={failing.since} now={now} />
          </>
        )}
        {failing.retry_at === null ? null : (
          <>
            , {t().retry} {shortMoment(failing.retry_at)}
          </>
        )}
        {failing.problem === null ? null : <>: {bankProblemText(failing.problem)}</>}
        {last_success === null ? null : (
          <>
            {" "}
            ({t().success} <When at={last_success} now={now} />)
          </>
        )}
      </small>
    )}
  </>
)
