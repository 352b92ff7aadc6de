import { Result } from "effect"
import { describe, expect, it } from "vitest"
import fc from "fast-check"
import { fromAddresses } from "#daemons/alarm-bridge/intake/HeaderFrom.ts"
import * as SenderPolicy from "#daemons/comm-dispatcher/alarms/trigger/SenderPolicy.ts"

const boss = "boss@example.org"
const policy = Result.getOrThrow(SenderPolicy.make({ allowedSenders: [boss], allowedDomains: [] }))
const allowed = (...headers: ReadonlyArray<string>) =>
  Result.isSuccess(SenderPolicy.check(policy, fromAddresses(headers)))
const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`

describe("headers of a plain shape give their addresses", () => {
  it.each([
    [[boss], boss],
    [[`<${boss}>`], boss],
    [[`The Boss <${boss}>`], boss],
    [[`"Boss, The" <${boss}>`], boss],
    [[`"evil@example.net" <${boss}>`], boss],
    [[`${encoded("Bösing")} <${boss}>`], boss],
    [[`${boss} (at work)`], boss],
    [[`A <a@x.test>, b@x.test`], "a@x.test, b@x.test"],
    [["a@x.test", "b@x.test"], "a@x.test, b@x.test"],
    [[], ""]
  ])("%j", (headers, expected) => {
    expect(fromAddresses(headers)).toBe(expected)
  })
})

describe("headers of another shape are handed on as they stand, for their reader to refuse", () => {
  it.each([
    `evil@example.net <${boss}>`,
    `<${boss}> <evil@example.net>`,
    `group: ${boss};`,
    `"boss"@example.org`,
    `"evil"${boss}`,
    `${boss}(x).example.net`,
    `"${boss}`
  ])("%s", (header) => {
    expect(fromAddresses([header])).toBe(header)
  })
})

describe("nobody becomes the boss by a trick", () => {
  it.each([
    `${encoded(`Boss <${boss}>`)} <evil@example.net>`,
    `${encoded(`Boss <${boss}>`)}`,
    `${encoded(boss)}`,
    `${encoded(`${boss}, `)} <evil@example.net>`,
    `"${boss}" <evil@example.net>`,
    `${boss} <evil@example.net>`,
    `<${boss}> <evil@example.net>`,
    `evil@example.net <${boss}> x`,
    `(<${boss}>) evil@example.net`,
    `evil@example.net, ${boss}`,
    `"${boss}`,
    `boss@example.org(x).example.net`,
    `boss@example.org@example.net`,
    `"boss@example.org"@example.net`,
    `group: ${boss}, evil@example.net;`,
    ""
  ])("%s", (header) => {
    expect(allowed(header)).toBe(false)
  })

  it("a second From header counts too", () => {
    expect(allowed(boss)).toBe(true)
    expect(allowed(boss, "evil@example.net")).toBe(false)
    expect(allowed("evil@example.net", boss)).toBe(false)
  })

  it("no encoded word adds an address", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.string({ maxLength: 30 }), (before, after) => {
        const word = encoded(`${before}${boss}${after}`)
        expect(fromAddresses([`${word} <evil@example.net>`])).toBe("evil@example.net")
        expect(allowed(word)).toBe(false)
      })
    )
  })
})
