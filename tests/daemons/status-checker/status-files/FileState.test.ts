import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { decide, type FileState, type Look, unread } from "#daemons/status-checker/status-files/FileState.ts"

const good = (hash: string): Look<string> => ({ _tag: "Good", hash, value: hash, warnings: [], fingerprint: hash })
const broken = (fingerprint: string): Look<string> => ({
  _tag: "Broken",
  problem: `is broken ${fingerprint}`,
  fingerprint
})
const after = (looks: ReadonlyArray<Look<string>>, patient = true) => {
  let state: FileState<string> = unread
  const taken = looks.map((look, now) => {
    const next = decide(state, look, now, patient)
    state = next.state
    return next.taken
  })
  return { state, taken }
}

describe("a watched file", () => {
  it("is used at once when it is valid, and once", () => {
    expect(after([good("a"), good("a"), { _tag: "Same" }, good("b"), good("a")]).taken).toEqual([
      true,
      false,
      false,
      true,
      true
    ])
  })

  it("is reported as invalid when it stays invalid, since the first sight, and the last valid content is kept", () => {
    expect(after([good("a"), broken("x")]).state.trouble).toBeUndefined()
    expect(after([good("a"), broken("x"), broken("y"), broken("z")]).state.trouble).toBeUndefined()
    const { state } = after([good("a"), broken("x"), broken("x")])
    expect(state).toMatchObject({ good: { value: "a", at: 0 }, trouble: { problem: "is broken x", since: 1 } })
  })

  it("stays invalid across different faults until it is valid again", () => {
    const looks = [good("a"), broken("x"), broken("x"), broken("y")]
    expect(after(looks).state).toMatchObject({ good: { value: "a" }, trouble: { problem: "is broken y", since: 1 } })
    const mended = after([...looks, good("a")])
    expect(mended.state).toMatchObject({ good: { value: "a", at: 4 }, trouble: undefined, doubt: undefined })
    expect(mended.taken.at(-1)).toBe(false)
  })

  it("is reported as invalid at once without a grace period", () => {
    expect(after([broken("x")], false).state).toMatchObject({ good: undefined, trouble: { since: 0 } })
  })

  it("always keeps the last valid content, and no other", () => {
    const look = fc.oneof(
      fc.constantFrom("a", "b").map(good),
      fc.constantFrom("x", "y").map(broken),
      fc.constantFrom<Look<string>>({ _tag: "Same" }, { _tag: "Moving" })
    )
    fc.assert(
      fc.property(fc.array(look), fc.boolean(), (looks, patient) => {
        const lastGood = looks.findLast((one) => one._tag === "Good")
        const { state, taken } = after(looks, patient)
        expect(state.good?.hash).toBe(lastGood?.hash)
        for (const [index, one] of looks.entries()) if (one._tag !== "Good") expect(taken[index]).toBe(false)
      })
    )
  })
})
