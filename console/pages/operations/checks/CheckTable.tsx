import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { may } from "../../../lib/Me.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { useNow } from "../../../parts/Now.ts"
import { When } from "../../../parts/When.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { sectionTitle } from "../OperationsPage.tsx"
import { Refused } from "../Refusals.ts"
import { type Check, checkHref, checkWord, resultText, statusTones, valueText } from "./Words.ts"

const t = words({
  en: {
    check: "Check",
    status: "State",
    value: "Value",
    result: "Last result",
    actions: "Actions",
    run: "Run now",
    disabled: "switched off",
    alerting: "reports an alert"
  },
  de: {
    check: "Prüfung",
    status: "Zustand",
    value: "Wert",
    result: "Letztes Ergebnis",
    actions: "Aktionen",
    run: "Jetzt prüfen",
    disabled: "ausgeschaltet",
    alerting: "hat eine Meldung"
  }
})

/** Table of checks; each links to its history. */
export const CheckTable = ({ changed, of }: { readonly of: ReadonlyArray<Check>; readonly changed: () => void }) => {
  const now = useNow(5_000)
  const doing = useDoing()
  const manages = may("system.manage")
  const run = (id: number) =>
    void doing
      .run(() => call("POST /api/v1/monitoring/checks/:id/run", { params: { id } }))
      .then((done) => done && changed())
  return (
    <>
      <Refused problem={doing.problem.value} />
      <div class="scroll" role="region" aria-label={sectionTitle("checks")} tabIndex={0}>
        <table class="ops-table">
          <caption class="sr">{sectionTitle("checks")}</caption>
          <thead>
            <tr>
              <th scope="col">{t().check}</th>
              <th scope="col">{t().status}</th>
              <th scope="col" class="number">
                {t().value}
              </th>
              <th scope="col">{t().result}</th>
              {manages ? <th scope="col">{t().actions}</th> : null}
            </tr>
          </thead>
          <tbody>
            {of.map((check) => (
              <tr key={check.id}>
                <th scope="row">
                  <a href={checkHref(check.id)}>{check.key}</a>
                  <small>{checkWord(check.kind)}</small>
                </th>
                <td>
                  {check.enabled ? (
                    <Badge tone={statusTones[check.status]}>{checkWord(check.status)}</Badge>
                  ) : (
                    <Badge tone="quiet">{t().disabled}</Badge>
                  )}
                  {check.alerting ? <small>{t().alerting}</small> : null}
                </td>
                <td class="number">{check.value === null ? "" : valueText(check.value, check.unit)}</td>
                <td class="ops-result">
                  {resultText(check)}
                  {check.checked_at === null ? null : (
                    <small>
                      <When at={check.checked_at} now={now} />
                    </small>
                  )}
                </td>
                {manages ? (
                  <td>
                    {check.enabled ? (
                      <button type="button" class="small" disabled={doing.busy.value} onClick={() => run(check.id)}>
                        {t().run}
                        <span class="sr">: {check.key}</span>
                      </button>
                    ) : null}
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
