import { useSignal } from "@preact/signals"
import { call } from "../lib/Call.ts"
import { words } from "../lib/Language.ts"
import { Problem } from "../lib/Problem.ts"
import { Dialog } from "./Dialog.tsx"
import { Trouble } from "./Trouble.tsx"

const t = words({
  en: {
    acknowledge: "Acknowledge",
    acknowledgeThis: (title: string) => `Acknowledge: ${title}`,
    acknowledgeHint: "What still rings or repeats is stopped; an attempt under way ends by itself.",
    note: "Note (may be empty)",
    cancel: "Cancel"
  },
  de: {
    acknowledge: "Quittieren",
    acknowledgeThis: (title: string) => `Quittieren: ${title}`,
    acknowledgeHint: "Was noch klingelt oder wiederholt wird, hört auf; ein laufender Versuch endet von selbst.",
    note: "Notiz (optional)",
    cancel: "Abbrechen"
  }
})

/** Longest note. Unit: UTF-16 units. Source: comm-dispatcher's limit on notes. */
const longestNote = 500

interface Props {
  readonly id: string
  /** Title of the alarm, for screen readers, where several alarms are shown. */
  readonly title?: string
  /** A small button, for a row. */
  readonly small?: boolean
  /** Opens the dialog at once. */
  readonly opened?: boolean
  readonly done: () => void
}

/** Button that acknowledges an alarm, with a dialog that asks for a note. */
export const Acknowledge = ({ done, id, opened = false, small = false, title }: Props) => {
  const open = useSignal(opened)
  const note = useSignal("")
  const busy = useSignal(false)
  const problem = useSignal<Problem | undefined>(undefined)
  const send = async (event: Event) => {
    event.preventDefault()
    busy.value = true
    problem.value = undefined
    try {
      await call("POST /api/v1/workflows/runs/:id/acknowledge", {
        params: { id },
        payload: note.value.trim() === "" ? {} : { note: note.value }
      })
      open.value = false
      done()
    } catch (error) {
      problem.value = error instanceof Problem ? error : new Problem(0, "failed", String(error))
    } finally {
      busy.value = false
    }
  }
  return (
    <>
      <button
        type="button"
        class={small ? "small" : "primary"}
        {...(title === undefined ? {} : { "aria-label": t().acknowledgeThis(title) })}
        onClick={() => (open.value = true)}
      >
        {t().acknowledge}
      </button>
      {open.value ? (
        <Dialog
          title={title === undefined ? t().acknowledge : t().acknowledgeThis(title)}
          close={() => (open.value = false)}
        >
          <form class="stack" onSubmit={send}>
            <small>{t().acknowledgeHint}</small>
            <label>
              {t().note}
              <input
                name="note"
                maxLength={longestNote}
                autofocus
                value={note.value}
                onInput={({ currentTarget }) => (note.value = currentTarget.value)}
              />
            </label>
            <Trouble problem={problem.value} />
            <div class="dialog-actions">
              <button type="button" onClick={() => (open.value = false)}>
                {t().cancel}
              </button>
              <button type="submit" class="primary" disabled={busy.value}>
                {t().acknowledge}
              </button>
            </div>
          </form>
        </Dialog>
      ) : null}
    </>
  )
}
