/** Events of the double and their encoding for clients. */
export type DoubleEvent = Readonly<Record<string, string>> & { readonly "Event-Name": string; readonly _body?: string }

const coreUuid = "b12c23a7-01cd-4da5-afd5-4bc9ac3bf4fa"

/** Header fields of every event. `now`: time of the switch in epoch milliseconds. */
export const eventHead = (name: string, now: number, sequence: number) => ({
  "Event-Name": name,
  "Core-UUID": coreUuid,
  "FreeSWITCH-Hostname": "fs-double",
  "FreeSWITCH-Switchname": "fs-double",
  "Event-Date-GMT": new Date(now).toUTCString(),
  "Event-Date-Timestamp": String(Math.round(now * 1_000)),
  "Event-Sequence": String(sequence)
})

/** Encodes an event: Content-Length, then Content-Type, then the body. */
export const writeEvent = (event: DoubleEvent, format: "json" | "plain"): string => {
  const body = format === "json" ? JSON.stringify(event) : plain(event)
  return `Content-Length: ${Buffer.byteLength(body)}\nContent-Type: text/event-${format}\n\n${body}`
}

const plain = ({ _body, ...headers }: DoubleEvent): string =>
  `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${encodeURIComponent(value)}\n`)
    .join("")}\n${_body ?? ""}`
