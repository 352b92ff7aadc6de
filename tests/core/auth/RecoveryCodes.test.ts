import { Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { count, hash, newCodes, normalise, use } from "#core/auth/RecoveryCodes.ts"

const codes = newCodes().map(Redacted.value)
const hashes = newCodes().map(hash)

it("a set is ten different codes of fifty bits", () => {
  expect(codes).toHaveLength(count)
  for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/)
  const many = Array.from({ length: 400 }, newCodes).flat().map(Redacted.value)
  expect(new Set(many).size).toBe(4_000)
  // 40,000 characters: 1,250 of each are expected, with a standard deviation of 35. Eight deviations are not chance.
  const seen = new Map<string, number>()
  for (const char of many.join("").replaceAll("-", "")) seen.set(char, (seen.get(char) ?? 0) + 1)
  expect(seen.size).toBe(32)
  for (const times of seen.values()) expect(Math.abs(times - 1_250)).toBeLessThan(280)
})

it("keeps hashes only", () => {
  expect(hash(Redacted.make("00000-zzzzz"))).toBe("3hU8i-hykFQmLd6Y7wDhXe3Qi8oDuGylWRBLNz4igU4")
  expect(hashes.every((one) => /^[\w-]{43}$/.test(one))).toBe(true)
  expect(String(newCodes())).not.toMatch(/-/)
})

describe("in the spellings that users type", () => {
  it.each([
    ["01hjk-ABCDE", "01hjk-abcde"],
    ["  o1HJK – abcde\n", "01hjk-abcde"],
    ["OIHJKabcde", "01hjk-abcde"],
    ["0l hjk a b c d e", "01hjk-abcde"],
    ["01hjk\u2011abcde", "01hjk-abcde"]
  ])("%j", (typed, code) => {
    expect(normalise(typed)).toBe(code)
  })

  it.each([
    "",
    "01hjk-abcd",
    "01hjk-abcdef",
    "01hjk-abcdu",
    "01hjk_abcde",
    "01hjk-abcd!",
    `${" ".repeat(1_000)}01hjk-abcde`
  ])("refuses %j", (typed) => {
    expect(normalise(typed)).toBeUndefined()
    expect(use(typed, hashes)).toBeUndefined()
  })
})

it("each code is valid once", () => {
  const set = newCodes()
  const all = set.map(hash)
  const left = use(Redacted.value(set[3]!).toUpperCase().replace("-", " "), all)!
  expect(left).toEqual(all.filter((_, at) => at !== 3))
  expect(use(Redacted.value(set[3]!), left)).toBeUndefined()
  expect(use(Redacted.value(set[4]!), left)).toHaveLength(8)
  expect(use(Redacted.value(set[3]!), [])).toBeUndefined()
  expect(use(Redacted.value(set[3]!), ["", "short", all[3]!])).toEqual(["", "short"])
})

it("other texts are refused without an exception", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 30 }),
        fc.string({ unit: fc.constantFrom(..."01aou-z"), minLength: 10, maxLength: 11 })
      ),
      (typed) => {
        const code = normalise(typed)
        if (code !== undefined) expect(normalise(code)).toBe(code)
        return use(typed, hashes) === undefined
      }
    )
  )
})
