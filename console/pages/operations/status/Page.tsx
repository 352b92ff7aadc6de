import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { language, words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Problem } from "../../../lib/Problem.ts"
import { Badge, type Tone } from "../../../parts/Badge.tsx"
import { Empty } from "../../../parts/Empty.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { useNow } from "../../../parts/Now.ts"
import { Trouble } from "../../../parts/Trouble.tsx"
import { When } from "../../../parts/When.tsx"
import { OperationsPage } from "../OperationsPage.tsx"
import { type Check, outcomeTone, outcomeWord, statusTone, statusWord } from "./Words.ts"

const t = words({
  en: {
    now: "Check now",
    checking: "Checking …",
    list: "Components of the status page",
    component: "Component",
    status: "Status",
    checked: "Last check",
    results: "Results",
    none: "No components yet",
    about:
      "The status page shows visitors what works. Its components are declared in the file that SERVICES_FILE names; " +
      "each is checked by HTTP, TCP, TLS or DNS, or by the health of its container.",
    never: "not yet"
  },
  de: {
    now: "Jetzt prüfen",
    checking: "Prüfung läuft …",
    list: "Komponenten der Statusseite",
    component: "Komponente",
    status: "Status",
    checked: "Letzte Prüfung",
    results: "Ergebnisse",
    none: "Noch keine Komponenten",
    about:
      "Die Statusseite zeigt Besuchern, was funktioniert. Ihre Komponenten stehen in der Datei, die SERVICES_FILE " +
      "nennt; jede wird per HTTP, TCP, TLS oder DNS geprüft, oder nach der Gesundheit ihres Containers.",
    never: "noch nicht"
  }
})

/** Reload interval, and while a requested check runs. Unit: milliseconds. */
const every = 10_000
const soon = 1_000

/** Components of the public status page with the results of their last checks. */
export default () => {
  const requested = useSignal<string | undefined>(undefined)
  const problem = useSignal<Problem | undefined>(undefined)
  const list = useLoad(() => call("GET /api/v1/admin/checks"), [requested.value], {
    every: requested.value === undefined ? every : soon
  })
  const now = useNow(every)
  const items = list.value.value?.items ?? []
  const isChecking =
    requested.value !== undefined &&
    items.some(({ checked_at, results }) => results.length > 0 && (checked_at ?? "") < requested.value!)
  const check = async () => {
    problem.value = undefined
    try {
      requested.value = (await call("POST /api/v1/admin/checks")).requested_at
    } catch (error) {
      problem.value = error instanceof Problem ? error : new Problem(0, "failed", String(error))
    }
  }
  return (
    <OperationsPage
      section="status"
      actions={
        may("system.manage") && items.length > 0 ? (
          <button type="button" class="primary" disabled={isChecking} onClick={() => void check()}>
            {isChecking ? t().checking : t().now}
          </button>
        ) : undefined
      }
    >
      <Trouble problem={problem.value} />
      <p class="sr" role="status">
        {isChecking ? t().checking : ""}
      </p>
      <Loading of={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t().none} text={t().about} />
          ) : (
            <section class="card" aria-label={t().list}>
              <div class="scroll">
                <table>
                  <caption class="sr">{t().list}</caption>
                  <thead>
                    <tr>
                      <th scope="col">{t().component}</th>
                      <th scope="col">{t().status}</th>
                      <th scope="col">{t().checked}</th>
                      <th scope="col">{t().results}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((check) => (
                      <Row key={check.component_id} check={check} now={now} />
                    ))}
                  </tbody>
                </table>
              </div>
            </section>
          )
        }
      </Loading>
    </OperationsPage>
  )
}

const Row = ({ check, now }: { readonly check: Check; readonly now: number }) => (
  <tr>
    <td>{language.value === "de" ? check.name : check.name_en}</td>
    <td>
      <Badge tone={statusTone(check.status)}>{statusWord(check.status)}</Badge>
    </td>
    <td>{check.checked_at === null ? t().never : <When at={check.checked_at} now={now} />}</td>
    <td>
      <ul class="plain-list">
        {check.results.map(({ detail, kind, outcome }, index) => (
          <li key={index}>
            <Badge tone={outcomeTone(outcome) satisfies Tone}>{outcomeWord(outcome)}</Badge> {kind}: {detail}
          </li>
        ))}
      </ul>
    </td>
  </tr>
)
