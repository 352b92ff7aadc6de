/** Lines of the journal. Pure. Source: journalctl(1), --output=json. */
import { Result, Schema } from "effect"
import { clean } from "./LogText.ts"
import type { Line } from "./Snapshot.ts"

/**
 * Longest entry as JSON. Unit: bytes. Reason: a program can log megabytes at once, and a message that is not UTF-8
 * arrives as a list of numbers, four times as long.
 */
export const maxEntry = 1024 * 1024

const Entry = Schema.fromJsonString(
  Schema.Struct({
    __REALTIME_TIMESTAMP: Schema.String,
    PRIORITY: Schema.optionalKey(Schema.Unknown),
    /** A list of bytes when it is not valid UTF-8. */
    MESSAGE: Schema.optionalKey(Schema.Unknown)
  })
)
const decode = Schema.decodeUnknownResult(Entry)

/** Undefined for a line that is no entry. `undefined` in: the entry was too long. */
export const readEntry = (line: string | undefined): Line | undefined => {
  if (line === undefined)
    return { at: null, stream: "journal", level: null, text: "(an entry of over 1 MiB)", cut: true }
  const entry = decode(line)
  if (Result.isFailure(entry)) return undefined
  const { MESSAGE, PRIORITY, __REALTIME_TIMESTAMP } = entry.success
  const at = new Date(Math.floor(Number(__REALTIME_TIMESTAMP) / 1_000))
  return {
    at: Number.isNaN(at.getTime()) ? null : at.toISOString(),
    stream: "journal",
    level: levelOf(PRIORITY),
    ...clean(textOf(MESSAGE))
  }
}

const textOf = (message: unknown): string =>
  typeof message === "string"
    ? message
    : Array.isArray(message) && message.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
      ? Buffer.from(message).toString("utf8")
      : ""

const levelOf = (priority: unknown): Line["level"] => {
  const level = typeof priority === "string" && /^[0-7]$/.test(priority) ? Number(priority) : undefined
  return level === undefined ? null : level <= 3 ? "error" : level === 4 ? "warning" : level <= 6 ? "info" : "debug"
}
