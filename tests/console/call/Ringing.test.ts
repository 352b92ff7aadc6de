import { describe, expect, it } from "vitest"
import { follow, ringing } from "../../../console/call/Ringing.ts"
import { type Call, type CallEvent, step } from "../../../console/softphone/CallState.ts"

const notice = (call_id: string, caller_id: string) => ({
  call_id,
  caller_id,
  did_number: "+4930999",
  customer: null,
  at: "2026-05-04T08:00:00Z"
})
const phone = (number: string, ...events: ReadonlyArray<CallEvent>): Call | undefined =>
  [{ _tag: "Rang", id: "sip", number, name: undefined } as CallEvent, ...events].reduce<Call | undefined>(
    step,
    undefined
  )
const keys = (...given: Parameters<typeof ringing>) => ringing(...given).map((one) => one.keys)

describe("what rings", () => {
  it("is one call, by whichever way it is heard of, and what can be taken here comes first", () => {
    const two = [notice("a", "+4989777"), notice("b", "+493012345678")]
    expect(keys(two, undefined)).toEqual([["a"], ["b"]])
    expect(keys(two, phone("03012345678"))).toEqual([["sip", "b"], ["a"]])
    expect(keys([], phone("1001"))).toEqual([["sip"]])
    expect(keys(two, phone("1001"))).toEqual([["sip"], ["a"], ["b"]])
    expect(keys([notice("a", "anonymous")], phone(""))).toEqual([["sip", "a"]])
    expect(keys([notice("a", "anonymous")], phone("webrtc-ann"))).toEqual([["sip"], ["a"]])
  })

  it("does not come again as a notice while it is put away or spoken, and does when another calls", () => {
    const own = [notice("b", "+493012345678")]
    for (const event of [
      { _tag: "Quiet", id: "sip" },
      { _tag: "Answering", id: "sip" },
      { _tag: "Established", id: "sip", at: 1 }
    ] as const)
      expect(keys(own, phone("+493012345678", event))).toEqual([])
    expect(
      keys([...own, notice("c", "+4989777")], phone("+493012345678", { _tag: "Established", id: "sip", at: 1 }))
    ).toEqual([["c"]])
    // The call ended here but still rings at a different phone.
    expect(keys(own, phone("+493012345678", { _tag: "Over", id: "sip", outcome: "elsewhere" }))).toEqual([["b"]])
    // An outgoing call to that number is a separate call.
    expect(keys(own, step(undefined, { _tag: "Dialled", id: "out", number: "+493012345678" }))).toEqual([["b"]])
  })

  it("goes on ringing under another name, and begins anew for another call", () => {
    const first = follow({ turn: 0, keys: [] }, ["b"])
    const second = follow(first, ["sip", "b"])
    const third = follow(second, ["sip"])
    expect([first.turn, second.turn, third.turn, follow(third, ["b"]).turn, follow(third, ["c"]).turn]).toEqual([
      1, 1, 1, 1, 2
    ])
  })
})
