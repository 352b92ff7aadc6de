import { useRef } from "preact/hooks"
import { useDoing } from "../lib/Doing.ts"
import { words } from "../lib/Language.ts"
import type { Problem } from "../lib/Problem.ts"
import { Dialog } from "./Dialog.tsx"

const t = words({ en: { save: "Save", cancel: "Cancel" }, de: { save: "Speichern", cancel: "Abbrechen" } })

interface Props {
  readonly title: string
  readonly label: string
  readonly hint?: string
  /** Longest name. Unit: UTF-16 code units. */
  readonly longest: number
  /** Name before the change; empty for a new object. */
  readonly value: string
  /** Creates or renames the object; the dialog stays open when it fails. */
  readonly save: (name: string) => Promise<unknown>
  readonly close: () => void
  /** The error as text. */
  readonly told: (problem: Problem) => string
}

/** Dialog that asks for the name of an object. Closes after a success, or when the name stays the same. */
export const NameDialog = ({ close, hint, label, longest, save, title, told, value }: Props) => {
  const doing = useDoing()
  const input = useRef<HTMLInputElement>(null)
  const submit = (event: Event) => {
    event.preventDefault()
    const name = input.current!.value.trim()
    if (name === value) return close()
    void doing.run(() => save(name)).then((done) => done && close())
  }
  return (
    <Dialog title={title} close={close}>
      <form class="stack" onSubmit={submit}>
        <label>
          {label}
          <input
            ref={input}
            name="name"
            defaultValue={value}
            required
            maxLength={longest}
            autocomplete="off"
            autofocus
            {...(hint === undefined ? {} : { "aria-describedby": "name-hint" })}
          />
          {hint === undefined ? null : <small id="name-hint">{hint}</small>}
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
