import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { call } from "../../../lib/Call.ts"
import { language, words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { At } from "../../../parts/When.tsx"
import { OperationsPage } from "../OperationsPage.tsx"
import { told } from "../Refusals.ts"
import { IncidentForm } from "./IncidentForm.tsx"
import { type Incident, incidentTone, incidentWords, titleOf } from "./IncidentWords.ts"
import { ResolveForm, UpdateForm } from "./UpdateForm.tsx"

const t = words({
  en: {
    title: "Incident",
    all: "Status page",
    publish: "Publish",
    publishThis: (title: string) => `Publish ${title}`,
    tells: "The incident is public at once, and subscribers get a mail. It cannot be withdrawn.",
    update: "Add an update",
    resolve: "Resolve",
    change: "Change the texts",
    remove: "Delete the draft",
    removeThis: (title: string) => `Delete ${title}`,
    loses: "The draft is deleted. Another one is proposed only after its components have been up again.",
    updates: "Updates",
    began: "Began",
    components: "Components",
    nothing: "none",
    proposed: "Proposed because a component has been down for a while. Complete the texts before you publish it."
  },
  de: {
    title: "Störung",
    all: "Statusseite",
    publish: "Veröffentlichen",
    publishThis: (title: string) => `${title} veröffentlichen`,
    tells: "Die Störung ist sofort öffentlich, und Abonnenten bekommen eine Mail. Sie lässt sich nicht zurückziehen.",
    update: "Meldung hinzufügen",
    resolve: "Als behoben melden",
    change: "Texte ändern",
    remove: "Entwurf löschen",
    removeThis: (title: string) => `${title} löschen`,
    loses:
      "Der Entwurf wird gelöscht. Ein neuer wird erst vorgeschlagen, nachdem seine Komponenten wieder gelaufen sind.",
    updates: "Meldungen",
    began: "Begonnen",
    components: "Komponenten",
    nothing: "keine",
    proposed:
      "Vorgeschlagen, weil eine Komponente länger ausgefallen ist. Ergänzen Sie die Texte, bevor Sie veröffentlichen."
  }
})

type Doing = "change" | "publish" | "remove" | "resolve" | "update"

/** Reload interval. Unit: milliseconds. Reason: colleagues change incidents. */
const every = 30_000

/** One incident with its updates; publishes, updates and resolves it. */
export default ({ id }: { readonly id: string }) => {
  const { route } = useLocation()
  const found = useLoad(() => call("GET /api/v1/admin/incidents/:id", { params: { id } }), [id], { every })
  const doing = useSignal<Doing | undefined>(undefined)
  const incident = found.value.value
  const shut = () => (doing.value = undefined)
  const saved = () => {
    shut()
    found.reload()
  }
  const begin = (what: Doing, text: string, primary = false) => (
    <button type="button" class={primary ? "primary" : ""} onClick={() => (doing.value = what)}>
      {text}
    </button>
  )
  return (
    <OperationsPage
      section="status"
      title={incident === undefined ? t().title : titleOf(incident)}
      actions={
        <>
          <a class="button" href="/console/operations/status">
            {t().all}
          </a>
          {incident === undefined || !may("system.manage") ? null : (
            <>
              {incident.state === "draft" ? begin("publish", t().publish, true) : begin("update", t().update, true)}
              {incident.state === "open" ? begin("resolve", t().resolve) : null}
              {begin("change", t().change)}
              {incident.state === "draft" ? begin("remove", t().remove) : null}
            </>
          )}
        </>
      }
    >
      <Loading of={found}>
        {(shown) => (
          <>
            {doing.value === "change" ? <IncidentForm of={shown} saved={saved} shut={shut} /> : null}
            {doing.value === "update" ? <UpdateForm of={shown} saved={saved} shut={shut} /> : null}
            {doing.value === "resolve" ? <ResolveForm of={shown} saved={saved} shut={shut} /> : null}
            {doing.value === "publish" ? (
              <ConfirmDialog
                title={t().publishThis(titleOf(shown))}
                action={t().publish}
                told={told}
                work={() => call("POST /api/v1/admin/incidents/:id/publish", { params: { id } }).then(found.reload)}
                close={shut}
              >
                <p>{t().tells}</p>
              </ConfirmDialog>
            ) : null}
            {doing.value === "remove" ? (
              <ConfirmDialog
                title={t().removeThis(titleOf(shown))}
                action={t().remove}
                told={told}
                work={() =>
                  call("DELETE /api/v1/admin/incidents/:id", { params: { id } }).then(() =>
                    route("/console/operations/status")
                  )
                }
                close={shut}
              >
                <p>{t().loses}</p>
              </ConfirmDialog>
            ) : null}
            <Facts of={shown} />
            <Updates of={shown} />
          </>
        )}
      </Loading>
    </OperationsPage>
  )
}

const Facts = ({ of }: { readonly of: Incident }) => (
  <section class="card" aria-label={t().title}>
    <p class="ops-line">
      <Badge tone={incidentTone(of)}>{incidentWords()[of.state === "draft" ? "draft" : of.status]}</Badge>
      <span>
        {incidentWords().severity}: {incidentWords()[of.severity]}
      </span>
    </p>
    {of.proposed_for === null ? null : <p>{t().proposed}</p>}
    <dl class="facts ops-facts">
      <dt>{t().began}</dt>
      <dd>
        <At at={of.created_at} />
      </dd>
      <dt>{t().components}</dt>
      <dd>{of.components.length === 0 ? t().nothing : of.components.join(", ")}</dd>
    </dl>
  </section>
)

const Updates = ({ of }: { readonly of: Incident }) => (
  <section class="card" aria-labelledby="incident-updates">
    <h2 id="incident-updates">{t().updates}</h2>
    <ol class="rows plain-list">
      {of.updates.toReversed().map(({ message, message_en, status, timestamp }) => (
        <li key={timestamp}>
          <p class="ops-line">
            <Badge tone={status === "resolved" ? "success" : "info"}>{incidentWords()[status]}</Badge>
            <At at={timestamp} />
          </p>
          <p>{language.value === "de" ? message : message_en}</p>
        </li>
      ))}
    </ol>
  </section>
)
