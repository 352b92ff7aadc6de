import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { words } from "../lib/Language.ts"
import { Problem } from "../lib/Problem.ts"
import { Dialog } from "./Dialog.tsx"
import { Trouble } from "./Trouble.tsx"

const t = words({ en: { cancel: "Cancel" }, de: { cancel: "Abbrechen" } })

interface Props {
  /** What is done to what: "Delete the device Anna's phone". */
  readonly title: string
  /** Text of the button: "Delete". */
  readonly action: string
  /** What will be lost, and whether it comes back. */
  readonly children: ComponentChildren
  readonly work: () => Promise<unknown>
  readonly close: () => void
  /** The error as text. Default: the server's text. */
  readonly told?: (problem: Problem) => string
}

/** Asks before an action that cannot be undone, and runs it. Cancel has the focus. Closes after a success. */
export const ConfirmDialog = ({ action, children, close, title, told, work }: Props) => {
  const busy = useSignal(false)
  const problem = useSignal<Problem | undefined>(undefined)
  const run = async () => {
    busy.value = true
    problem.value = undefined
    try {
      await work()
      close()
    } catch (error) {
      problem.value = error instanceof Problem ? error : new Problem(0, "failed", String(error))
    } finally {
      busy.value = false
    }
  }
  return (
    <Dialog title={title} close={close}>
      <div class="dialog-text">{children}</div>
      {told === undefined || problem.value === undefined ? (
        <Trouble problem={problem.value} />
      ) : (
        <div class="trouble" role="alert">
          <p>{told(problem.value)}</p>
        </div>
      )}
      <div class="dialog-actions">
        <button type="button" autofocus onClick={close}>
          {t().cancel}
        </button>
        <button type="button" class="danger" disabled={busy.value} onClick={() => void run()}>
          {action}
        </button>
      </div>
    </Dialog>
  )
}
