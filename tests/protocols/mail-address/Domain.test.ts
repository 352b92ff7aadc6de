import { describe, expect, it } from "vitest"
import { normaliseDomain } from "#protocols/mail-address/Domain.ts"

describe("domains in the form in which they compare", () => {
  it.each([
    ["Example.ORG", "example.org"],
    ["example.org.", "example.org"],
    ["BÜCHER.example", "xn--bcher-kva.example"],
    ["XN--BCHER-KVA.example", "xn--bcher-kva.example"],
    ["_dmarc.example.org", "_dmarc.example.org"],
    ["", undefined],
    [".", undefined],
    ["a..b", undefined],
    ["[127.0.0.1]", undefined],
    ["example.org/x", undefined],
    ["example%2eorg", undefined],
    ["*.example.org", undefined],
    ["example.org\u0000", undefined],
    ["ex\u00adample.org", undefined],
    ["a b", undefined]
  ])("%j", (domain, expected) => {
    expect(normaliseDomain(domain)).toBe(expected)
  })
})
