import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect } from "preact/hooks"
import { useFirstFocus } from "../../lib/FirstFocus.ts"
import { words } from "../../lib/Language.ts"
import type { Problem } from "../../lib/Problem.ts"
import { useDoing } from "../../lib/Doing.ts"
import { changedPayload, draftOf, newPayload } from "./Draft.ts"
import { FieldInput } from "./FieldInput.tsx"
import type { Field } from "./Kind.ts"
import { errorsOf, told as toldOfFields } from "./Refusals.ts"
import "./telephony.css"

const t = words({
  en: { save: "Save", saving: "Saving …", cancel: "Cancel" },
  de: { save: "Speichern", saving: "Wird gespeichert …", cancel: "Abbrechen" }
})

interface Props {
  readonly title: string
  readonly fields: ReadonlyArray<Field>
  /** The object to change; undefined to create one. */
  readonly row: Readonly<Record<string, unknown>> | undefined
  /** Sends the new object, or the fields that differ; resolves when it is saved. */
  readonly send: (payload: Record<string, unknown>) => Promise<unknown>
  readonly shut: () => void
  /** Error text of the whole form. */
  readonly told?: (problem: Problem, shown: ReadonlyArray<string>) => string
  /** Shown above the buttons. `given`: the request for a new object with the present values. */
  readonly below?: (given: () => Record<string, unknown>) => ComponentChildren
}

/** Form of described fields. A change sends only the fields that differ; without any, the form closes. */
export const FieldsForm = ({ below, fields, row, send, shut, title, told = toldOfFields }: Props) => {
  const draft = useSignal(draftOf(fields, row))
  const doing = useDoing()
  const id = useId()
  const form = useFirstFocus<HTMLFormElement>("input, select")
  const problem = doing.problem.value
  const errors = errorsOf(problem)
  useLayoutEffect(() => {
    if (errors.size > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus()
  }, [problem])
  const submit = (event: Event) => {
    event.preventDefault()
    const payload = row === undefined ? newPayload(fields, draft.value) : changedPayload(fields, draft.value, row)
    if (row !== undefined && Object.keys(payload).length === 0) return shut()
    void doing.run(() => send(payload))
  }
  return (
    <form ref={form} class="stack card thing-form" aria-labelledby={id} onSubmit={submit}>
      <h2 id={id}>{title}</h2>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          // A secret is never shown again, so an existing one may stay.
          field={row !== undefined && field.input.kind === "secret" ? { ...field, required: false } : field}
          value={draft.value[field.name]}
          error={errors.get(field.name)}
          set={(value) => (draft.value = { ...draft.value, [field.name]: value })}
        />
      ))}
      {below?.(() => newPayload(fields, draft.value))}
      <div role="alert" class={problem === undefined ? "" : "trouble"}>
        {problem === undefined ? null : (
          <p>
            {told(
              problem,
              fields.map(({ name }) => name)
            )}
          </p>
        )}
      </div>
      <div class="page-actions">
        <button type="submit" class="primary" disabled={doing.busy.value}>
          {doing.busy.value ? t().saving : t().save}
        </button>
        <button type="button" onClick={shut}>
          {t().cancel}
        </button>
      </div>
    </form>
  )
}
