import { describe, expect, it } from "vitest"
import { type Call, type CallEvent, isFree, outcomeOf, step } from "../../../console/softphone/CallState.ts"

const after = (...events: ReadonlyArray<CallEvent>): Call | undefined =>
  events.reduce<Call | undefined>(step, undefined)
const id = "one"
const dialled: CallEvent = { _tag: "Dialled", id, number: "1002" }
const rang: CallEvent = { _tag: "Rang", id, number: "1001", name: "Ann" }
const established: CallEvent = { _tag: "Established", id, at: 5 }
const over: CallEvent = { _tag: "Over", id, outcome: "busy" }

describe("a call", () => {
  it("is dialled, rings, is spoken and is over", () => {
    expect(after(dialled)).toMatchObject({ direction: "out", phase: "calling", number: "1002", since: undefined })
    expect(after(dialled, { _tag: "Alerting", id, early: false })).toMatchObject({ phase: "alerting", early: false })
    expect(after(dialled, { _tag: "Alerting", id, early: true }, { _tag: "Alerting", id, early: false })).toMatchObject(
      { early: true }
    )
    expect(after(dialled, { _tag: "Alerting", id, early: false }, established)).toMatchObject({
      phase: "talking",
      since: 5
    })
    expect(after(dialled, established, over)).toMatchObject({ phase: "ended", outcome: "busy", since: 5 })
    expect(after(dialled, over, { _tag: "Cleared", id })).toBeUndefined()
  })

  it("rings here, is put away, and is taken", () => {
    expect(after(rang)).toMatchObject({ direction: "in", phase: "ringing", name: "Ann", quiet: false })
    expect(after(rang, { _tag: "Quiet", id })).toMatchObject({ phase: "ringing", quiet: true })
    expect(after(rang, { _tag: "Answering", id })).toMatchObject({ phase: "answering" })
    expect(after(rang, { _tag: "Answering", id }, { _tag: "Quiet", id })).toMatchObject({ quiet: false })
    expect(after(rang, { _tag: "Quiet", id }, over)).toMatchObject({ phase: "ended", quiet: false })
  })

  it("is muted, held and keyed while it is spoken, and at no other time", () => {
    const changes: ReadonlyArray<CallEvent> = [
      { _tag: "Muted", id, on: true },
      { _tag: "Held", id, on: true },
      { _tag: "Tone", id, tone: "5" }
    ]
    expect(after(dialled, established, ...changes)).toMatchObject({ muted: true, held: true, tones: "5" })
    expect(
      after(dialled, established, ...changes, { _tag: "Muted", id, on: false }, { _tag: "Held", id, on: false })
    ).toMatchObject({ muted: false, held: false })
    for (const change of changes) {
      expect(after(dialled, change)).toEqual(after(dialled))
      expect(after(dialled, established, over, change)).toEqual(after(dialled, established, over))
    }
    const keys = [..."012345678901234567890123"].map((tone): CallEvent => ({ _tag: "Tone", id, tone }))
    expect(after(dialled, established, ...keys)?.tones).toBe("45678901234567890123")
  })

  it("is the only one: what is told of another, or too late, changes nothing", () => {
    expect(after(dialled, { ...rang, id: "two" })).toEqual(after(dialled))
    expect(after(dialled, { ...over, id: "two" })).toEqual(after(dialled))
    expect(after(dialled, over, established)).toEqual(after(dialled, over))
    expect(after(dialled, over, { ...over, outcome: "failed" })).toEqual(after(dialled, over))
    expect(after(dialled, established, { _tag: "Alerting", id, early: false })).toMatchObject({ phase: "talking" })
    expect(after(dialled, established, { ...established, at: 9 })).toMatchObject({ since: 5 })
    expect(after(dialled, established, { _tag: "Cleared", id })).toMatchObject({ phase: "talking" })
    // The end of the previous call makes room for the next at once.
    expect(after(dialled, over, { ...rang, id: "two" })).toMatchObject({ id: "two", phase: "ringing" })
    expect([isFree(undefined), isFree(after(dialled)), isFree(after(dialled, over))]).toEqual([true, false, true])
  })

  it("tells refusals apart", () => {
    const told = [403, 404, 408, 480, 484, 486, 487, 488, 500, 503, 600, 603, 604, 606].map(
      (status) => `${status} ${outcomeOf(status)}`
    )
    expect(told).toEqual([
      "403 forbidden",
      "404 unknown-number",
      "408 unanswered",
      "480 unanswered",
      "484 unknown-number",
      "486 busy",
      "487 unanswered",
      "488 no-common-codec",
      "500 failed",
      "503 failed",
      "600 busy",
      "603 rejected",
      "604 unknown-number",
      "606 no-common-codec"
    ])
  })
})
