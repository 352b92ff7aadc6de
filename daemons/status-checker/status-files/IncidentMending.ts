/**
 * Replaces single values of an incident that cannot be used, so that a slip in the file costs this value and not all
 * incidents. Each replacement is a warning. Values of another type are left for the decoder to refuse. Pure.
 */
import { incidentStatuses, severities } from "../status/Vocabulary.ts"
import { quoted } from "./FileDecoder.ts"

/** A time without an offset from UTC, in the spellings that are accepted with one. */
const withoutOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/

export interface Mended {
  readonly item: unknown
  readonly warnings: ReadonlyArray<string>
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether the value is a word that the list does not have. */
const isUnknown = (value: unknown, words: ReadonlyArray<string>): value is string =>
  typeof value === "string" && !words.includes(value)

/**
 * `at`: position of the incident in the file. An unknown status becomes `resolved` when there is a `resolved_at`, else
 * `investigating`; of an update, the status of the incident, and the word stays readable before its message. An unknown
 * severity becomes `minor`. A time without an offset counts as UTC.
 */
export const mended = (item: unknown, at: string): Mended => {
  if (!isObject(item)) return { item, warnings: [] }
  const warnings: Array<string> = []
  const word = (place: string, value: unknown, words: ReadonlyArray<string>, otherwise: string): unknown => {
    if (!isUnknown(value, words)) return value
    warnings.push(`${place} is ${quoted(value)}, which is none of ${words.join(", ")}: ${otherwise} is taken`)
    return otherwise
  }
  const time = (place: string, value: unknown): unknown => {
    if (typeof value !== "string" || !withoutOffset.test(value)) return value
    warnings.push(`${place} is ${quoted(value)}, without an offset such as Z or +01:00: it is taken as UTC`)
    return `${value}Z`
  }
  const present = (source: Readonly<Record<string, unknown>>, key: string, value: () => unknown) =>
    key in source ? { [key]: value() } : {}

  const ended = typeof item["resolved_at"] === "string"
  const status = word(`${at}.status`, item["status"], incidentStatuses, ended ? "resolved" : "investigating")
  const updateOf = (update: unknown, there: string): unknown => {
    if (!isObject(update)) return update
    const { message, message_en: english, status: given } = update
    const lost = isUnknown(given, incidentStatuses)
    const before = (text: unknown) => (lost && typeof text === "string" ? `${given}: ${text}` : text)
    return {
      ...update,
      ...present(update, "status", () => word(`${there}.status`, given, incidentStatuses, String(status))),
      ...present(update, "message", () => before(message)),
      ...present(update, "message_en", () => before(english)),
      ...present(update, "timestamp", () => time(`${there}.timestamp`, update["timestamp"]))
    }
  }
  const updates = item["updates"]
  const whole = {
    ...item,
    ...present(item, "status", () => status),
    ...present(item, "severity", () => word(`${at}.severity`, item["severity"], severities, "minor")),
    ...present(item, "created_at", () => time(`${at}.created_at`, item["created_at"])),
    ...present(item, "resolved_at", () => time(`${at}.resolved_at`, item["resolved_at"])),
    ...(Array.isArray(updates)
      ? { updates: updates.map((update, number) => updateOf(update, `${at}.updates[${number}]`)) }
      : {})
  }
  return { item: whole, warnings }
}
