import { assert, describe, it } from "vitest"
import { eventsOf } from "../../../console/lib/EventStream.ts"

describe("server-sent events", () => {
  it("are complete at an empty line; the rest waits for more", () => {
    assert.deepStrictEqual(eventsOf('event: line\ndata: {"a":1}\n\nevent: li'), {
      events: [{ type: "line", data: '{"a":1}' }],
      rest: "event: li"
    })
  })

  it("may have several lines of data, no name, and line ends of other systems", () => {
    assert.deepStrictEqual(eventsOf("data: a\r\ndata:b\r\n\r\n").events, [{ type: "message", data: "a\nb" }])
  })

  it("leave out comments and unknown fields", () => {
    assert.deepStrictEqual(eventsOf(": still here\n\nid: 7\nretry: 100\n\n"), { events: [], rest: "" })
  })
})
