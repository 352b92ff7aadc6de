import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { number } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Chart } from "../../../parts/Chart.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { CrowdSecState } from "./CrowdSecState.tsx"
import { banWords, ruleText, sources } from "./Words.ts"

type Found = Answer<"GET /api/v1/security/summary">

const t = words({
  en: {
    title: "Summary",
    days: "Time",
    last: (days: number) => `Last ${days} days`,
    chart: "Offences per day",
    active: (count: number) => (count === 1 ? "active ban" : "active bans"),
    exemptions: (count: number) => (count === 1 ? "exemption" : "exemptions"),
    offences: (count: number) => (count === 1 ? "offence" : "offences"),
    byRule: "By rule",
    rule: "Rule",
    count: "Offences",
    activeNow: "Banned now",
    byAddress: "Most frequent addresses",
    address: "Address",
    banned: "banned"
  },
  de: {
    title: "Zusammenfassung",
    days: "Zeitraum",
    last: (days: number) => `Letzte ${days} Tage`,
    chart: "Verstöße je Tag",
    active: (count: number) => (count === 1 ? "aktive Sperre" : "aktive Sperren"),
    exemptions: (count: number) => (count === 1 ? "Ausnahme" : "Ausnahmen"),
    offences: (count: number) => (count === 1 ? "Verstoß" : "Verstöße"),
    byRule: "Nach Regel",
    rule: "Regel",
    count: "Verstöße",
    activeNow: "Jetzt gesperrt",
    byAddress: "Häufigste Adressen",
    address: "Adresse",
    banned: "gesperrt"
  }
})

const ranges = [7, 30, 90] as const
/** Length of a day. Unit: milliseconds. */
const day = 86_400_000
/** Rows of each small table. Reason: the page must show the bans without scrolling far. */
const listed = 6

/** Offences per day as a chart, and the most frequent rules and addresses. */
export const Summary = ({ turn }: { readonly turn: number }) => {
  const days = useSignal<number>(30)
  const summary = useLoad(
    () => call("GET /api/v1/security/summary", { query: { days: days.value } }),
    [days.value, turn],
    { live: ["security.ban.*"], every: 60_000 }
  )
  return (
    <section class="card" aria-labelledby="summary">
      <div class="card-head">
        <h2 id="summary">{t().title}</h2>
        <label>
          {t().days}
          <select value={days.value} onChange={({ currentTarget }) => (days.value = Number(currentTarget.value))}>
            {ranges.map((one) => (
              <option key={one} value={one}>
                {t().last(one)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Loading of={summary}>{(found) => <Content of={found} />}</Loading>
    </section>
  )
}

const Content = ({ of }: { readonly of: Found }) => {
  const at = of.by_day.map(({ day }) => Date.parse(`${day}T00:00:00Z`))
  return (
    <>
      <CrowdSecState of={of.crowdsec} />
      <p class="ops-figures">
        {(
          [
            ["active", of.active.own + of.active.crowdsec],
            ["offences", of.offences.own + of.offences.crowdsec],
            ["exemptions", of.exemptions]
          ] as const
        ).map(([what, count]) => (
          <span key={what}>
            <b>{number(count)}</b> {t()[what](count)}
          </span>
        ))}
      </p>
      {at.length === 0 ? null : (
        <Chart
          label={t().chart}
          at={at}
          until={at.at(-1)! + day}
          series={sources.map((source) => ({
            name: source,
            label: banWords()[source],
            colour: source === "own" ? "c1" : "c2",
            values: of.by_day.map((one) => one[source])
          }))}
        />
      )}
      {of.by_rule.length + of.top_addresses.length === 0 ? null : (
        <div class="ops-columns">
          <Rules of={of} />
          <Addresses of={of} />
        </div>
      )}
    </>
  )
}

const Rules = ({ of }: { readonly of: Found }) => (
  <div class="scroll" role="region" aria-label={t().byRule} tabIndex={0}>
    <table class="ops-table">
      <caption>{t().byRule}</caption>
      <thead>
        <tr>
          <th scope="col">{t().rule}</th>
          <th scope="col" class="number">
            {t().count}
          </th>
          <th scope="col" class="number">
            {t().activeNow}
          </th>
        </tr>
      </thead>
      <tbody>
        {of.by_rule.slice(0, listed).map(({ active, offences, rule, source }) => (
          <tr key={`${source} ${rule}`}>
            <th scope="row">
              {ruleText(rule)}
              {source === "own" ? null : <small>{banWords()[source]}</small>}
            </th>
            <td class="number">{number(offences)}</td>
            <td class="number">{number(active)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Addresses = ({ of }: { readonly of: Found }) => (
  <div class="scroll" role="region" aria-label={t().byAddress} tabIndex={0}>
    <table class="ops-table">
      <caption>{t().byAddress}</caption>
      <thead>
        <tr>
          <th scope="col">{t().address}</th>
          <th scope="col" class="number">
            {t().count}
          </th>
        </tr>
      </thead>
      <tbody>
        {of.top_addresses.slice(0, listed).map(({ address, banned, offences }) => (
          <tr key={address}>
            <th scope="row">
              <code>{address}</code> {banned ? <Badge tone="error">{t().banned}</Badge> : null}
            </th>
            <td class="number">{number(offences)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
