/** Content of a form, and the request built from it. Pure. */
import type { Field } from "./Kind.ts"

/** Values by field as the inputs hold them: numbers as text, destinations as a pair. */
export type Draft = Readonly<Record<string, unknown>>

export interface Destination {
  readonly destination_type: string
  /** Undefined until one is selected. */
  readonly destination_id: number | undefined
}

/** Initial destination of a new object. */
export const nowhere: Destination = { destination_type: "extension", destination_id: undefined }

/** Whether the request has a number where the input has text. */
const isNumber = ({ input }: Field): boolean =>
  input.kind === "number" || input.kind === "thing" || (input.kind === "own" && input.number === true)

const empty = ({ input }: Field): unknown =>
  input.kind === "check"
    ? false
    : input.kind === "list" || input.kind === "entries"
      ? []
      : input.kind === "destination"
        ? nowhere
        : input.kind === "choice"
          ? input.options[0]![0]
          : ""

const held = (field: Field, row: Readonly<Record<string, unknown>>): unknown => {
  if (field.input.kind === "destination")
    return { destination_type: row["destination_type"], destination_id: row["destination_id"] }
  const value = row[field.name]
  if (value === undefined || value === null) return empty(field)
  return isNumber(field) ? String(value) : value
}

/** Content of the form for an existing or a new object. */
export const draftOf = (fields: ReadonlyArray<Field>, row?: Readonly<Record<string, unknown>>): Draft =>
  Object.fromEntries(
    fields.map((field) => [field.name, row === undefined ? (field.initial ?? empty(field)) : held(field, row)])
  )

/** Value as it is sent; undefined when it is not sent. */
const sent = (field: Field, value: unknown): unknown => {
  if (field.input.kind === "check" || field.input.kind === "entries") return value
  if (field.input.kind === "list")
    return (value as ReadonlyArray<string>).map((one) => one.trim()).filter((one) => one !== "")
  const text = field.input.kind === "secret" ? String(value) : String(value).trim()
  if (text === "") return undefined
  return isNumber(field) ? Number(text) : text
}

const pairOf = (field: Field, value: unknown): Readonly<Record<string, unknown>> => {
  if (field.input.kind === "destination") return value as Readonly<Record<string, unknown>>
  const one = sent(field, value)
  return one === undefined ? {} : { [field.name]: one }
}

/** Request for a new object; empty fields are omitted. */
export const newPayload = (fields: ReadonlyArray<Field>, draft: Draft): Record<string, unknown> =>
  Object.assign({}, ...fields.map((field) => pairOf(field, draft[field.name])))

/** Request with the changed fields only. An emptied field becomes null where it is nullable. */
export const changedPayload = (
  fields: ReadonlyArray<Field>,
  draft: Draft,
  row: Readonly<Record<string, unknown>>
): Record<string, unknown> => {
  const before = draftOf(fields, row)
  return Object.assign(
    {},
    ...fields
      .filter(({ name }) => JSON.stringify(before[name]) !== JSON.stringify(draft[name]))
      .map((field) => {
        const pair = pairOf(field, draft[field.name])
        // An emptied field that requires a value is sent empty, so that the server's error is shown next to it.
        return Object.keys(pair).length > 0 ? pair : { [field.name]: field.nullable === true ? null : "" }
      })
  )
}

/**
 * Request that takes a change back: the fields of `now` that differ from `before`. Undefined when the change `sent` a
 * secret, whose former value nobody knows, or when nothing differs.
 */
export const wayBack = (
  fields: ReadonlyArray<Field>,
  now: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>
): Record<string, unknown> | undefined => {
  if (fields.some(({ input, name }) => input.kind === "secret" && name in sent)) return undefined
  const back = changedPayload(
    fields.filter(({ input, once }) => input.kind !== "secret" && once !== true),
    draftOf(fields, before),
    now
  )
  return Object.keys(back).length === 0 ? undefined : back
}
