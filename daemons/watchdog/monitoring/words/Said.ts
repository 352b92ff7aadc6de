/** The result of a check as a code with values, and as a sentence in both languages. Pure. */
import type { Schema } from "effect"
import { english } from "./English.ts"
import { german } from "./German.ts"
import type { ResultCode, ResultValues } from "./ResultValues.ts"

/** Values of a result as they are stored. */
export type StoredValues = Readonly<Record<string, Schema.Json>>

export interface Said {
  /** One line in English. Contains nothing that another party sent. */
  readonly detail: string
  /** The same in German. */
  readonly detailDe: string
  readonly code: ResultCode | "daemons"
  readonly values: StoredValues
}

/** Says what was found. */
export const say = <C extends ResultCode>(code: C, values: ResultValues[C]): Said => ({
  code,
  values: values as StoredValues,
  detail: english[code](values),
  detailDe: german[code](values)
})

/** What was found of several daemons behind one address. */
export const sayAll = (parts: ReadonlyArray<{ readonly name: string; readonly said: Said }>): Said => {
  const joined = (text: (said: Said) => string) => parts.map(({ name, said }) => `${name} ${text(said)}`).join("; ")
  return {
    code: "daemons",
    values: Object.fromEntries(parts.map(({ name, said }) => [name, said.code])),
    detail: joined(({ detail }) => detail),
    detailDe: joined(({ detailDe }) => detailDe)
  }
}
