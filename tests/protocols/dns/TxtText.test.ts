import { Result } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { canonicalTxt, maxString, maxTxt, txtOctets, txtQuoted, txtText } from "#protocols/dns/TxtText.ts"

const octets = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 300 }),
  fc.string({ unit: "grapheme", minLength: 1 }).map((text) => new Uint8Array(Buffer.from(text))),
  fc
    .string({ unit: fc.constantFrom(" ", "\\", '"', "a", ";"), minLength: 1 })
    .map((text) => new Uint8Array(Buffer.from(text)))
)

it("has one text for each sequence of octets, however it is cut", () => {
  fc.assert(
    fc.property(octets, fc.nat(300), (whole, cut) => {
      const text = txtText([whole])
      expect(text).not.toMatch(/\p{C}/u)
      expect(text).toBe(text.trim())
      expect(Buffer.compare(txtOctets(text), Buffer.from(whole))).toBe(0)
      expect(txtText([whole.subarray(0, cut), whole.subarray(cut)])).toBe(text)
      expect(Result.getOrUndefined(canonicalTxt(text))).toBe(text)
    }),
    { numRuns: 500 }
  )
})

it("is quoted in strings of at most 255 octets of ASCII, and read back the same", () => {
  fc.assert(
    fc.property(octets, (whole) => {
      const text = txtText([whole])
      const quoted = txtQuoted(text)
      expect(quoted).toMatch(/^[\x20-\x7e]+$/)
      expect(Result.getOrUndefined(canonicalTxt(quoted))).toBe(text)
    }),
    { numRuns: 300 }
  )
  const key = "v=DKIM1; k=rsa; p=" + "A".repeat(392)
  expect(
    txtQuoted(key)
      .split('" "')
      .map((part) => part.replaceAll('"', "").length)
  ).toEqual([maxString, key.length - maxString])
})

it("takes the longest", () => {
  expect(Result.isSuccess(canonicalTxt("x".repeat(maxTxt)))).toBe(true)
})
