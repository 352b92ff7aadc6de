/** Reads the captures of tests/goldens/freeswitch; the README there describes the format. */
import { readdirSync, readFileSync } from "node:fs"

export interface CaptureRecord {
  readonly from: "switch" | "client"
  /** Connection of the capture. */
  readonly peer: string
  readonly bytes: Buffer
}

const directory = new URL("../../goldens/freeswitch/", import.meta.url)

/** Names of all captures. */
export const captureNames: ReadonlyArray<string> = readdirSync(directory)
  .filter((name) => name.endsWith(".txt") && !name.endsWith(".sip.txt"))
  .sort()

/** Records of the capture whose name begins with `prefix`. */
export const readCapture = (prefix: string): ReadonlyArray<CaptureRecord> => {
  const name = captureNames.find((name) => name.startsWith(prefix))
  if (name === undefined) throw new Error(`no capture ${prefix}`)
  const bytes = readFileSync(new URL(name, directory))
  const records: Array<CaptureRecord> = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf("\n", at)
    const line = bytes.toString("utf8", at, end === -1 ? bytes.length : end)
    at = end === -1 ? bytes.length : end + 1
    const [, from, to, peer, size] = /^#=== [\d.]+ (\w+)>(\w+) (\S+) (\d+) bytes$/.exec(line) ?? []
    if (size === undefined || peer === undefined) continue
    const count = Number(size)
    if ((from === "switch" && to === "client") || (from === "client" && to === "switch"))
      records.push({ from, peer, bytes: bytes.subarray(at, at + count) })
    at += count + 1
  }
  return records
}

/** Bytes that the switch sent, joined per connection. */
export const spoken = (prefix: string): ReadonlyArray<Buffer> => {
  const records = readCapture(prefix).filter(({ from }) => from === "switch")
  return [...new Set(records.map(({ peer }) => peer))].map((peer) =>
    Buffer.concat(records.filter((record) => record.peer === peer).map(({ bytes }) => bytes))
  )
}

/** Commands that a client sent, trimmed. */
export const commandsOf = (prefix: string): ReadonlyArray<string> =>
  Buffer.concat(
    readCapture(prefix)
      .filter(({ from }) => from === "client")
      .map(({ bytes }) => bytes)
  )
    .toString("utf8")
    .split("\n\n")
    .map((command) => command.trim())
    .filter((command) => command !== "")
