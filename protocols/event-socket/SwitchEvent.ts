/**
 * An event of the switch, decoded from the body of a `text/event-json` or `text/event-plain` message. Pure.
 * Not: xml, nor a meaning of any event. Source: switch_event.c (switch_event_serialize_json, switch_event_serialize).
 */
import { Result } from "effect"
import type { Message } from "./Framing.ts"

export interface SwitchEvent {
  /** `Event-Name`: CHANNEL_ANSWER, BACKGROUND_JOB, … */
  readonly name: string
  /** As sent, a null-prototype record; a list is written as the switch writes it in plain events (`ARRAY::a|:b`). */
  readonly headers: Readonly<Record<string, string>>
  /** The event's own body, a job's result; empty when it has none. */
  readonly body: string
}

/** The decoded event, or why it is none. */
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
 * Values are URL-encoded, so no value holds a line end; an inner Content-Length counts the bytes after the empty line.
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

/** A value with a stray `%` is kept as it came: one odd header must not cost the event. */
const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
