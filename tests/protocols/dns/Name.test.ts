import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isWithin, parentOf, parseDomain, parseHost, parseRecordName } from "#protocols/dns/Name.ts"

const label63 = "a".repeat(63)
/** 253 octets, the longest allowed name. */
const longest = `${label63}.${label63}.${label63}.${"b".repeat(57)}.net`
const ascii = (text: string) => Result.getOrUndefined(Result.map(parseDomain(text), (domain) => domain.ascii))

describe("a domain", () => {
  it.each([
    ["example.org", "example.org"],
    ["  WWW.Example.ORG. ", "www.example.org"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["BÜCHER.example", "xn--bcher-kva.example"],
    ["bu\u0308cher.example", "xn--bcher-kva.example"],
    ["XN--Bcher-KVA.example", "xn--bcher-kva.example"],
    ["faß.de", "xn--fa-hia.de"],
    ["日本語。jp", "xn--wgv71a119e.jp"],
    ["r3---sn-4g5.example.org", "r3---sn-4g5.example.org"],
    ["123.example", "123.example"],
    [`${label63}.example`, `${label63}.example`],
    [longest, longest]
  ])("%j", (typed, expected) => {
    expect(ascii(typed)).toBe(expected)
  })

  it.each([
    ["", "empty"],
    ["   ", "empty"],
    [".", "dots"],
    ["org", "whole domain"],
    ["a..org", "two dots"],
    [".example.org", "two dots"],
    ["_dmarc.example.org", "underscores"],
    ["*.example.org", "wildcard"],
    ["-a.example.org", "hyphen"],
    ["a-.example.org", "hyphen"],
    [`${label63}a.example`, "label of 64 octets"],
    [`${longest}x`, "254 octets"],
    [`${"ü".repeat(60)}.example`, "octets"],
    ["127.0.0.1", "not an address"],
    ["0x7f.1", "not an address"],
    ["１２７.0.0.１", "not an address"],
    ["exam ple.org", "no label"],
    ["example.org/path", "no label"],
    ["example.org:53", "no label"],
    ["ann@example.org", "no label"],
    ["example%2eorg.net", "no label"],
    ["a\u0000b.example", "no label"],
    ["a\u202eb.example", "no label"],
    ["℀.example", "no label"],
    ["xn--zz.example", "no label"],
    ["a\nb.example", "no label"],
    ["xn--.example", "no label"],
    ["a".repeat(2000), "at most 253"]
  ])("%j is none: %s", (typed, why) => {
    const parsed = parseDomain(typed)
    expect(Result.isFailure(parsed) ? parsed.failure : parsed.success).toContain(why)
  })

  it("keeps to the bounds, is the same when parsed again, and never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.domain(),
          fc.array(fc.string({ unit: "grapheme", maxLength: 20 })).map((labels) => labels.join("."))
        ),
        (text) => {
          const parsed = ascii(text)
          if (parsed === undefined) return
          expect(parsed).toMatch(/^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/)
          expect(parsed.length).toBeLessThanOrEqual(253)
          expect(ascii(parsed)).toBe(parsed)
          expect(ascii(`${parsed.toUpperCase()}.`)).toBe(parsed)
        }
      ),
      { numRuns: 500 }
    )
  })
})

describe("scripts", () => {
  const mixed = (text: string) => Result.getOrThrow(parseDomain(text)).mixed
  it.each([
    "example.org",
    "bücher.example",
    "пример.example",
    "日本語テストabc.example",
    "한국어abc.example",
    "ليهمابتكلموشعربي.example",
    "a-1.пример.example",
    "ελλ-1.example"
  ])("of one language: %s", (text) => expect(mixed(text)).toEqual([]))
  // The first example contains Cyrillic р and а.
  it.each([
    ["раypal.example", "раypal"],
    ["www.gοοgle.example", "gοοgle"],
    ["пример한.example", "пример한"]
  ])("mixed: %s", (text, label) => {
    expect(mixed(text)).toEqual([label])
    expect(mixed(Result.getOrThrow(parseDomain(text)).ascii)).toEqual([label])
  })
})

describe("the name of a record", () => {
  const name = (text: string) => parseRecordName(text, "example.org")
  it.each([
    ["@", "@"],
    ["", "@"],
    ["example.org", "@"],
    ["example.org.", "@"],
    ["www", "www"],
    ["WWW.", undefined],
    ["www.example.org.", "www"],
    ["www.example.org", "www"],
    ["_dmarc", "_dmarc"],
    ["mail._domainkey", "mail._domainkey"],
    ["_imaps._tcp", "_imaps._tcp"],
    ["*", "*"],
    ["*.shop", "*.shop"],
    ["bücher", "xn--bcher-kva"],
    ["www.*", undefined],
    ["a*", undefined],
    ["*a.b", undefined],
    ["a..b", undefined],
    ["-a", undefined],
    ["www.other.org.", undefined],
    ["badexample.org.", undefined],
    ["a b", undefined],
    ["a\\.b", undefined],
    ["a\nb", undefined],
    ['"a"', undefined],
    [label63, label63],
    [`${label63}a`, undefined],
    [[label63, label63, label63, "b".repeat(49)].join("."), [label63, label63, label63, "b".repeat(49)].join(".")],
    [[label63, label63, label63, "b".repeat(50)].join("."), undefined]
  ])("%j is %j", (typed, expected) => {
    expect(Result.getOrUndefined(name(typed))).toBe(expected)
  })

  it("is the same when parsed again", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."ab_*-.@ ü\\\u0000") }), (text) => {
        const parsed = name(text)
        if (Result.isFailure(parsed)) return
        expect(name(parsed.success)).toEqual(parsed)
      }),
      { numRuns: 500 }
    )
  })
})

it("a host is no address, no wildcard, and may have underscores", () => {
  expect(Result.getOrUndefined(parseHost("Mail.Example.org."))).toBe("mail.example.org")
  expect(Result.getOrUndefined(parseHost("sel._domainkey.example.org"))).toBe("sel._domainkey.example.org")
  for (const text of ["192.0.2.1", "*.example.org", "localhost", "2001:db8::1", "."])
    expect(Result.isFailure(parseHost(text)), text).toBe(true)
})

it("knows what lies within what", () => {
  expect(isWithin("a.example.org", "example.org")).toBe(true)
  expect(isWithin("example.org", "example.org")).toBe(true)
  expect(isWithin("badexample.org", "example.org")).toBe(false)
  expect(isWithin("org", "example.org")).toBe(false)
  expect(isWithin("anything", "")).toBe(true)
  expect([parentOf("a.b.c"), parentOf("c")]).toEqual(["b.c", ""])
})
