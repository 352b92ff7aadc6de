import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { localPartOf, maxAddress, maxLocalPart, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"

describe("one form", () => {
  it.each([
    ["ann@example.org", "ann@example.org"],
    ["  Ann.Lee+Shop@Example.ORG \n", "ann.lee+shop@example.org"],
    ["ann@example.org.", "ann@example.org"],
    ["ann@BÜCHER.example", "ann@xn--bcher-kva.example"],
    ["ann@xn--BCHER-KVA.example", "ann@xn--bcher-kva.example"],
    // Composed and decomposed umlauts give the same address.
    ["Jo\u0308rg@example.org", "j\u00f6rg@example.org"],
    ["J\u00d6RG@example.org", "j\u00f6rg@example.org"],
    ["root@localhost", "root@localhost"],
    ["o'neil!#$%&*+-/=?^_`{|}~@example.org", "o'neil!#$%&*+-/=?^_`{|}~@example.org"]
  ])("%j", (typed, expected) => {
    expect(normaliseEmail(typed)).toBe(expected)
  })

  it("names the part before the @", () => {
    expect(localPartOf("ann.lee@example.org")).toBe("ann.lee")
  })
})

describe("no address to sign in with", () => {
  it.each([
    "",
    "@",
    "ann",
    "ann@",
    "@example.org",
    "ann@@example.org",
    "ann@x@example.org",
    "ann lee@example.org",
    "ann@exam ple.org",
    ".ann@example.org",
    "ann.@example.org",
    "a..b@example.org",
    '"ann"@example.org',
    "ann(x)@example.org",
    "Ann <ann@example.org>",
    "ann@[127.0.0.1]",
    "ann@127.0.0.1",
    "ann@0x7f.1",
    "ann@2130706433",
    "ann@example..org",
    "ann@.example.org",
    "ann@example.org/path",
    "ann@example.org:25",
    "ann@%65xample.org",
    "ann,bob@example.org",
    "ann;bob@example.org",
    "ann\u0000@example.org",
    "ann\u200b@example.org",
    "ann\u00a0lee@example.org",
    "ann\ud800@example.org",
    "ann\\@example.org"
  ])("%j", (typed) => {
    expect(normaliseEmail(typed)).toBeUndefined()
  })

  it("bounds of RFC 5321, counted in bytes", () => {
    const domain = `${"d".repeat(63)}.${"d".repeat(63)}.${"d".repeat(59)}`
    expect(normaliseEmail(`${"a".repeat(maxLocalPart)}@x.test`)).toBeDefined()
    expect(normaliseEmail(`${"a".repeat(maxLocalPart + 1)}@x.test`)).toBeUndefined()
    expect(normaliseEmail(`${"ö".repeat(maxLocalPart / 2)}@x.test`)).toBeDefined()
    expect(normaliseEmail(`${"ö".repeat(maxLocalPart / 2)}a@x.test`)).toBeUndefined()
    expect(normaliseEmail(`${"a".repeat(64)}@${domain}.d`)).toHaveLength(maxAddress)
    expect(normaliseEmail(`${"a".repeat(64)}@${domain}.dd`)).toBeUndefined()
    expect(normaliseEmail(`a@${"d".repeat(64)}.test`)).toBeUndefined()
    expect(normaliseEmail(`${" ".repeat(1_000_000)}ann@example.org`)).toBeUndefined()
  })
})

/** Text similar to addresses, so that many examples are accepted. */
const near = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .tuple(
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom("example.org", "BÜCHER.example", "x.test ", "ſ.test", "İ.test")
    )
    .map((parts) => parts.join("@")),
  fc.tuple(fc.stringMatching(/^[A-Za-z0-9.+ÄÖÜéİſΣ]{1,12}$/), fc.domain()).map((parts) => parts.join("@"))
)

describe("whatever is typed", () => {
  it("comes out clean or not at all, and the same a second time", () => {
    let accepted = 0
    fc.assert(
      fc.property(near, (typed) => {
        const email = normaliseEmail(typed)
        if (email === undefined) return
        accepted++
        expect(normaliseEmail(email)).toBe(email)
        expect(email).toMatch(/^[^\s\p{C}\p{Z}"<>(),:;[\]\\@]+@[a-z0-9._-]+$/u)
        expect(email.toLowerCase()).toBe(email)
        expect(Buffer.byteLength(email)).toBeLessThanOrEqual(maxAddress)
      }),
      { numRuns: 2_000 }
    )
    expect(accepted).toBeGreaterThan(200)
  })

  it("every single character gives a form that stays", () => {
    const changing: Array<string> = []
    for (let code = 0x21; code <= 0x1ffff; code++) {
      const email = normaliseEmail(`a${String.fromCodePoint(code)}\u0301@x.test`)
      if (email !== undefined && normaliseEmail(email) !== email) changing.push(code.toString(16))
    }
    expect(changing).toEqual([])
  })

  it("is one address in any case", () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }), (email, upper) => {
        const mixed = Array.from(email, (char, at) =>
          upper[at % upper.length] ? char.toUpperCase() : char.toLowerCase()
        ).join("")
        expect(normaliseEmail(mixed)).toBe(normaliseEmail(email))
        expect(normaliseEmail(email)).toBe(email.toLowerCase())
      })
    )
  })

  it("injects no header", () => {
    fc.assert(
      fc.property(
        fc.emailAddress(),
        fc.nat(),
        fc.constantFrom("\r\n", "\n", "\r", "\u2028", "\u0085", "\0", ", ", "%0d%0a"),
        fc.emailAddress(),
        (email, at, end, other) => {
          const cut = 1 + (at % (email.length - 1))
          const email2 = normaliseEmail(`${email.slice(0, cut)}${end}Bcc: ${other}${end}${email.slice(cut)}`)
          expect(email2).toBeUndefined()
        }
      )
    )
  })
})
