import { describe, expect, it } from "vitest"
import * as Download from "#protocols/ebics/Download.ts"
import { returnCode } from "#protocols/ebics/ReturnCode.ts"
import type { DownloadResponse } from "#protocols/ebics/Responses.ts"

const transactionId = "0123456789ABCDEF0123456789ABCDEF"
const ok = { technical: returnCode("000000"), business: returnCode("000000"), reportText: "" }
const bytes = (text: string) => ({ bytes: Buffer.from(text) })
const first = (segments: number): DownloadResponse => ({
  ...ok,
  phase: "Initialisation",
  transactionId,
  segments,
  segment: { number: 1, last: segments === 1 },
  data: bytes("1"),
  wrappedKey: Buffer.from("key")
})
const further = (number: number, segments: number): DownloadResponse => ({
  ...ok,
  phase: "Transfer",
  transactionId,
  segment: { number, last: number === segments },
  data: bytes(String(number))
})
const receipted: DownloadResponse = { ...ok, phase: "Receipt", transactionId, technical: returnCode("011000") }
const answered = (response: DownloadResponse) => ({ _tag: "Answered", response }) as const
const run = (...events: ReadonlyArray<Download.Event>) => events.reduce(Download.decide, Download.initial)

describe("a download", () => {
  it("of one segment stores and then sends receipt 0", () => {
    expect(Download.command(Download.initial)).toEqual({ _tag: "SendInitialisation" })
    const storing = run(answered(first(1)))
    expect(Download.command(storing)).toEqual({
      _tag: "Store",
      received: [Buffer.from("1")],
      wrappedKey: Buffer.from("key")
    })
    const receipting = Download.decide(storing, { _tag: "Stored" })
    expect(Download.command(receipting)).toEqual({ _tag: "SendReceipt", transactionId, code: 0 })
    expect(Download.command(Download.decide(receipting, answered(receipted)))).toEqual({
      _tag: "End",
      outcome: { _tag: "Stored", confirmed: true }
    })
  })

  it("of three segments asks for the second and the third, which it calls the last", () => {
    const one = run(answered(first(3)))
    expect(Download.command(one)).toEqual({ _tag: "SendTransfer", transactionId, number: 2, last: false })
    const two = Download.decide(one, answered(further(2, 3)))
    expect(Download.command(two)).toEqual({ _tag: "SendTransfer", transactionId, number: 3, last: true })
    const three = Download.decide(two, answered(further(3, 3)))
    expect(Download.command(three)).toMatchObject({
      _tag: "Store",
      received: [Buffer.from("1"), Buffer.from("2"), Buffer.from("3")]
    })
  })

  it("never sends a receipt before the data is stored, and receipt 1 when storing failed", () => {
    const storing = run(answered(first(1)))
    expect(Download.decide(storing, answered(receipted))).toBe(storing)
    const receipting = Download.decide(storing, { _tag: "StoringFailed" })
    expect(Download.command(receipting)).toEqual({ _tag: "SendReceipt", transactionId, code: 1 })
    const skipped = { ...receipted, technical: returnCode("011001") }
    expect(Download.decide(receipting, answered(skipped))).toEqual({ _tag: "Ended", outcome: { _tag: "NotStored" } })
  })

  it("without data is a success without receipt, whichever code says so", () => {
    const none = { ...ok, phase: "Initialisation" } as const
    for (const response of [
      { ...none, business: returnCode("090005") },
      { ...none, technical: returnCode("090005") }
    ])
      expect(run(answered(response))).toEqual({ _tag: "Ended", outcome: { _tag: "NoData" } })
  })

  it("is stored but not confirmed when the bank refuses the receipt", () => {
    const refused = { ...receipted, technical: returnCode("091101") }
    const other = { ...receipted, transactionId: "F".repeat(32) }
    for (const response of [refused, other, further(2, 2)])
      expect(run(answered(first(1)), { _tag: "Stored" }, answered(response))).toEqual({
        _tag: "Ended",
        outcome: { _tag: "Stored", confirmed: false }
      })
  })

  it.each([
    ["changed keys of the bank", "091008", "BankKeysChanged"],
    ["a missing permission", "090003", "NotAllowed"],
    ["a failure inside the bank", "061099", "Temporary"],
    ["an unknown code", "099999", "Refused"]
  ])("ends with %s", (_, value, kind) => {
    for (const change of [{ technical: returnCode(value) }, { business: returnCode(value) }])
      for (const state of [
        run(answered({ ...first(1), ...change })),
        run(answered(first(2)), answered({ ...further(2, 2), ...change }))
      ])
        expect(state).toMatchObject({ _tag: "Ended", outcome: { _tag: "Refused", code: { value, kind } } })
  })

  it.each<[string, ReadonlyArray<DownloadResponse>]>([
    ["no transaction id", [{ ...ok, phase: "Initialisation", segments: 1, segment: { number: 1, last: true } }]],
    ["no segment number", [{ ...first(1), segment: { number: 2, last: true } }]],
    ["an early last segment", [{ ...first(2), segment: { number: 1, last: true } }]],
    ["a late last segment", [first(2), { ...further(2, 2), segment: { number: 2, last: false } }]],
    ["the phase of another request", [further(1, 1)]],
    ["another transaction", [first(2), { ...further(2, 2), transactionId: "F".repeat(32) }]],
    ["a segment twice", [first(3), further(2, 3), further(2, 3)]],
    ["a segment too far", [first(3), further(3, 3)]],
    ["a second initialisation", [first(2), first(2)]]
  ])("fails for an answer with %s", (_, responses) => {
    const state = run(...responses.map(answered))
    expect(state).toMatchObject({ outcome: { _tag: "Failed", error: { reason: { _tag: "OutOfSequence" } } } })
  })

  it("accepts an answer without the transaction id, or with the id in lower case", () => {
    const { transactionId: _, ...without } = further(2, 2)
    const lower = { ...further(2, 2), transactionId: transactionId.toLowerCase() }
    for (const response of [without, lower])
      expect(run(answered(first(2)), answered(response))).toMatchObject({ _tag: "Storing" })
  })
})
