import { assert, describe, it } from "@effect/vitest"
import { fits, judge } from "#daemons/sip-config/routing/CallFilters.ts"
import type { CallFilter } from "#daemons/sip-config/routing/Rows.ts"

const filter = (type: CallFilter["type"], pattern: string, enabled = true): CallFilter => ({
  id: 1,
  xid: "1",
  tenant_id: 2,
  name: pattern,
  type,
  pattern,
  enabled
})
const passes = (caller: string, ...filters: ReadonlyArray<CallFilter>) => judge(filters, caller, "DE").passes

describe("patterns", () => {
  for (const [pattern, text, fit] of [
    ["+49900*", "+49900123", true],
    ["+49900*", "+4990", false],
    ["*123", "+49900123", true],
    ["+49?00*", "+49900123", true],
    ["*", "", true],
    ["**1**", "010", true],
    ["+49 (900) *", "+49900-123", true],
    ["", "", false],
    ["anonymous", "anonymous", true],
    [".*", "x", false],
    ["+49.00*", "+49900", false],
    [`${"*1".repeat(60)}x`, "1".repeat(64), false]
  ] as const)
    it(`${pattern.slice(0, 20)} and ${text.slice(0, 20)}`, () => assert.strictEqual(fits(pattern, [text]), fit))

  it("a caller is met in every spelling", () => {
    for (const pattern of ["+49900*", "0049900*", "49900*", "0900*"]) {
      for (const caller of ["+49900123456", "0049900123456", "0900123456"])
        assert.isFalse(passes(caller, filter("blacklist", pattern)), `${pattern} ${caller}`)
    }
  })
})

describe("lists", () => {
  it("a blacklist refuses its own, and only its own", () => {
    assert.isTrue(passes("+4930123456", filter("blacklist", "+49900*")))
    assert.isTrue(passes("+49900123456", filter("blacklist", "+49900*", false)))
  })
  it("a whitelist lets its own through, whatever else there is, and refuses all others", () => {
    const filters = [filter("blacklist", "+4930*"), filter("whitelist", "+4930123*")]
    assert.deepStrictEqual(
      ["+4930123456", "+4930999999", "+4940123456"].map((caller) => passes(caller, ...filters)),
      [true, false, false]
    )
  })
  it("without a filter everybody passes", () => assert.isTrue(passes("anonymous")))
})
