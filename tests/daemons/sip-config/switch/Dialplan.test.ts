/** Applications of the switch for calls to outside numbers, and for callers who hide their number. */
import { describe, expect, it } from "vitest"
import { actions, dialplan, keyOf } from "#daemons/sip-config/switch/Dialplan.ts"
import { isWithheld, type Route } from "#daemons/sip-config/routing/Exports.ts"

const legs = [
  { trunk: 1, callerId: "+4930123001" },
  { trunk: 2, callerId: undefined }
]
const outside = (over: Partial<Extract<Route, { _tag: "Outside" }>> = {}): Route => ({
  _tag: "Outside",
  number: "+4940777",
  legs,
  isEmergency: false,
  ...over
})
const applications = (route: Route) =>
  actions(route).map(({ attributes }) => `${attributes["application"]} ${attributes["data"] ?? ""}`.trim())

describe("a call to an outside number", () => {
  it("tries the second line only after a failure of the first trunk", () => {
    const [, failures, ...rest] = applications(outside())
    const causes = failures!.replace("set continue_on_fail=", "").split(",")
    expect(causes).toEqual(expect.arrayContaining(["GATEWAY_DOWN", "INVALID_GATEWAY", "NORMAL_TEMPORARY_FAILURE"]))
    // The callee's own answers: 486, 603, 404, and nobody at the telephone.
    for (const own of ["USER_BUSY", "CALL_REJECTED", "UNALLOCATED_NUMBER", "NO_ANSWER", "NO_USER_RESPONSE"])
      expect(causes).not.toContain(own)
    expect(rest).toEqual([
      "bridge [origination_caller_id_number=+4930123001]sofia/gateway/trunk_1/+4940777",
      "bridge sofia/gateway/trunk_2/+4940777",
      "hangup ${originate_disposition}"
    ])
  })

  it("of an emergency tries every line, whatever the answer", () => {
    const emergency = outside({ number: "112", isEmergency: true })
    expect(applications(emergency)).toEqual([
      "set hangup_after_bridge=true",
      "bridge [origination_caller_id_number=+4930123001]sofia/gateway/trunk_1/112|sofia/gateway/trunk_2/112"
    ])
    expect(keyOf(emergency)).not.toBe(keyOf(outside({ number: "112" })))
  })
})

it.each([
  ["anonymous", undefined, true],
  ["Anonymous", "false", true],
  ["", "false", true],
  ["Restricted", undefined, true],
  ["+4940777", "true", true],
  ["+4940777", "false", false],
  ["1001", undefined, false],
  ["alice", undefined, false]
])("the number %j is withheld with the flag %s: %s", (caller, hides, expected) => {
  expect(isWithheld(caller, hides)).toBe(expected)
})

it("the phone of the called person does not show a withheld number either", () => {
  const route: Route = { _tag: "Menu", domain: "a.test", menu: { id: 1 } as never }
  expect(dialplan("public", route, true)).toContain('data="effective_caller_id_number=anonymous"')
  expect(dialplan("public", route)).not.toContain("anonymous")
})
