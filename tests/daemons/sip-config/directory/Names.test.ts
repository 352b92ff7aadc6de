import { describe, expect, it } from "vitest"
import { hostName, internalNumber, sipDomain } from "#daemons/sip-config/directory/Names.ts"

describe("names of telephony", () => {
  it.each([
    ["Voice.Example.ORG", "voice.example.org"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["pbx.local.", "pbx.local"],
    ["localhost", undefined],
    ["192.0.2.1", undefined],
    ["2001:db8::1", undefined],
    ["a_b.test", undefined],
    ["-a.test", undefined],
    ["a..test", undefined],
    ["a.test/x", undefined],
    [`${"a".repeat(64)}.test`, undefined],
    ["a.123", undefined]
  ])("SIP domain %s: %s", (text, stored) => expect(sipDomain(text)).toBe(stored))

  it.each([
    ["SIP.provider.test", "sip.provider.test"],
    ["localhost", "localhost"],
    ["192.0.2.1", "192.0.2.1"],
    ["[2001:DB8::1]", "2001:db8::1"],
    ["192.0.2.1:5060", undefined],
    ["a b", undefined],
    ["${x}", undefined]
  ])("host %s: %s", (text, stored) => expect(hostName(text)).toBe(stored))

  it.each([
    ["1001", "1001"],
    ["WebRTC-Ann", "webrtc-ann"],
    ["a.b", "a.b"],
    ["a.", undefined],
    ["a..b", undefined],
    ["-1", undefined],
    ["10 01", undefined],
    ["${x}", undefined],
    ["1'2", undefined],
    ["group_1", undefined],
    ["External_7", undefined],
    ["tenant-7", undefined],
    ["grouped", "grouped"],
    ["1".repeat(33), undefined]
  ])("number %s: %s", (text, stored) => expect(internalNumber(text)).toBe(stored))
})
