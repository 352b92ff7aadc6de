import { DestinationInput } from "./DestinationInput.tsx"
import type { Destination } from "./Draft.ts"
import { EntriesInput } from "./EntriesInput.tsx"
import type { Field } from "./Kind.ts"
import { ListInput } from "./ListInput.tsx"
import { Picker } from "./Picker.tsx"

interface Props {
  readonly field: Field
  readonly value: unknown
  readonly set: (value: unknown) => void
  /** The server's error for this field. */
  readonly error: string | undefined
}

/** One field of a form with its label, hint and error. */
export const FieldInput = ({ error, field, set, value }: Props) => {
  const { hint, input, label, name, required = false } = field
  const id = `field-${name}`
  const noteId = `${id}-note`
  const note =
    error !== undefined ? (
      <small id={noteId} class="field-error">
        {error}
      </small>
    ) : hint === undefined ? null : (
      <small id={noteId}>{hint()}</small>
    )
  const invalid = error !== undefined
  const described = note === null ? {} : { "aria-describedby": noteId }
  const shared = { id, name, required, autocomplete: "off", "aria-invalid": invalid, ...described } as const
  if (input.kind === "check") {
    return (
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            {...shared}
            checked={value === true}
            onChange={({ currentTarget }) => set(currentTarget.checked)}
          />
          {label()}
        </label>
        {note}
      </div>
    )
  }
  if (input.kind === "list" || input.kind === "entries" || input.kind === "destination") {
    return (
      <fieldset class="field" {...described}>
        <legend>{label()}</legend>
        {input.kind === "list" ? (
          <ListInput
            id={id}
            label={label()}
            value={value as ReadonlyArray<string>}
            set={set}
            add={input.add()}
            ordered={input.ordered}
            invalid={invalid}
            {...(input.offers === undefined ? {} : { offers: input.offers })}
          />
        ) : input.kind === "entries" ? (
          <EntriesInput id={id} value={value as []} set={set} />
        ) : (
          <DestinationInput
            id={id}
            value={value as Destination}
            set={set}
            invalid={invalid}
            {...(note === null ? {} : { describedBy: noteId })}
          />
        )}
        {note}
      </fieldset>
    )
  }
  return (
    <div class="field">
      <label for={id}>{label()}</label>
      {input.kind === "choice" ? (
        <select {...shared} value={String(value)} onChange={({ currentTarget }) => set(currentTarget.value)}>
          {input.options.map(([one, words]) => (
            <option key={one} value={one}>
              {words()}
            </option>
          ))}
        </select>
      ) : input.kind === "thing" ? (
        <Picker
          id={id}
          of={input.of}
          value={String(value)}
          pick={set}
          required={required}
          invalid={invalid}
          {...(input.none === undefined ? {} : { none: input.none() })}
          {...(note === null ? {} : { describedBy: noteId })}
        />
      ) : input.kind === "own" ? (
        input.draw({ id, value: String(value), set, invalid, ...(note === null ? {} : { describedBy: noteId }) })
      ) : input.kind === "area" ? (
        <textarea
          {...shared}
          rows={input.rows}
          value={String(value)}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      ) : input.kind === "number" ? (
        <input
          type="number"
          {...shared}
          min={input.min}
          max={input.max}
          value={String(value)}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      ) : (
        <input
          type={(input.kind === "secret" ? "password" : (input.type ?? "text")) as "text"}
          {...shared}
          autocomplete={input.kind === "secret" ? "new-password" : "off"}
          value={String(value)}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
      {note}
    </div>
  )
}
