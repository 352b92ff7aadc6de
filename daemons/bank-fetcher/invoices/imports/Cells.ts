/** Reads cells of CSV files as people and their programs write them. Pure. */
import type { Columns } from "#core/imports/ImportWorker.ts"
import { isDay } from "../../bank-store/Fields.ts"

/** Cell of a column without blanks around it; undefined when the column is missing or the cell is empty. */
export const cellsOf =
  <Column extends string>(cells: ReadonlyArray<string>, columns: Columns<Column>) =>
  (column: Column): string | undefined => {
    const at = columns.get(column)
    const text = at === undefined ? "" : (cells[at] ?? "").trim()
    return text === "" ? undefined : text
  }

/**
 * Amount with a decimal comma or point, and thousands separators: `1.234,50`, `1,234.50`, `1 234,50 €`. The last of
 * comma and point separates the decimals, unless it stands several times, or three digits follow a single comma or
 * point and the number has no other separator: `1.234` is unclear, and therefore refused (undefined).
 */
export const amountOf = (text: string): string | undefined => {
  const plain = text
    .replace(/[\s\u00a0'\u2019]|EUR|\u20ac/g, "")
    .replace(/^\+/, "")
    .replace(/\u2212/g, "-")
  if (!/^-?\d[\d.,]*$/.test(plain)) return undefined
  const commas = plain.split(",").length - 1
  const points = plain.split(".").length - 1
  if (commas > 1 && points > 1) return undefined
  const decimal = commas > 0 && points > 0 ? (plain.lastIndexOf(",") > plain.lastIndexOf(".") ? "," : ".") : only(plain)
  if (decimal === undefined) return undefined
  const [whole = "", fraction] = decimal === "" ? [plain] : plain.split(decimal)
  if (decimal !== "" && plain.split(decimal).length > 2) return undefined
  const thousands = decimal === "," ? "." : decimal === "." ? "," : /[.,]/.exec(whole)?.[0]
  if (thousands !== undefined && whole.includes(thousands) && !isGrouped(whole, thousands)) return undefined
  const digits = whole.replace(/[.,]/g, "")
  return fraction === undefined || fraction === "" ? digits : `${digits}.${fraction}`
}

/** The decimal separator of a number with one kind of separator; empty: none. Undefined: unclear. */
const only = (text: string): string | undefined => {
  const [separator] = /[.,]/.exec(text) ?? [""]
  if (separator === "" || text.split(separator).length > 2) return ""
  return /[.,]\d{3}$/.test(text) && !/^-?0[.,]/.test(text) ? undefined : separator
}

/** True when groups of three digits follow the separators. */
const isGrouped = (whole: string, separator: string): boolean =>
  new RegExp(`^-?\\d{1,3}(\\${separator}\\d{3})+$`).test(whole)

/** Day as `2030-01-31` or `31.01.2030`; undefined when it is none. */
export const dayOf = (text: string): string | undefined => {
  const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  const day = german === null ? text : `${german[3]}-${german[2]!.padStart(2, "0")}-${german[1]!.padStart(2, "0")}`
  return isDay(day) ? day : undefined
}
