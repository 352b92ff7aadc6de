/** Reads the text of an event stream. Source: HTML, §9.2. */

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
