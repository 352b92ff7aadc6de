import { describe, expect, it } from "vitest"
import { decided } from "../../../console/lib/Told.ts"

const chosen = (event_type: string, enabled: boolean, channel = "speech") => ({ event_type, channel, enabled })

describe("whether somebody is told by the page itself", () => {
  it("is what the most specific choice says, as the server decides", () => {
    expect(decided([], "call.incoming", "speech", true)).toBe(true)
    expect(decided([], "call.incoming", "speech", false)).toBe(false)
    const all = [
      chosen("*", true),
      chosen("call.*", false),
      chosen("call.incoming", true),
      chosen("call.incoming", false, "email")
    ]
    for (const order of [all, all.toReversed()]) {
      expect(decided(order, "call.incoming", "speech", false)).toBe(true)
      expect(decided(order, "call.ended", "speech", true)).toBe(false)
      expect(decided(order, "mail.new_message", "speech", false)).toBe(true)
    }
  })
})
