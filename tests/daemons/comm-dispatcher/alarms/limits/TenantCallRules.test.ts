import * as Rules from "#daemons/comm-dispatcher/alarms/limits/TenantCallRules.ts"
import { refusedNumber } from "#daemons/comm-dispatcher/channels/call/CallNumbers.ts"
import { expect, it } from "@effect/vitest"
import { Result } from "effect"

it("reads the limits of single tenants and names the mistake", () => {
  const rules = Rules.parse('[{"tenant": 2, "prefixes": ["+49", "+4313"], "per_hour": 0}, {"tenant": 3}]')
  expect(Result.getOrThrow(rules)).toEqual(
    new Map([
      [2, { prefixes: ["+49", "+4313"], perHour: 0 }],
      [3, {}]
    ])
  )
  const mistakes: ReadonlyArray<readonly [string, string]> = [
    ["{", "must be JSON"],
    ["{}", "must be a list"],
    ['[{"tenant": "2"}]', "item 1: tenant must be an id"],
    ["[null]", "item 1: tenant must be an id"],
    ['[{"tenant": 2}, {"tenant": 2}]', "item 2: tenant 2 has a rule already"],
    ['[{"tenant": 2, "perHour": 1}]', "item 1: perHour is not known"],
    ['[{"tenant": 2, "per_hour": 1.5}]', "item 1: per_hour must be from 0 to 3600"],
    ['[{"tenant": 2, "prefixes": ["49"]}]', 'item 1: prefixes must be like "+49"'],
    ['[{"tenant": 2, "prefixes": "+49"}]', 'item 1: prefixes must be like "+49"']
  ]
  for (const [text, message] of mistakes) expect(Rules.parse(text), text).toEqual(Result.fail(message))
})

it("refuses emergency and costly numbers, except the beginnings that the operator admits", () => {
  expect(refusedNumber("+49301234567", [])).toBeUndefined()
  expect(refusedNumber("+49112", [])).toBe("is an emergency number")
  for (const [number, kind] of [
    ["+499001234567", "premium-rate"],
    // Too short to be assigned, but routed like the range.
    ["+49900123456", "premium-rate"],
    ["+19005551234", "premium-rate"],
    ["+491805123456", "shared-cost"],
    ["+8821612345678", "satellite"],
    ["+870773111632", "satellite"]
  ] as const) {
    expect(refusedNumber(number, []), number).toContain(`a ${kind} number`)
    expect(refusedNumber(number, [number.slice(0, 5)]), number).toBeUndefined()
  }
  expect(refusedNumber("+49112", ["+49"])).toBe("is an emergency number")
})

it("estimates the length of a call by its spoken text", () => {
  expect(Rules.estimatedSeconds({ text: "x".repeat(130), spoken: 700, pauseMs: 4_000, repeat: 2 })).toBe(24)
  expect(Rules.estimatedSeconds({ text: "x".repeat(9_000), spoken: 130, pauseMs: 0, repeat: 1 })).toBe(10)
})
