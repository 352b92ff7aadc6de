import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { language, words } from "../../../lib/Language.ts"
import { clockText, timeAt } from "../../../lib/TimeZone.ts"
import { Dialog } from "../../../parts/Dialog.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Refusals.ts"
import { ComponentChoice } from "../status/ComponentChoice.tsx"

const t = words({
  en: {
    title: "Announce maintenance",
    change: (title: string) => `Change ${title}`,
    save: "Save",
    intro: "It is public on the status page at once.",
    german: "Title in German",
    english: "Title in English",
    from: "From",
    to: "To",
    plan: "Announce",
    leave: "Cancel"
  },
  de: {
    title: "Wartung ankündigen",
    change: (title: string) => `${title} ändern`,
    save: "Speichern",
    intro: "Sie steht sofort öffentlich auf der Statusseite.",
    german: "Titel auf Deutsch",
    english: "Titel auf Englisch",
    from: "Von",
    to: "Bis",
    plan: "Ankündigen",
    leave: "Abbrechen"
  }
})

export type Window = Answer<"GET /api/v1/admin/maintenance">["items"][number]

/** Title in the page's language. */
export const titleOf = ({ title, title_en }: Window): string => (language.value === "de" ? title : title_en)

/** The time as an input of local times has it, such as `2026-01-31T09:00`. */
const inInput = (at: string): string => clockText(at).slice(0, 16)

interface Props {
  /** Undefined to announce one. */
  readonly of: Window | undefined
  readonly saved: () => void
  readonly shut: () => void
}

/** Announces or changes a maintenance window of the status page. Times are in the account's time zone. */
export const MaintenanceForm = ({ of, saved, shut }: Props) => {
  const doing = useDoing()
  const chosen = useSignal<ReadonlySet<string>>(new Set(of?.components))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement)
    const text = (name: string) => String(given.get(name) ?? "").trim()
    const time = (name: string) => new Date(timeAt(text(name))).toISOString()
    const said = { title: text("title"), title_en: text("title_en"), components: [...chosen.value] }
    const times = { starts_at: time("starts_at"), ends_at: time("ends_at") }
    void doing
      .run(() =>
        of === undefined
          ? call("POST /api/v1/admin/maintenance", { payload: { ...said, ...times } })
          : call("PUT /api/v1/admin/maintenance/:id", {
              params: { id: of.id },
              // An unchanged time stays to the second.
              payload: {
                ...said,
                ...(text("starts_at") === inInput(of.starts_at) ? {} : { starts_at: times.starts_at }),
                ...(text("ends_at") === inInput(of.ends_at) ? {} : { ends_at: times.ends_at }),
                updated_at: of.updated_at
              }
            })
      )
      .then((well) => well && saved())
  }
  return (
    <Dialog title={of === undefined ? t().title : t().change(titleOf(of))} close={shut}>
      <form class="stack" onSubmit={submit}>
        <p class="soft">{t().intro}</p>
        <label>
          {t().german}
          <input name="title" defaultValue={of?.title ?? ""} required maxLength={200} autocomplete="off" />
        </label>
        <label>
          {t().english}
          <input name="title_en" defaultValue={of?.title_en ?? ""} required maxLength={200} autocomplete="off" />
        </label>
        <ComponentChoice chosen={chosen.value} set={(next) => (chosen.value = next)} />
        <label>
          {t().from}
          <input
            type="datetime-local"
            name="starts_at"
            defaultValue={of === undefined ? "" : inInput(of.starts_at)}
            required
          />
        </label>
        <label>
          {t().to}
          <input
            type="datetime-local"
            name="ends_at"
            defaultValue={of === undefined ? "" : inInput(of.ends_at)}
            required
          />
        </label>
        <Refused problem={doing.problem.value} />
        <div class="dialog-actions">
          <button type="submit" class="primary" disabled={doing.busy.value}>
            {of === undefined ? t().plan : t().save}
          </button>
          <button type="button" onClick={shut}>
            {t().leave}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
