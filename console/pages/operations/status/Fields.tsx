/** Fields that the forms of incidents share. */
import type { Field, Words } from "../../telephony/Kind.ts"
import { ComponentChoice } from "./ComponentChoice.tsx"
import { incidentWords, severities, statuses } from "./IncidentWords.ts"

/** Longest message. Unit: UTF-16 units. Source: the server. */
const maxMessage = 10_000

/** A text of several lines. */
export const paragraph = (name: string, label: Words, initial?: string, required = true): Field => ({
  name,
  label,
  required,
  initial,
  input: {
    kind: "own",
    draw: ({ describedBy, id, invalid, set, value }) => (
      <textarea
        id={id}
        name={name}
        rows={4}
        required={required}
        maxLength={maxMessage}
        value={value}
        aria-invalid={invalid}
        {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    )
  }
})

/** Separator of component ids in the value of their field. No id contains it. */
const separator = " "

/** Check boxes of components; `componentsOf` reads the value. */
export const componentsField = (label: Words, initial: ReadonlyArray<string> = []): Field => ({
  name: "components",
  label,
  initial: initial.join(separator),
  input: {
    kind: "own",
    draw: ({ set, value }) => (
      <ComponentChoice
        labelled
        chosen={new Set(componentsOf(value))}
        set={(chosen) => set([...chosen].join(separator))}
      />
    )
  }
})

/** Component ids of the field's value. */
export const componentsOf = (value: unknown): ReadonlyArray<string> =>
  String(value ?? "")
    .split(separator)
    .filter((id) => id !== "")

export const messageFields = (german?: string, english?: string): ReadonlyArray<Field> => [
  paragraph("message", () => incidentWords().german, german),
  paragraph("message_en", () => incidentWords().english, english)
]

/** Messages that the server has a default for. */
export const optionalMessageFields = (hint: Words): ReadonlyArray<Field> => [
  { ...paragraph("message", () => incidentWords().german, undefined, false), hint },
  { ...paragraph("message_en", () => incidentWords().english, undefined, false), hint }
]

export const severityField = (initial?: string): Field => ({
  name: "severity",
  label: () => incidentWords().severity,
  initial,
  input: { kind: "choice", options: severities.map((one) => [one, () => incidentWords()[one]] as const) }
})

export const statusField = (initial: string): Field => ({
  name: "status",
  label: () => incidentWords().status,
  initial,
  input: { kind: "choice", options: statuses.map((one) => [one, () => incidentWords()[one]] as const) }
})
