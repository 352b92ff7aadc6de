/**
 * Captured calls of a real switch, as items for a call's progress. tests/goldens/freeswitch/README.md describes the
 * format.
 */
import { readFileSync } from "node:fs"
import type { CallItem } from "#daemons/comm-dispatcher/channels/call/CallProgress.ts"
import { causeFromAnswer } from "#protocols/event-socket/HangupCause.ts"

/** Items of one channel in the order of the switch, from the last connection in the file that saw a call. */
export const captured = (name: string): ReadonlyArray<CallItem> => {
  const calls = [
    ...streams(readFileSync(new URL(`../../../../goldens/freeswitch/${name}.txt`, import.meta.url))).values()
  ].map((bytes) => itemsOf(bytes))
  return calls.findLast((items) => items.length > 0) ?? []
}

/** Bytes that the switch sent, by connection. */
const streams = (file: Buffer): Map<string, Buffer> => {
  const sent = new Map<string, Buffer>()
  for (let at = 0; at < file.length;) {
    const end = file.indexOf(10, at)
    const line = file.toString("utf8", at, end)
    at = end + 1
    const record = /^#=== [\d.]+ (\S+) (.*?)\s*(\d+) bytes$/.exec(line)
    if (record === null) continue
    const bytes = file.subarray(at, at + Number(record[3]))
    at += bytes.length + 1
    if (record[1] === "switch>client")
      sent.set(record[2]!, Buffer.concat([sent.get(record[2]!) ?? Buffer.alloc(0), bytes]))
  }
  return sent
}

const itemsOf = (bytes: Buffer): ReadonlyArray<CallItem> => {
  const items: Array<CallItem> = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf("\n\n", at)
    if (end < 0) break
    const outer = headersOf(bytes.toString("utf8", at, end))
    const body = bytes.subarray(end + 2, end + 2 + Number(outer["Content-Length"] ?? 0))
    at = end + 2 + body.length
    const event =
      outer["Content-Type"] === "text/event-json"
        ? JSON.parse(body.toString("utf8"))
        : outer["Content-Type"] === "text/event-plain"
          ? plain(body)
          : undefined
    if (event !== undefined) items.push(itemOf(event))
  }
  return items
}

const plain = (body: Buffer): Record<string, string> => {
  const end = body.indexOf("\n\n")
  const headers = headersOf(body.toString("utf8", 0, end))
  for (const [name, value] of Object.entries(headers)) headers[name] = decodeURIComponent(value)
  return { ...headers, _body: body.toString("utf8", end + 2) }
}

const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line.includes(": "))
      .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)])
  )

const itemOf = (event: Record<string, string>): CallItem =>
  event["Event-Name"] === "BACKGROUND_JOB"
    ? { _tag: "Job", cause: causeFromAnswer((event["_body"] ?? "").trim()) }
    : { _tag: "Event", name: event["Event-Name"]!, uuid: event["Unique-ID"]!, headers: event }
