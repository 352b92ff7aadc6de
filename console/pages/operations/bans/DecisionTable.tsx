import { shortMoment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { useNow } from "../../../parts/Now.ts"
import { When } from "../../../parts/When.tsx"
import { banWords, type Decision, ruleText } from "./Words.ts"

const t = words({
  en: {
    address: "Address",
    rule: "Rule",
    source: "Source",
    since: "Since",
    until: "Ends",
    actions: "Actions",
    lift: "Lift",
    stale: "perhaps lifted",
    exempted: (until: string) => `without effect until ${until}`
  },
  de: {
    address: "Adresse",
    rule: "Regel",
    source: "Quelle",
    since: "Seit",
    until: "Endet",
    actions: "Aktionen",
    lift: "Aufheben",
    stale: "vielleicht aufgehoben",
    exempted: (until: string) => `ohne Wirkung bis ${until}`
  }
})

/** Table of bans. Without `lift`, the bans are only shown. */
export const DecisionTable = ({
  label,
  lift,
  of
}: {
  readonly label: string
  readonly of: ReadonlyArray<Decision>
  readonly lift?: (decision: Decision) => void
}) => {
  const now = useNow(20_000)
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <table class="ops-table">
        <caption class="sr">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{t().address}</th>
            <th scope="col">{t().rule}</th>
            <th scope="col">{t().source}</th>
            <th scope="col">{t().since}</th>
            <th scope="col">{t().until}</th>
            {lift === undefined ? null : <th scope="col">{t().actions}</th>}
          </tr>
        </thead>
        <tbody>
          {of.map((decision) => (
            <tr key={decision.id}>
              <th scope="row">
                <code>{decision.address}</code>
                {decision.stale ? <Badge tone="warning">{t().stale}</Badge> : null}
                {decision.exempted_until === null ? null : (
                  <small>{t().exempted(shortMoment(decision.exempted_until))}</small>
                )}
              </th>
              <td>
                {ruleText(decision.rule)}
                {decision.reason === null ? null : <small>{decision.reason}</small>}
              </td>
              <td>
                {banWords()[decision.source]}
                {decision.origin === decision.source ? null : <small>{decision.origin}</small>}
              </td>
              <td>
                <When at={decision.since} now={now} />
              </td>
              <td>
                <time dateTime={decision.until}>{shortMoment(decision.until)}</time>
              </td>
              {lift === undefined ? null : (
                <td>
                  <button type="button" class="small" onClick={() => lift(decision)}>
                    {t().lift}
                    <span class="sr">: {decision.address}</span>
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
