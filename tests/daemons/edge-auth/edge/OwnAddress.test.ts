import { describe, expect, it } from "vitest"
import { homeFor, keepsCookies } from "#daemons/edge-auth/edge/OwnAddress.ts"

const alone = { base: "http://localhost:8113", cookieDomain: undefined }
const domain = { base: "https://auth.example.org", cookieDomain: "example.org" }

describe("our own address", () => {
  it.each([
    [{ host: "127.0.0.1:8113" }, "http://127.0.0.1:8113"],
    [{ host: "box.lan:9000" }, "http://box.lan:9000"],
    [{ host: "[::1]:8113" }, "http://[::1]:8113"],
    [
      { host: "127.0.0.1:8113", "x-forwarded-host": "login.example.net", "x-forwarded-proto": "https" },
      "https://login.example.net"
    ],
    [{ host: "a.test", "x-forwarded-proto": "https, http" }, "https://a.test"],
    [{ host: "a.test@evil.example" }, "http://localhost:8113"],
    [{ host: "a b" }, "http://localhost:8113"],
    [{}, "http://localhost:8113"]
  ])("of %j is %s", (headers: Readonly<Record<string, string>>, base) => {
    expect(homeFor(alone, false, headers)).toEqual({ ...alone, base })
    expect(homeFor(alone, true, headers)).toEqual(alone)
  })

  it("is below the domain of the cookie when there is one", () => {
    expect(homeFor(domain, false, { host: "login.example.org", "x-forwarded-proto": "https" }).base).toBe(
      "https://login.example.org"
    )
    for (const host of ["127.0.0.1:8113", "evilexample.org", "example.org.evil.test"])
      expect(homeFor(domain, false, { host }).base, host).toBe(domain.base)
  })
})

it("keeps secure cookies over https and on this machine", () => {
  for (const base of [
    "https://a.test",
    "http://localhost:1",
    "http://x.localhost",
    "http://127.0.0.1:8",
    "http://[::1]"
  ])
    expect(keepsCookies(base), base).toBe(true)
  for (const base of ["http://a.test", "http://192.168.1.5:8113", "http://127.evil.test"])
    expect(keepsCookies(base), base).toBe(false)
})
