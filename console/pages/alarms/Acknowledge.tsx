import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { Problem } from "../../lib/Problem.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { Trouble } from "../../parts/Trouble.tsx"
import { runWords as t } from "./RunWords.ts"

/** Longest note. Unit: UTF-16 units. Source: comm-dispatcher's limit on notes. */
const longestNote = 500

/** Button that acknowledges a run, with a dialog that asks for a note. */
export const Acknowledge = ({ done, id }: { readonly id: string; readonly done: () => void }) => {
  const open = useSignal(false)
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
      <button type="button" class="primary" onClick={() => (open.value = true)}>
        {t().acknowledge}
      </button>
      {open.value ? (
        <Dialog title={t().acknowledge} close={() => (open.value = false)}>
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
