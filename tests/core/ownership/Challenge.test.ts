import { describe, expect, it } from "@effect/vitest"
import { isReserved, isShown, nextLook, selfAndParents } from "#core/ownership/Challenge.ts"

const answer = (...values: ReadonlyArray<string>) => ({ isDefinite: true, values })
const silent = { isDefinite: false, values: [] }

describe("a challenge", () => {
  it.each([
    [[answer("x", "token")], true],
    [[answer("token"), answer("token", "y"), silent], true],
    [[answer("token"), answer()], false],
    [[answer("TOKEN")], false],
    [[silent], false],
    [[], false]
  ])("with the answers %j is shown: %s", (answers, shown) => {
    expect(isShown(answers, "token")).toBe(shown)
  })

  it("is looked for less and less often", () => {
    expect([0, 3_599, 3_600, 86_400, 40 * 86_400].map(nextLook)).toEqual([60, 60, 600, 3_600, 86_400])
  })
})

describe("a name", () => {
  it.each([
    ["mx.a.test", true],
    ["a.test", true],
    ["b.mx.a.test", true],
    ["other.a.test", false],
    ["xmx.a.test", false],
    ["b.test", false]
  ])("%s is the provider's: %s", (name, reserved) => {
    expect(isReserved(name, ["mx.a.test"])).toBe(reserved)
  })

  it("has itself and its parents, without the top level", () => {
    expect(selfAndParents("a.b.c")).toEqual(["a.b.c", "b.c"])
    expect(selfAndParents("c")).toEqual(["c"])
  })
})
