/** Recipients that a signature rule matches, compared with a reference that checks each rule separately. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { matching, normaliseRule } from "#daemons/mail-watcher/people/signatures/SignatureRules.ts"

const rule = (match_type: "address" | "domain", match_value: string) => normaliseRule({ match_type, match_value })

describe("rules of signatures", () => {
  it("are normalised", () => {
    assert.strictEqual(rule("domain", " Müller.Example. "), "xn--mller-kva.example")
    assert.strictEqual(rule("domain", "*.BÜCHER.example"), "*.xn--bcher-kva.example")
    assert.strictEqual(rule("address", "Ann@Müller.example"), "ann@xn--mller-kva.example")
    for (const wrong of [
      "",
      "*",
      "*.",
      "a.*.example",
      "**.example",
      "*example",
      "ann@b.example",
      "a b",
      "x".repeat(260),
      "b.example/x"
    ]) {
      assert.strictEqual(rule("domain", wrong), undefined, wrong)
    }
    for (const wrong of ["b.example", "@b.example", "*@b.example", "Ann <ann@b.example>"])
      assert.strictEqual(rule("address", wrong), undefined, wrong)
  })

  it("match the address, its domain, and the domains above it from the nearest", () =>
    assert.deepStrictEqual(matching("ann@a.b.example"), ["ann@a.b.example", "a.b.example", "*.b.example", "*.example"]))

  const label = fc.constantFrom("a", "b", "ab", "example")
  const domain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."))
  const address = fc.tuple(fc.constantFrom("ann", "bob"), domain).map(([local, at]) => `${local}@${at}`)
  const value = fc.oneof(
    address,
    domain,
    domain.map((name) => `*.${name}`)
  )

  /** Reference: whether the rule matches the recipient, as documented. */
  const isFor = (match: string, to: string): boolean => {
    const at = to.slice(to.indexOf("@") + 1)
    return match.includes("@")
      ? match === to
      : match.startsWith("*.")
        ? at.endsWith(match.slice(1)) && at.length > match.length - 1
        : match === at
  }
  const rank = (match: string): number =>
    match.includes("@") ? 1000 : match.startsWith("*.") ? match.length - 500 : 500

  it("match their recipients, most specific first", () =>
    fc.assert(
      fc.property(fc.array(value, { maxLength: 12 }), address, (rules, to) => {
        const found = matching(to).filter((match) => rules.includes(match))
        const right = [...new Set(rules.filter((match) => isFor(match, to)))].sort((a, b) => rank(b) - rank(a))
        assert.deepStrictEqual(found, right)
      }),
      { numRuns: 2000 }
    ))

  it("normalise idempotently", () =>
    fc.assert(
      fc.property(fc.oneof(value, fc.string()), (text) => {
        for (const match_type of ["address", "domain"] as const) {
          const once = normaliseRule({ match_type, match_value: text })
          if (once === undefined) continue
          assert.strictEqual(normaliseRule({ match_type, match_value: once }), once)
          assert.strictEqual(once.includes("@"), match_type === "address")
        }
      }),
      { numRuns: 2000 }
    ))
})
