import { words } from "../lib/Language.ts"
import { Dialog } from "./Dialog.tsx"

const t = words({ en: { cancel: "Cancel" }, de: { cancel: "Abbrechen" } })

interface Props {
  /** What is done to what: "Delete: 1012 Ben". */
  readonly title: string
  /** What will be lost. */
  readonly loses: string
  /** Text of the button that runs the action. */
  readonly sure: string
  readonly onSure: () => void
  readonly close: () => void
}

/** Asks before an action that cannot be undone. Cancel has the focus. The dialog closes before the action runs. */
export const SureDialog = ({ close, loses, onSure, sure, title }: Props) => (
  <Dialog title={title} close={close}>
    <p>{loses}</p>
    <div class="dialog-actions">
      <button type="button" autofocus onClick={close}>
        {t().cancel}
      </button>
      <button
        type="button"
        class="danger"
        onClick={() => {
          close()
          onSure()
        }}
      >
        {sure}
      </button>
    </div>
  </Dialog>
)
