import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { language, words } from "../../../lib/Language.ts"
import type { Loaded } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Badge, type Tone } from "../../../parts/Badge.tsx"
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx"
import { Empty } from "../../../parts/Empty.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { useNow } from "../../../parts/Now.ts"
import { type RowAction, RowMenu } from "../../../parts/RowMenu.tsx"
import { RowTable } from "../../../parts/RowTable.tsx"
import { When } from "../../../parts/When.tsx"
import { told } from "../Refusals.ts"
import type { StoredComponent } from "./Checks.ts"
import { ComponentForm } from "./ComponentForm.tsx"
import { type ResponseTimes, Times } from "./Times.tsx"
import { type Check, outcomeTone, outcomeWord, statusTone, statusWord } from "./Words.ts"

const t = words({
  en: {
    list: "Components of the status page",
    add: "Add a component",
    component: "Component",
    status: "Status",
    checked: "Last check",
    results: "Results",
    times: "Response time, 24 hours",
    none: "No components yet",
    about:
      "The status page shows visitors what works. A component is a service with a check by HTTP, TCP, TLS or DNS. " +
      "Add one here, or declare them in the file that SERVICES_FILE names.",
    never: "not yet",
    byHand: "only by incidents",
    change: "Change",
    remove: "Delete",
    removeThis: (name: string) => `Delete ${name}`,
    loses:
      "The component leaves the status page at once. Subscriptions to it alone and its response times are deleted. Its " +
      "incidents stay. Its history is forgotten after 90 days; until then a component with the same id has it again.",
    removeHidden: "Delete the copy stored here",
    losesHidden:
      "SERVICES_FILE declares a component with this id, and the status page shows that one. It stays; only the copy " +
      "stored here is deleted."
  },
  de: {
    list: "Komponenten der Statusseite",
    add: "Komponente hinzufügen",
    component: "Komponente",
    status: "Status",
    checked: "Letzte Prüfung",
    results: "Ergebnisse",
    times: "Antwortzeit, 24 Stunden",
    none: "Noch keine Komponenten",
    about:
      "Die Statusseite zeigt Besuchern, was funktioniert. Eine Komponente ist ein Dienst mit einer Prüfung per HTTP, " +
      "TCP, TLS oder DNS. Legen Sie hier eine an, oder nennen Sie sie in der Datei SERVICES_FILE.",
    never: "noch nicht",
    byHand: "nur durch Störungen",
    change: "Ändern",
    remove: "Löschen",
    removeThis: (name: string) => `${name} löschen`,
    loses:
      "Die Komponente verschwindet sofort von der Statusseite. Abonnements nur dieser Komponente und ihre " +
      "Antwortzeiten werden gelöscht. Ihre Störungen bleiben. Ihr Verlauf wird nach 90 Tagen gelöscht; bis dahin hat " +
      "ihn eine neue Komponente mit derselben Kennung wieder.",
    removeHidden: "Hier gespeicherte Fassung löschen",
    losesHidden:
      "SERVICES_FILE nennt eine Komponente mit dieser Kennung, und die Statusseite zeigt jene. Sie bleibt; gelöscht " +
      "wird nur die hier gespeicherte Fassung."
  }
})

export interface Components {
  /** All components with their last results. */
  readonly checks: ReadonlyArray<Check>
  /** Those that can be changed here. */
  readonly stored: ReadonlyArray<StoredComponent>
  /** Response times by component. */
  readonly times: ReadonlyMap<string, ResponseTimes>
}

