/** Server-sent events over `fetch`, because an EventSource cannot send the access token. Source: HTML, §9.2. */
import { request } from "./Call.ts"

export interface ServerEvent {
  readonly type: string
  readonly data: string
}

/** Splits received text into complete events and the rest. Comments and unknown fields are ignored. Pure. */
export const eventsOf = (text: string): { readonly events: ReadonlyArray<ServerEvent>; readonly rest: string } => {
  const blocks = text.replaceAll("\r\n", "\n").split("\n\n")
  const rest = blocks.pop() ?? ""
  const events = blocks.flatMap((block) => {
    let type = "message"
    const data: Array<string> = []
    for (const line of block.split("\n")) {
      const [, field, value = ""] = /^(\w+):? ?(.*)$/.exec(line) ?? []
      if (field === "event") type = value
      if (field === "data") data.push(value)
    }
    return data.length === 0 ? [] : [{ type, data: data.join("\n") }]
  })
  return { events, rest }
}

/** Calls `heard` for each event until the answer or the signal ends. Rejects like `request`. */
export const readEvents = async (
  path: string,
  signal: AbortSignal,
  heard: (event: ServerEvent) => void
): Promise<void> => {
  const response = await request(path, { signal, headers: { accept: "text/event-stream" } })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const found = eventsOf(rest + value)
    rest = found.rest
    for (const event of found.events) heard(event)
  }
}
