import { useRef } from "preact/hooks"
import { useDoing } from "../../lib/Doing.ts"
import { words } from "../../lib/Language.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { told } from "../telephony/Refusals.ts"

const t = words({
  en: { name: "Name of the folder", hint: "With its parents, such as Archive/2026", save: "Save", cancel: "Cancel" },
  de: {
    name: "Name des Ordners",
    hint: "Mit den Ordnern darüber, etwa Archiv/2026",
    save: "Speichern",
    cancel: "Abbrechen"
  }
})

/** Longest name. Unit: UTF-16 code units. Source: mail-watcher, names of folders. */
const maxName = 500

interface Props {
  readonly title: string
  /** Name before the change. */
  readonly value: string
  /** Creates or renames the folder; the dialog stays open when it fails. */
  readonly save: (name: string) => Promise<void>
  readonly close: () => void
}

/** Dialog that asks for the full name of a folder. */
export const FolderNameDialog = ({ close, save, title, value }: Props) => {
  const doing = useDoing()
  const input = useRef<HTMLInputElement>(null)
  const submit = (event: Event) => {
    event.preventDefault()
    const name = input.current!.value.trim()
    if (name === value) return close()
    void doing.run(() => save(name))
  }
  return (
    <Dialog title={title} close={close}>
      <form class="stack" onSubmit={submit}>
        <label>
          {t().name}
          <input
            ref={input}
            name="folder"
            defaultValue={value}
            required
            maxLength={maxName}
            autocomplete="off"
            autofocus
            aria-describedby="folder-hint"
          />
          <small id="folder-hint">{t().hint}</small>
        </label>
        <div role="alert" class={doing.problem.value === undefined ? "" : "trouble"}>
          {doing.problem.value === undefined ? null : <p>{told(doing.problem.value)}</p>}
        </div>
        <div class="dialog-actions">
          <button type="button" onClick={close}>
            {t().cancel}
          </button>
          <button type="submit" class="primary" disabled={doing.busy.value}>
            {t().save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
