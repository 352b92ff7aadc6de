import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { language, words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Dialog } from "../../../parts/Dialog.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Refusals.ts"

const t = words({
  en: {
    title: "Announce maintenance",
    intro: "It is public on the status page at once.",
    german: "Title in German",
    english: "Title in English",
    components: "Components",
    none: "The status page has no components yet.",
    from: "From",
    to: "To",
    plan: "Announce",
    leave: "Cancel"
  },
  de: {
    title: "Wartung ankündigen",
    intro: "Sie steht sofort öffentlich auf der Statusseite.",
    german: "Titel auf Deutsch",
    english: "Titel auf Englisch",
    components: "Komponenten",
    none: "Die Statusseite hat noch keine Komponenten.",
    from: "Von",
    to: "Bis",
    plan: "Ankündigen",
    leave: "Abbrechen"
  }
})

/** Announces a maintenance window on the status page. Times are in the browser's time zone. */
export const MaintenanceForm = ({ saved, shut }: { readonly saved: () => void; readonly shut: () => void }) => {
  const doing = useDoing()
  const components = useLoad(() => call("GET /api/v1/components"))
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement)
    const text = (name: string) => String(given.get(name) ?? "").trim()
    const time = (name: string) => new Date(text(name)).toISOString()
    void doing
      .run(() =>
        call("POST /api/v1/admin/maintenance", {
          payload: {
            title: text("title"),
            title_en: text("title_en"),
            components: [...chosen.value],
            starts_at: time("starts_at"),
            ends_at: time("ends_at")
          }
        })
      )
      .then((well) => well && saved())
  }
  return (
    <Dialog title={t().title} close={shut}>
      <form class="stack" onSubmit={submit}>
        <p class="soft">{t().intro}</p>
        <label>
          {t().german}
          <input name="title" required maxLength={200} autocomplete="off" />
        </label>
        <label>
          {t().english}
          <input name="title_en" required maxLength={200} autocomplete="off" />
        </label>
        <fieldset class="inset">
          <legend>{t().components}</legend>
          <Loading of={components}>
            {(found) =>
              found.components.length === 0 ? (
                <p class="soft">{t().none}</p>
              ) : (
                found.components.map(({ id, name_de, name_en }) => (
                  <label key={id} class="check">
                    <input
                      type="checkbox"
                      checked={chosen.value.has(id)}
                      onChange={({ currentTarget }) => {
                        const next = new Set(chosen.value)
                        if (currentTarget.checked) next.add(id)
                        else next.delete(id)
                        chosen.value = next
                      }}
                    />
                    {language.value === "de" ? name_de : name_en}
                  </label>
                ))
              )
            }
          </Loading>
        </fieldset>
        <label>
          {t().from}
          <input type="datetime-local" name="starts_at" required />
        </label>
        <label>
          {t().to}
          <input type="datetime-local" name="ends_at" required />
        </label>
        <Refused problem={doing.problem.value} />
        <div class="dialog-actions">
          <button type="submit" class="primary" disabled={doing.busy.value}>
            {t().plan}
          </button>
          <button type="button" onClick={shut}>
            {t().leave}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
