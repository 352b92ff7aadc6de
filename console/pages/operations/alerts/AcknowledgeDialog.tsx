import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { Dialog } from "../../../parts/Dialog.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Refusals.ts"
import type { Alert } from "./Words.ts"

const t = words({
  en: {
    title: (key: string) => `Acknowledge ${key}`,
    intro: "You take care of it. There are no more reminders; the recovery is still reported.",
    note: "Note for the others (optional)",
    acknowledge: "Acknowledge",
    leave: "Cancel"
  },
  de: {
    title: (key: string) => `${key} quittieren`,
    intro: "Sie kümmern sich darum. Es kommen keine Erinnerungen mehr; dass es wieder gut ist, wird noch gemeldet.",
    note: "Notiz für die anderen (optional)",
    acknowledge: "Quittieren",
    leave: "Abbrechen"
  }
})

/** Acknowledges an alert with a note. */
export const AcknowledgeDialog = ({
  alert,
  done,
  shut
}: {
  readonly alert: Alert
  readonly done: () => void
  readonly shut: () => void
}) => {
  const doing = useDoing()
  const note = useSignal("")
  const submit = (event: Event) => {
    event.preventDefault()
    const given = note.value.trim()
    void doing
      .run(() =>
        call("POST /api/v1/monitoring/alerts/:id/acknowledge", {
          params: { id: alert.id },
          payload: given === "" ? {} : { note: given }
        })
      )
      .then((well) => well && done())
  }
  return (
    <Dialog title={t().title(alert.key)} close={shut}>
      <form class="stack" onSubmit={submit}>
        <p class="soft">{t().intro}</p>
        <label>
          {t().note}
          <input
            name="note"
            maxLength={500}
            value={note.value}
            autocomplete="off"
            onInput={({ currentTarget }) => (note.value = currentTarget.value)}
          />
        </label>
        <Refused problem={doing.problem.value} />
        <div class="dialog-actions">
          <button type="submit" class="primary" disabled={doing.busy.value}>
            {t().acknowledge}
          </button>
          <button type="button" onClick={shut}>
            {t().leave}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
