/**
 * Decodes an event of the switch from the body of a `text/event-json` or `text/event-plain` message. Pure. It does not
 * support XML and does not interpret events. Source: switch_event.c (switch_event_serialize_json,
 * switch_event_serialize).
 */
import { Result } from "effect"
import type { Message } from "./Framing.ts"

export interface SwitchEvent {
  /** `Event-Name`: CHANNEL_ANSWER, BACKGROUND_JOB, … */
  readonly name: string
  /** Headers as sent, in a null-prototype record. A list has the form that plain events use (`ARRAY::a|:b`). */
  readonly headers: Readonly<Record<string, string>>
  /** The event's own body, for example the result of a job; empty when it has none. */
  readonly body: string
}

/** Decodes an event; fails with a text when that is not possible. */
export const decodeEvent = (message: Message): Result.Result<SwitchEvent, string> => {
  const text = message.body.toString("utf8")
  const found =
    message.contentType === "text/event-json"
      ? fromJson(text)
      : message.contentType === "text/event-plain"
        ? fromPlain(text, message.body)
        : undefined
  const name = found?.headers["Event-Name"] ?? ""
  return found === undefined || name === ""
    ? Result.fail("an event that cannot be read")
    : Result.succeed({ name, ...found })
}

type Found = Omit<SwitchEvent, "name"> | undefined

const fromJson = (text: string): Found => {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined
  const headers: Record<string, string> = Object.create(null)
  let body = ""
  for (const [name, value] of Object.entries(parsed)) {
    const text = Array.isArray(value)
      ? `ARRAY::${value.filter(isScalar).join("|:")}`
      : isScalar(value)
        ? String(value)
        : undefined
    if (text === undefined) continue
    if (name === "_body") body = text
    else headers[name] = text
  }
  return { headers, body }
}

const isScalar = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/**
 * Decodes a plain event. Values are URL-encoded, so they contain no line end. An inner Content-Length counts the bytes
 * after the empty line.
 */
const fromPlain = (text: string, bytes: Buffer): Found => {
  const headers: Record<string, string> = Object.create(null)
  const end = text.indexOf("\n\n")
  for (const line of (end === -1 ? text : text.slice(0, end)).split("\n")) {
    const colon = line.indexOf(": ")
    if (colon > 0) headers[line.slice(0, colon)] ??= decoded(line.slice(colon + 2).trimEnd())
  }
  const length = headers["Content-Length"]
  if (length === undefined) return { headers, body: "" }
  const start = bytes.indexOf("\n\n") + 2
  const count = Number(length)
  if (start === 1 || !Number.isInteger(count) || count < 0 || start + count > bytes.length) return undefined
  return { headers, body: bytes.subarray(start, start + count).toString("utf8") }
}

/** An invalid `%` sequence keeps the value as it is, so that one bad header does not lose the event. */
const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
