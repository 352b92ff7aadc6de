/**
 * Reads subscribers from rows of another system with unknown column names. Pure.
 *
 * The first existing column of these shows the confirmation: status, confirmed, is_confirmed, verified, is_verified,
 * confirmed_at, verified_at. Rows are left out when unsubscribed, unsubscribed_at, deleted_at or active says that the
 * subscriber has left. Other columns, such as tokens, are ignored.
 */
import { Result } from "effect"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"

/** Maximum number of subscribers. Unit: subscribers. Reason: one short transaction writes them. */
export const maxSubscribers = 50_000

export interface ImportedSubscriber {
  readonly email: string
  readonly lang: LanguageCode
}

export interface SubscribersRead {
  readonly confirmed: ReadonlyArray<ImportedSubscriber>
  /** Rows left out, by reason. Unit: rows. */
  readonly pending: number
  readonly unsubscribed: number
  /** Rows without a valid address or without a clear confirmation. */
  readonly unclear: number
  readonly repeated: number
}

export type Row = Readonly<Record<string, unknown>>

const emailColumns = ["email", "e_mail", "mail", "address"] as const
const langColumns = ["lang", "language", "locale"] as const
const confirmationColumns = [
  "status",
  "confirmed",
  "is_confirmed",
  "verified",
  "is_verified",
  "confirmed_at",
  "verified_at"
] as const
const leavingColumns = ["unsubscribed", "unsubscribed_at", "deleted_at", "active"] as const

/** All columns that are read. */
export const knownColumns: ReadonlyArray<string> = [
  ...emailColumns,
  ...langColumns,
  ...confirmationColumns,
  ...leavingColumns
]

/** Sorts rows by whether they are imported. `columns` are in lower case. A failure says what is missing. */
export const judge = (
  rows: ReadonlyArray<Row>,
  columns: ReadonlySet<string>
): Result.Result<SubscribersRead, string> => {
  const first = (names: ReadonlyArray<string>) => names.find((name) => columns.has(name))
  const [emailColumn, confirmation] = [first(emailColumns), first(confirmationColumns)]
  if (rows.length > maxSubscribers)
    return Result.fail(`has more than ${maxSubscribers} subscribers: remove unconfirmed ones`)
  if (rows.length > 0 && emailColumn === undefined)
    return Result.fail(`has no address column: add one of ${emailColumns.join(", ")}`)
  if (rows.length > 0 && confirmation === undefined) {
    return Result.fail(`has no confirmation column: add one of ${confirmationColumns.join(", ")}`)
  }
  const confirmed = new Map<string, ImportedSubscriber>()
  let [pending, unsubscribed, unclear, repeated] = [0, 0, 0, 0]
  for (const row of rows) {
    const said = hasLeft(row) ? "left" : meaning(row[confirmation!], confirmation!.endsWith("_at"))
    const address = row[emailColumn!]
    const email = typeof address === "string" ? normaliseEmail(address) : undefined
    if (said === "left") unsubscribed += 1
    else if (said === "no") pending += 1
    else if (said === undefined || email === undefined) unclear += 1
    else if (confirmed.has(email)) repeated += 1
    else
      confirmed.set(email, {
        email,
        lang: languageOf(langColumns.map((name) => row[name]).find((value) => typeof value === "string"))
      })
  }
  return Result.succeed({ confirmed: [...confirmed.values()], pending, unsubscribed, unclear, repeated })
}

/** German for `de`, `de-…` and names of German; English for everything else. */
const languageOf = (value: unknown): LanguageCode =>
  typeof value === "string" && /^\s*(?:de(?:[-_].*)?|deutsch|german|ger|deu)\s*$/i.test(value) ? "de" : "en"

const words: ReadonlyMap<string, "yes" | "no" | "left"> = new Map([
  ...["1", "true", "t", "yes", "y", "ja", "confirmed", "verified", "active", "subscribed"].map(
    (word) => [word, "yes"] as const
  ),
  ...["", "0", "false", "f", "no", "n", "nein", "pending", "unconfirmed", "unverified", "new", "waiting"].map(
    (word) => [word, "no"] as const
  ),
  ...["unsubscribed", "inactive", "left", "removed", "deleted", "blocked", "bounced"].map(
    (word) => [word, "left"] as const
  )
])

/** Meaning of a confirmation value; undefined when unclear. `isMoment`: the column holds a time. */
const meaning = (value: unknown, isMoment: boolean): "yes" | "no" | "left" | undefined => {
  if (value === null || value === undefined || value === false || value === 0) return "no"
  if (value === true || value === 1) return "yes"
  if (isMoment && (typeof value === "string" ? value.trim() !== "" && value !== "0" : typeof value === "number"))
    return "yes"
  return typeof value === "string" ? words.get(value.trim().toLowerCase()) : undefined
}

const hasLeft = (row: Row): boolean =>
  leavingColumns.some(
    (name) =>
      Object.hasOwn(row, name) &&
      (name === "active" ? row[name] !== null && meaning(row[name], false) === "no" : meaning(row[name], true) !== "no")
  )
