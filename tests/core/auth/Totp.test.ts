import { Redacted } from "effect"
import fc from "fast-check"
import { Secret, TOTP } from "otpauth"
import { describe, expect, it } from "vitest"
import { check, newSecret, uri } from "#core/auth/Totp.ts"

/** Key of the test vectors in both RFCs. */
const ascii = "12345678901234567890"
const secret = Redacted.make(Secret.fromLatin1(ascii).base32)

/** Times in seconds, and their SHA-1 codes. Source: RFC 6238, appendix B. */
const vectors = [
  [59, "94287082"],
  [1111111109, "07081804"],
  [1111111111, "14050471"],
  [1234567890, "89005924"],
  [2000000000, "69279037"],
  [20000000000, "65353130"]
] as const

describe("RFC 6238, appendix B", () => {
  it.each(vectors)("%d s: %s", (seconds, code) => {
    const totp = new TOTP({ secret: Secret.fromLatin1(ascii), algorithm: "SHA1", digits: 8, period: 30 })
    expect(totp.generate({ timestamp: seconds * 1000 })).toBe(code)
    // A six-digit code is the end of the eight-digit code. Source: RFC 4226 §5.3.
    expect(check(code.slice(2), secret, seconds * 1000, undefined)).toBe(Math.floor(seconds / 30))
  })
})

describe("RFC 4226, appendix D", () => {
  const codes = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]
  it.each(codes.map((code, counter) => [counter, code] as const))("counter %d: %s", (counter, code) => {
    expect(check(code, secret, counter * 30_000, undefined)).toBe(counter)
  })

  it("a deviation of one step is accepted, of two refused", () => {
    const accepted = (step: number) =>
      codes.flatMap((code, counter) =>
        check(code, secret, step * 30_000 + 29_999, undefined) === undefined ? [] : [counter]
      )
    expect(accepted(5)).toEqual([4, 5, 6])
    expect(accepted(0)).toEqual([0, 1])
  })

  it("a code is accepted once, and no code of an earlier step after it", () => {
    const now = 5 * 30_000
    const tried = (lastStep: number) => [4, 5, 6].map((counter) => check(codes[counter]!, secret, now, lastStep))
    expect(tried(3)).toEqual([4, 5, 6])
    expect(tried(4)).toEqual([undefined, 5, 6])
    expect(tried(5)).toEqual([undefined, undefined, 6])
    expect(tried(6)).toEqual([undefined, undefined, undefined])
    expect(check(codes[0]!, secret, 0, 0)).toBeUndefined()
  })
})

describe("the spelling of a code", () => {
  it.each(["287 082", " 2870 82 ", "287\u00a0082"])("%j is accepted", (typed) => {
    expect(check(typed, secret, 59_000, undefined)).toBe(1)
  })

  it.each(["", "28708", "2870820", "94287082", "287-082", "+287082", "28708\u0662", "２８７０８２", "0x4616a", "NaN"])(
    "%j is refused",
    (typed) => {
      expect(check(typed, secret, 59_000, undefined)).toBeUndefined()
    }
  )

  it("any other text is refused", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9]{6}$/)), fc.nat({ max: 4e12 }), (typed, now) => {
        const good = [-1, 0, 1].map((step) =>
          new TOTP({ secret: Secret.fromLatin1(ascii) }).generate({ timestamp: Math.max(0, now + step * 30_000) })
        )
        return (check(typed, secret, now, undefined) !== undefined) === good.includes(typed.replace(/\s/g, ""))
      })
    )
  })
})

it("secrets are random, have 160 bits, and are redacted", () => {
  const secrets = Array.from({ length: 50 }, newSecret)
  expect(new Set(secrets.map(Redacted.value)).size).toBe(50)
  expect(secrets.every((one) => Secret.fromBase32(Redacted.value(one)).bytes.length === 20)).toBe(true)
  expect(String(secrets[0]) + JSON.stringify(secrets[0])).not.toContain(Redacted.value(secrets[0]!))
})

it("the link contains any issuer and account name", () => {
  expect(Redacted.value(uri({ secret, issuer: "Mail: Home", account: "a:b@example.org" }))).toMatch(
    /^otpauth:\/\/totp\/Mail%20%20Home:a%20b%40example\.org\?issuer=Mail%20%20Home&/
  )
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, unit: "grapheme" }),
      fc.string({ minLength: 1, unit: "grapheme" }),
      (issuer, account) => {
        const link = new URL(Redacted.value(uri({ secret, issuer, account })))
        const colonless = (text: string) => text.replaceAll(":", " ")
        expect(link.href).toMatch(/^otpauth:\/\/totp\//)
        expect(link.pathname.slice(1).split(":").map(decodeURIComponent)).toEqual([
          colonless(issuer),
          colonless(account)
        ])
        expect(Object.fromEntries(link.searchParams)).toEqual({
          issuer: colonless(issuer),
          secret: Secret.fromLatin1(ascii).base32,
          algorithm: "SHA1",
          digits: "6",
          period: "30"
        })
      }
    )
  )
})
