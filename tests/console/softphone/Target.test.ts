import { expect, it } from "vitest"
import { addressOf, dialled, numberOf, sameNumber } from "../../../console/softphone/Target.ts"

it("takes numbers as people write them, keys and names, and nothing else", () => {
  const cases: ReadonlyArray<readonly [string, string | undefined]> = [
    ["1002", "1002"],
    [" +49 (0)30 / 123-45.67 ", "+49301234567"],
    ["(030) 1234567", "0301234567"],
    ["*97", "*97"],
    ["##21#", "##21#"],
    ["webrtc-Ann", "webrtc-ann"],
    ["", undefined],
    ["+", undefined],
    ["sip:ann@evil.example", undefined],
    ["1002@evil.example", undefined],
    ["12;phone-context=x", undefined],
    ["who?", undefined],
    ["1\r\n2", "12"],
    ["9".repeat(65), undefined]
  ]
  for (const [text, number] of cases) expect([text, dialled(text)]).toEqual([text, number])
})

it("escapes what an address may not hold", () => {
  expect(addressOf("*21#", "voice.example.org")).toBe("sip:*21%23@voice.example.org")
})

it("reads who calls, also what is no address", () => {
  expect(["+4930123", "%2B4930123", "*21%23", "Anonymous", "", "%", "%zz%", "%00"].map(numberOf)).toEqual([
    "+4930123",
    "+4930123",
    "*21#",
    "",
    "",
    "%",
    "%zz%",
    "%00"
  ])
})

it("knows two spellings of one number, and no two different ones", () => {
  expect(sameNumber("+493012345678", "03012345678")).toBe(true)
  expect(sameNumber("+493012345678", "+493012345679")).toBe(false)
  expect(sameNumber("", "")).toBe(true)
  expect(sameNumber("", "1001")).toBe(false)
  expect(sameNumber("", "webrtc-ann")).toBe(false)
  expect(sameNumber("webrtc-ann", "WebRTC-Ann")).toBe(true)
})
