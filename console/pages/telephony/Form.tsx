import { useSignal } from "@preact/signals"
import { useEffect, useId, useRef } from "preact/hooks"
import { words } from "../../lib/Language.ts"
import { may } from "../../lib/Me.ts"
import { useDoing } from "../mail/Doing.ts"
import { changedPayload, draftOf, newPayload } from "./Draft.ts"
import { FieldInput } from "./FieldInput.tsx"
import type { Kind } from "./Kind.ts"
import { errorsOf, told } from "./Refusals.ts"
import { save } from "./Store.ts"
import { neededFor } from "./Things.ts"
import "./telephony.css"

const t = words({
  en: { change: (name: string) => `Change ${name}`, save: "Save", saving: "Saving …", cancel: "Cancel" },
  de: {
    change: (name: string) => `${name} ändern`,
    save: "Speichern",
    saving: "Wird gespeichert …",
    cancel: "Abbrechen"
  }
})

interface Props<Row extends { readonly id: number }> {
  readonly of: Kind<Row>
  /** Undefined to create an object. */
  readonly row: Row | undefined
  readonly saved: (row: Row) => void
  readonly shut: () => void
}

/** Form that creates or changes an object, such as a trunk. A change sends only the fields that differ. */
export const Form = <Row extends { readonly id: number }>({ of, row, saved, shut }: Props<Row>) => {
  const fields = of.fields.filter(
    ({ input, needs, once }) =>
      (needs === undefined || may(needs)) &&
      (input.kind !== "thing" || may(neededFor(input.of))) &&
      !(once === true && row !== undefined)
  )
  const draft = useSignal(draftOf(fields, row))
  const doing = useDoing()
  const title = useId()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>("input, select")?.focus(), [])
  const problem = doing.problem.value
  const errors = errorsOf(problem)
  useEffect(() => {
    if (errors.size > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus()
  }, [problem])
  const submit = (event: Event) => {
    event.preventDefault()
    const payload = row === undefined ? newPayload(fields, draft.value) : changedPayload(fields, draft.value, row)
    if (row !== undefined && Object.keys(payload).length === 0) return shut()
    let answer: Row
    void doing.run(async () => (answer = await save(of, payload, row))).then((done) => done && saved(answer))
  }
  return (
    <form ref={form} class="stack card thing-form" aria-labelledby={title} onSubmit={submit}>
      <h2 id={title}>{row === undefined ? of.add() : t().change(of.called(row))}</h2>
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
