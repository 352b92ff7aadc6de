import { expect, it } from "@effect/vitest"
import { parse } from "#protocols/event-socket/SofiaStatus.ts"
import { spoken } from "#support/switch/Capture.ts"
import { stock, statusText } from "#support/switch/Sofia.ts"

it("reads the capture: running profiles, aliases and gateways", () => {
  const text = Buffer.concat(spoken("B04")).toString("utf8")
  expect(parse(text.slice(text.indexOf("Name\t"), text.indexOf("<?xml")))).toEqual({
    profiles: new Set(["external", "internal"]),
    aliases: new Set(["lab.example"]),
    gateways: new Set(["gw-ping", "gw-down", "gw-badreg", "gw-reg", "gw-user-2001", "gw-up"])
  })
})

it("a profile that is down does not run; other text names nothing", () => {
  const empty = { profiles: new Set(), aliases: new Set(), gateways: new Set() }
  expect(parse("  internal\tprofile\tsip:x@127.0.0.1\tDOWN (0)\n")).toEqual(empty)
  expect(parse("")).toEqual(empty)
  expect(parse("-ERR no reply\n")).toEqual(empty)
})

it("the double's answer has the form of the capture", () => {
  const text = Buffer.concat(spoken("B04")).toString("utf8")
  const answer = statusText(stock(), ["gw-up"])
  for (const line of answer.split("\n").filter((line) => line.includes("\tprofile\t") || line.includes("gw-up")))
    expect(text).toContain(`${line}\n`)
})
