import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { shortMoment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Sure } from "../../mail/Sure.tsx"
import { Refused } from "../Refusals.ts"
import { MaintenanceForm, titleOf, type Window } from "./MaintenanceForm.tsx"
import { alertWords } from "./Words.ts"

const t = words({
  en: {
    title: "Maintenance",
    intro: "Windows of the status page. While one is active, nobody is told of alerts of its components.",
    plan: "Announce maintenance",
    none: "No maintenance is planned.",
    elsewhere: "The status page does not run behind this address. Plan with: signalbox status maintenance",
    from: (start: string, end: string) => `${start} to ${end}`,
    change: "Change",
    cancel: "Cancel it",
    sure: "Really cancel it?",
    loses: "Its components are measured again, and the status page shows the window no more."
  },
  de: {
    title: "Wartung",
    intro: "Fenster der Statusseite. Während eines läuft, wird von seinen Komponenten nichts gemeldet.",
    plan: "Wartung ankündigen",
    none: "Keine Wartung ist geplant.",
    elsewhere: "Die Statusseite läuft nicht hinter dieser Adresse. Planen mit: signalbox status maintenance",
    from: (start: string, end: string) => `${start} bis ${end}`,
    change: "Ändern",
    cancel: "Absagen",
    sure: "Wirklich absagen?",
    loses: "Ihre Komponenten werden wieder gemessen, und die Statusseite zeigt das Fenster nicht mehr."
  }
})

/** Windows that the page shows. */
const listed = 20

/** Planned and active maintenance windows of the status page. */
export const Maintenance = ({ changed }: { readonly changed: () => void }) => {
  const list = useLoad(
    () =>
      Promise.all(
        (["active", "planned"] as const).map((state) =>
          call("GET /api/v1/admin/maintenance", { query: { state, limit: listed } })
        )
      ).then((answers) => answers.flatMap(({ items }) => items)),
    [],
    { every: 60_000 }
  )
  /** The window whose form is open; `new` to announce one. */
  const editing = useSignal<Window | "new" | undefined>(undefined)
  const doing = useDoing()
  // A proxy may not pass the paths of the status page on.
  const isElsewhere = list.problem.value?.status === 404
  const manages = may("system.manage") && !isElsewhere
  const saved = () => {
    editing.value = undefined
    list.reload()
    changed()
  }
  const cancel = (id: string) =>
    void doing
      .run(() => call("DELETE /api/v1/admin/maintenance/:id", { params: { id } }))
      .then((well) => well && saved())
  return (
    <section class="card" aria-labelledby="maintenance">
      <div class="card-head">
        <h2 id="maintenance">{t().title}</h2>
        {manages ? (
          <button type="button" onClick={() => (editing.value = "new")}>
            {t().plan}
          </button>
        ) : null}
      </div>
      <p class="soft">{t().intro}</p>
      <Refused problem={doing.problem.value} />
      {isElsewhere ? <p>{t().elsewhere}</p> : null}
      {isElsewhere ? null : (
        <Loading of={list}>
          {(windows) =>
            windows.length === 0 ? (
              <p class="soft">{t().none}</p>
            ) : (
              <ul class="rows" aria-labelledby="maintenance">
                {windows.map((one) => (
                  <li key={one.id} class="ops-alert">
                    <WindowText of={one} />
                    {manages ? (
                      <div class="page-actions">
                        <button type="button" onClick={() => (editing.value = one)}>
                          {t().change}
                          <span class="sr">: {titleOf(one)}</span>
                        </button>
                        <Sure
                          sure={t().sure}
                          loses={t().loses}
                          disabled={doing.busy.value}
                          onSure={() => cancel(one.id)}
                        >
                          {t().cancel}
                          <span class="sr">: {titleOf(one)}</span>
                        </Sure>
                      </div>
                    ) : null}
                  </li>
                ))}
              </ul>
            )
          }
        </Loading>
      )}
      {editing.value === undefined ? null : (
        <MaintenanceForm
          of={editing.value === "new" ? undefined : editing.value}
          saved={saved}
          shut={() => (editing.value = undefined)}
        />
      )}
    </section>
  )
}

const WindowText = ({ of }: { readonly of: Window }) => (
  <div class="ops-alert-text">
    <div class="ops-line">
      <Badge tone={of.state === "active" ? "warning" : "info"}>
        {alertWords()[of.state === "active" ? "active" : "planned"]}
      </Badge>
      <strong>{titleOf(of)}</strong>
      <span>{t().from(shortMoment(of.starts_at), shortMoment(of.ends_at))}</span>
    </div>
    <p class="soft">{of.components.join(", ")}</p>
  </div>
)
