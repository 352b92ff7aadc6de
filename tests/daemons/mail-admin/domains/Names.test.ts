import { describe, expect, it } from "@effect/vitest"
import { addressOf, domainName, localPart } from "#daemons/mail-admin/domains/Names.ts"

describe("a domain's name", () => {
  it.each([
    ["Example.ORG", "example.org"],
    [" example.org. ", "example.org"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["mail.example.co.uk", "mail.example.co.uk"],
    [`${"a".repeat(63)}.test`, `${"a".repeat(63)}.test`]
  ])("%s is stored as %s", (typed, stored) => {
    expect(domainName(typed)).toBe(stored)
    expect(domainName(stored)).toBe(stored)
  })
  it.each([
    "org",
    "co.uk",
    "localhost",
    "",
    "a b.test",
    "_dmarc.example.org",
    "-a.test",
    "a-.test",
    "a..test",
    "192.0.2.1",
    "0x7f.1",
    "[::1]",
    "a@b.test",
    "a/b.test",
    `${"a".repeat(64)}.test`,
    `${"a.".repeat(127)}test`
  ])("refuses %j", (typed) => {
    expect(domainName(typed)).toBeUndefined()
  })
})

describe("a local part", () => {
  it.each([
    ["Ann.Lee", "ann.lee"],
    ["a", "a"],
    ["no-reply_2", "no-reply_2"],
    ["a".repeat(64), "a".repeat(64)]
  ])("%s is stored as %s", (typed, stored) => {
    expect(localPart(typed)).toBe(stored)
  })
  it.each(["", ".a", "a.", "a..b", "..", "a/b", "a+b", "a@b", "a b", "*", "%n", "ü", "-a", "a\0", "a".repeat(65)])(
    "refuses %j",
    (typed) => {
      expect(localPart(typed)).toBeUndefined()
    }
  )
  it("refuses addresses that are too long", () => {
    expect(addressOf("a".repeat(4), "b".repeat(249))).toHaveLength(254)
    expect(addressOf("a".repeat(5), "b".repeat(249))).toBeUndefined()
  })
})