/** Components with their last results; adds, changes and deletes those of the database. */
export const ComponentsCard = ({ every, of }: { readonly of: Loaded<Components>; readonly every: number }) => {
  const now = useNow(every)
  /** The component whose form is open; `new` to add one. */
  const editing = useSignal<StoredComponent | "new" | undefined>(undefined)
  const removing = useSignal<StoredComponent | undefined>(undefined)
  const manages = may("system.manage")
  const saved = () => {
    editing.value = undefined
    of.reload()
  }
  const add = (
    <button type="button" onClick={() => (editing.value = "new")}>
      {t().add}
    </button>
  )
  const actionsOf = ({ component_id }: Check, stored: ReadonlyArray<StoredComponent>): ReadonlyArray<RowAction> => {
    const own = stored.find(({ id }) => id === component_id)
    if (own === undefined) return []
    return own.hidden
      ? [{ text: t().removeHidden, danger: true, act: () => (removing.value = own) }]
      : [
          { text: t().change, act: () => (editing.value = own) },
          { text: t().remove, danger: true, act: () => (removing.value = own) }
        ]
  }
  const open = editing.value
  return (
    <section class="card" aria-labelledby="components">
      <div class="card-head">
        <h2 id="components">{t().list}</h2>
        {manages && open === undefined && (of.value.value?.checks.length ?? 0) > 0 ? add : null}
      </div>
      {removing.value === undefined ? null : (
        <ConfirmDialog
          title={t().removeThis(nameOf(removing.value))}
          action={t().remove}
          told={told}
          work={async () => {
            await call("DELETE /api/v1/admin/components/:id", { params: { id: removing.value!.id } })
            of.reload()
          }}
          close={() => (removing.value = undefined)}
        >
          <p>{removing.value.hidden ? t().losesHidden : t().loses}</p>
        </ConfirmDialog>
      )}
      {open === undefined ? null : (
        <ComponentForm
          key={open === "new" ? "" : open.id}
          of={open === "new" ? undefined : open}
          saved={saved}
          shut={() => (editing.value = undefined)}
        />
      )}
      <Loading of={of}>
        {({ checks, stored, times }) =>
          checks.length === 0 ? (
            open !== undefined ? null : (
              <Empty title={t().none} text={t().about}>
                {manages ? add : undefined}
              </Empty>
            )
          ) : (
            <RowTable
              labelledBy="components"
              rows={checks}
              keyOf={({ component_id }) => component_id}
              columns={[
                { title: t().component, show: nameOf },
                {
                  title: t().status,
                  show: (check) =>
                    isByHand(check, stored) ? (
                      <Badge tone="quiet">{t().byHand}</Badge>
                    ) : (
                      <Badge tone={statusTone(check.status)}>{statusWord(check.status)}</Badge>
                    )
                },
                {
                  title: t().checked,
                  show: (check) =>
                    check.checked_at !== null ? (
                      <When at={check.checked_at} now={now} />
                    ) : isByHand(check, stored) ? (
                      "–"
                    ) : (
                      t().never
                    )
                },
                { title: t().results, show: ({ results }) => <Results of={results} /> },
                {
                  title: t().times,
                  show: (check) =>
                    isByHand(check, stored) ? "–" : <Times of={times.get(check.component_id)} name={nameOf(check)} />
                }
              ]}
              actions={
                manages && stored.length > 0
                  ? (check) => <RowMenu of={nameOf(check)} actions={actionsOf(check, stored)} />
                  : undefined
              }
            />
          )
        }
      </Loading>
    </section>
  )
}

/** Whether nothing measures the component, so that only incidents change its status. */
const isByHand = ({ component_id }: Check, stored: ReadonlyArray<StoredComponent>): boolean =>
  stored.some(({ checks, hidden, id }) => id === component_id && !hidden && checks.length === 0)

const nameOf = ({ name, name_en }: { readonly name: string; readonly name_en: string }): string =>
  language.value === "de" ? name : name_en

const Results = ({ of }: { readonly of: Check["results"] }) => (
  <ul class="plain-list">
    {of.map(({ detail, kind, outcome }, index) => (
      <li key={index}>
        <Badge tone={outcomeTone(outcome) satisfies Tone}>{outcomeWord(outcome)}</Badge> {kind}: {detail}
      </li>
    ))}
  </ul>
)
