/** Server-sent events over `fetch`, because an EventSource cannot send the access token. Source: HTML, §9.2. */
import { request } from "./Call.ts"
import { eventsOf, type ServerEvent } from "./EventStream.ts"

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
