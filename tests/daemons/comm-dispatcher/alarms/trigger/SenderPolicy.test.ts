import { Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, expect, it } from "vitest"
import { check, make, type SenderLists } from "#daemons/comm-dispatcher/alarms/trigger/SenderPolicy.ts"

const policy = (lists: Partial<SenderLists>) =>
  Result.getOrThrow(make({ allowedSenders: [], allowedDomains: [], ...lists }))
const boss = policy({ allowedSenders: ["Boss@Allowed.org"] })
const outcome = (result: ReturnType<typeof check>) =>
  Result.isSuccess(result) ? result.success.join(" ") : result.failure.reason

describe("SenderPolicy", () => {
  it.each([
    ["boss@allowed.org", "boss@allowed.org"],
    ["BOSS@ALLOWED.ORG.", "boss@allowed.org"],
    ["The Boss <boss@allowed.org>", "boss@allowed.org"],
    ['"Boss, The" <boss@allowed.org> (duty)', "boss@allowed.org"],
    ["evil@x.test <boss@allowed.org>", "boss@allowed.org"],
    ["boss@allowed.org (<evil@x.test>)", "boss@allowed.org"],
    ['"<evil@x.test>" <boss@allowed.org>', "boss@allowed.org"],
    ["=?utf-8?q?B=C3=B6ss?=\r\n <boss@allowed.org>", "boss@allowed.org"],
    ["boss@allowed.org, Boss <boss@allowed.org>", "boss@allowed.org boss@allowed.org"],
    ["", "NoAddress"],
    [" \r\n ", "NoAddress"],
    ["undisclosed:;", "NoAddress"],
    ["Boss", "Ambiguous"],
    ["evil@x.test", "NotAllowed"],
    ['"boss@allowed.org" <evil@x.test>', "NotAllowed"],
    ["boss@allowed.org <evil@x.test>", "NotAllowed"],
    ["evil@x.test (boss@allowed.org)", "NotAllowed"],
    ["=?utf-8?q?boss=40allowed.org?= <evil@x.test>", "NotAllowed"],
    ["boss@allowed.org, evil@x.test", "NotAllowed"],
    ["friends: boss@allowed.org, evil@x.test;", "NotAllowed"],
    ['"a\\" <boss@allowed.org>" <evil@x.test>', "NotAllowed"],
    ["<boss@allowed.org> <evil@x.test>", "Ambiguous"],
    ["<evil@x.test> <boss@allowed.org>", "Ambiguous"],
    ["<evil@x.test>boss@allowed.org", "Ambiguous"],
    ["<<boss@allowed.org>@evil.test>", "Ambiguous"],
    ["<boss@allowed.org", "Ambiguous"],
    ['"boss@allowed.org', "Ambiguous"],
    ["=?utf-8?q?<boss=40allowed.org>?= <evil@x.test>", "Ambiguous"],
    ["=?utf-8?q?boss=40allowed.org?=", "Ambiguous"],
    ['"boss"@allowed.org', "Ambiguous"],
    ['"boss@allowed.org"@evil.test', "Ambiguous"],
    ["boss@allowed.org@evil.test", "Ambiguous"],
    ["boss@allowed.org\0@evil.test", "Ambiguous"],
    ["boss@allowed.org\0", "Ambiguous"],
    ["<@evil.test:boss@allowed.org>", "Ambiguous"],
    ["<evil@x.test>:boss@allowed.org", "Ambiguous"],
    ["boss@allowed.org#.evil.test", "Ambiguous"],
    ["boss@allowed.org/evil.test", "Ambiguous"],
    ["boss@allowed%2eorg", "Ambiguous"],
    ["boss@[127.0.0.1]", "Ambiguous"],
    ["boss@sub.allowed.org", "NotAllowed"],
    ["x".repeat(5_000), "Ambiguous"]
  ])("judges %j: %s", (from, expected) => assert.strictEqual(outcome(check(boss, from)), expected))

  it.each([
    ["a@example.org", "a@example.org"],
    ["a@sub.example.org", "NotAllowed"],
    ["a@notexample.org", "NotAllowed"],
    ["a@example.org.evil.test", "NotAllowed"],
    ["a@deep.sub.wild.test", "a@deep.sub.wild.test"],
    ["a@wild.test", "NotAllowed"],
    ["a@notwild.test", "NotAllowed"],
    ["a@BÜCHER.example", "a@xn--bcher-kva.example"],
    ["a@xn--bcher-kva.example", "a@xn--bcher-kva.example"],
    ["a@bucher.example", "NotAllowed"]
  ])("matches domains: %j: %s", (from, expected) => {
    const domains = policy({ allowedDomains: ["Example.org", "*.wild.test", "bücher.example"] })
    assert.strictEqual(outcome(check(domains, from)), expected)
  })

  it("takes the Kelvin sign for no k", () => {
    assert.strictEqual(
      outcome(check(policy({ allowedSenders: ["kim@allowed.org"] }), "\u212aim@allowed.org")),
      "NotAllowed"
    )
  })

  it("allows nobody when both lists are empty", () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: "binary" })), (from) => {
        assert(Result.isFailure(check(policy({}), from)))
      })
    )
  })

  it("allows no text around another address", () => {
    const noise = fc.array(
      fc.constantFrom(
        "boss@allowed.org",
        "<",
        ">",
        '"',
        "(",
        ")",
        ",",
        ";",
        ":",
        " ",
        "\\",
        "@",
        "x",
        "=?utf-8?q?",
        "?=",
        "\r\n ",
        "\0"
      ),
      { maxLength: 10 }
    )
    fc.assert(
      fc.property(noise, noise, (before, after) => {
        const result = check(boss, `${before.join("")}<evil@x.test>${after.join("")}`)
        // Allowed only when the foreign address is in a comment or a quoted display name.
        if (Result.isSuccess(result)) expect(`${before.join("")}`).toMatch(/["(]/)
      }),
      { numRuns: 5_000 }
    )
  })

  it.each([
    [{ allowedSenders: ["nobody"] }, "allowed_senders"],
    [{ allowedSenders: ["*@example.org"] }, "allowed_senders"],
    [{ allowedDomains: ["a@b"] }, "allowed_domains"],
    [{ allowedSenders: ["kim@example.org"], allowedDomains: ["*.example.org"] }, undefined],
    [{ allowedDomains: ["*"] }, "allowed_domains"],
    [{ allowedDomains: ["sub.*.example.org"] }, "allowed_domains"],
    [{ allowedDomains: [""] }, "allowed_domains"]
  ])("reads the lists: %j: %s", (lists, expected) => {
    const result = make({ allowedSenders: [], allowedDomains: [], ...lists })
    assert.strictEqual(Result.isFailure(result) ? result.failure.list : undefined, expected)
  })
})
