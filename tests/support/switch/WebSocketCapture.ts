/**
 * Reads captures of SIP over WebSocket between a real switch (1.11) and a client, without TLS, from
 * tests/goldens/freeswitch-ws.
 */
import { readdirSync, readFileSync } from "node:fs"

const directory = new URL("../../goldens/freeswitch-ws/", import.meta.url)

export interface CapturedFrame {
  readonly name: string
  readonly from: "client" | "switch"
  readonly bytes: Buffer
}

/**
 * All complete text and binary frames of all captures, in order. Each record has a header line with its length and ends
 * with a line feed.
 */
export const capturedFrames: ReadonlyArray<CapturedFrame> = readdirSync(directory)
  .sort()
  .flatMap((name) => {
    const file = readFileSync(new URL(name, directory))
    const found: Array<CapturedFrame> = []
    for (let at = 0; at < file.length;) {
      const end = file.indexOf("\n", at)
      const line = file.toString("utf8", at, end)
      at = end + 1
      const [, from, size] = /^#=== [\d.]+ (client|switch)>(?:client|switch) \S+ .*?(\d+) bytes$/.exec(line) ?? []
      if (size === undefined) continue
      if (/ fin=1 opcode=[12] /.test(line))
        found.push({ name, from: from as "client" | "switch", bytes: file.subarray(at, at + Number(size)) })
      at += Number(size) + 1
    }
    return found
  })
