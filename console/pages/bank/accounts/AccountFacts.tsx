import { words } from "../../../lib/Language.ts"
import { ibanText } from "../Amounts.ts"
import type { Account } from "../Shapes.ts"
import { AccountBadges } from "./AccountBadges.tsx"

const t = words({
  en: {
    title: "Account",
    state: "State",
    iban: "IBAN",
    bic: "BIC",
    holder: "Account holder",
    currency: "Currency",
    host: "Host ID",
    partner: "Partner ID",
    user: "User ID",
    url: "Server",
    version: "EBICS version",
    asked: "the bank is asked at the first step",
    signature: "Signature",
    daily: "Daily fetch",
    intraday: "During the day",
    usualDaily: "every morning about 8:00 UTC",
    usualIntraday: "hourly from 7:00 to 20:00 UTC",
    off: "The schedule is switched off.",
    orders: "Order types"
  },
  de: {
    title: "Konto",
    state: "Zustand",
    iban: "IBAN",
    bic: "BIC",
    holder: "Kontoinhaber",
    currency: "Währung",
    host: "Host-ID",
    partner: "Partner-ID",
    user: "Teilnehmer-ID",
    url: "Server",
    version: "EBICS-Version",
    asked: "die Bank wird beim ersten Schritt gefragt",
    signature: "Unterschrift",
    daily: "Täglicher Abruf",
    intraday: "Während des Tages",
    usualDaily: "jeden Morgen gegen 8:00 UTC",
    usualIntraday: "stündlich von 7:00 bis 20:00 UTC",
    off: "Der Zeitplan ist ausgeschaltet.",
    orders: "Auftragsarten"
  }
})

/** Facts of an account, with its schedule. */
export const AccountFacts = ({ account }: { readonly account: Account }) => {
  const schedule = (own: string | null, usual: string) => (own === null ? usual : <code>{own} (UTC)</code>)
  return (
    <section class="card" aria-labelledby="account-facts">
      <h2 id="account-facts">{t().title}</h2>
      <dl class="facts">
        <dt>{t().state}</dt>
        <dd>
          <AccountBadges account={account} />
        </dd>
        <dt>{t().iban}</dt>
        <dd>{ibanText(account.iban)}</dd>
        {account.bic === null ? null : <Fact name={t().bic}>{account.bic}</Fact>}
        {account.holder === null ? null : <Fact name={t().holder}>{account.holder}</Fact>}
        <Fact name={t().currency}>{account.currency}</Fact>
        {account.host_id === null ? null : (
          <>
            <Fact name={t().host}>{account.host_id}</Fact>
            <Fact name={t().partner}>{account.partner_id ?? "–"}</Fact>
            <Fact name={t().user}>{account.user_id ?? "–"}</Fact>
            <Fact name={t().url}>{account.server_url ?? "–"}</Fact>
            <Fact name={t().version}>{account.ebics_version ?? t().asked}</Fact>
            <Fact name={t().signature}>{account.signature_version}</Fact>
            <dt>{t().daily}</dt>
            <dd>{account.fetch_enabled ? schedule(account.daily_schedule, t().usualDaily) : t().off}</dd>
            {account.fetch_enabled ? (
              <>
                <dt>{t().intraday}</dt>
                <dd>{schedule(account.intraday_schedule, t().usualIntraday)}</dd>
              </>
            ) : null}
            {account.order_types === null ? null : (
              <Fact name={t().orders}>{account.order_types.map(({ order }) => order).join(", ")}</Fact>
            )}
          </>
        )}
      </dl>
    </section>
  )
}

const Fact = ({ children, name }: { readonly name: string; readonly children: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
