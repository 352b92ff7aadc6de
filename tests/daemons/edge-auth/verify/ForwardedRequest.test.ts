import { describe, expect, it } from "vitest"
import { askedOf, urlOf } from "#daemons/edge-auth/verify/ForwardedRequest.ts"
import { hostOf } from "#daemons/edge-auth/edge/Host.ts"
import { returnTo } from "#daemons/edge-auth/edge/ReturnTo.ts"
import { sessionCookie, tokensOf } from "#daemons/edge-auth/edge/SessionCookie.ts"
import { decide, encodedText, headerText } from "#daemons/edge-auth/verify/Decision.ts"

describe("a host", () => {
  it.each([
    ["A.Example", "a.example"],
    ["a.example.", "a.example"],
    ["a.example:8443", "a.example"],
    ["[2001:DB8::1]:443", "[2001:db8::1]"],
    ["[2001:0db8:0:0:0:0:0:1]", "[2001:db8::1]"],
    ["127.0.0.1:80", "127.0.0.1"],
    ["my_app.example", "my_app.example"]
  ])("%s is %s", (text, host) => {
    expect(hostOf(text)).toBe(host)
  })

  it.each([
    "",
    ".",
    "a.example, b.example",
    "a@b.example",
    "a b",
    "a.example/x",
    "[::zz]",
    "::1",
    "a..example",
    ".example",
    `${"a".repeat(254)}`,
    "a.example:port",
    "a\r\n.example"
  ])("refuses %j", (text) => {
    expect(hostOf(text)).toBeUndefined()
  })
})

describe("what a proxy asks about", () => {
  it("is read as Traefik, Caddy and nginx send it", () => {
    expect(
      askedOf({
        host: "auth:1",
        "x-forwarded-host": "A.example:8443",
        "x-forwarded-uri": "/x?y=1",
        "x-forwarded-proto": "https"
      })
    ).toEqual({ scheme: "https", host: "a.example", authority: "A.example:8443", target: "/x?y=1" })
    expect(urlOf(askedOf({ "x-forwarded-host": "A.example:8443", "x-forwarded-uri": "/X" })!)).toBe(
      "https://a.example:8443/X"
    )
    expect(askedOf({ host: "auth:1", "x-original-url": "http://a.example/x" })).toEqual({
      scheme: "http",
      host: "a.example",
      authority: "a.example",
      target: "/x"
    })
    expect(askedOf({ host: "a.example", "x-original-uri": "/x", "x-forwarded-proto": "http" })).toEqual({
      scheme: "http",
      host: "a.example",
      authority: "a.example",
      target: "/x"
    })
    expect(urlOf(askedOf({ "x-original-url": "https://a.example?q" })!)).toBe("https://a.example/?q")
  })

  it.each([
    {},
    { host: "a.example" },
    { "x-forwarded-host": "a.example" },
    { "x-forwarded-uri": "/" },
    { "x-forwarded-host": "a.example, b.example", "x-forwarded-uri": "/" },
    { "x-forwarded-host": "a.example", "x-forwarded-uri": "x" },
    { "x-forwarded-host": "a.example", "x-forwarded-uri": "/a b" },
    { "x-original-url": "https://user@a.example/" },
    { "x-original-url": "ftp://a.example/" },
    { "x-original-url": "//a.example/" }
  ])("is not guessed from %j", (headers) => {
    expect(askedOf(headers)).toBeUndefined()
  })
})

describe("the cookie", () => {
  const [a, b] = ["a".repeat(64), "b".repeat(64)]
  it("is read at any position, and every occurrence", () => {
    expect(tokensOf(`x=1; __platform_auth=${a}; y=2; __platform_auth=${b}; __platform_auth=${a}`)).toEqual([a, b])
    expect(
      tokensOf(
        `__platform_auth="${a}"; x__platform_auth=${b}; __platform_auth=${a.toUpperCase()}; __platform_auth=${a}0`
      )
    ).toEqual([])
    expect(
      tokensOf(
        Array.from({ length: 50 }, (_, index) => `__platform_auth=${index.toString(16).padStart(64, "0")}`).join("; ")
      )
    ).toHaveLength(4)
    expect(tokensOf(undefined)).toEqual([])
  })

  it("is written as the interface document defines", () => {
    expect(sessionCookie(a, "example.org", 86_400)).toBe(
      `__platform_auth=${a}; Domain=example.org; Path=/; Max-Age=86400; Secure; HttpOnly; SameSite=Lax`
    )
    expect(sessionCookie("", undefined, 0)).toBe("__platform_auth=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax")
  })
})

describe("the way back", () => {
  const home = { cookieDomain: "example.org", base: "https://auth.example.org" }

  it.each([
    ["https://app.example.org/x?y=1#z", "https://app.example.org/x?y=1#z"],
    ["https://example.org", "https://example.org/"],
    ["https://APP.example.org:443/", "https://app.example.org/"],
    ["/account", "https://auth.example.org/account"]
  ])("leads to %s", (wanted, address) => {
    expect(returnTo(wanted, home)).toBe(address)
  })

  it.each([
    undefined,
    "",
    "//evil.example",
    "/\\evil.example",
    "https:evil.example",
    "https:/evil.example",
    "https://evilexample.org/",
    "https://example.org.evil.example/",
    "https://user@app.example.org/",
    "https://app.example.org@evil.example/",
    "http://app.example.org/",
    "https://app.example.org:8443/",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://app.example.org\\@evil.example/",
    "https://app.example.org/\r\nx: y",
    `https://app.example.org/${"x".repeat(2_048)}`,
    "https://",
    "\thttps://app.example.org/"
  ])("does not lead to %j", (wanted) => {
    expect(returnTo(wanted, home)).toBeUndefined()
  })
})

describe("the decision", () => {
  const asked = { scheme: "https", host: "a.example", authority: "a.example", target: "/x?y=1" } as const
  const [user, admin] = (["user", "admin"] as const).map((role) => ({ email: "u@example.org", name: "Ü", role }))

  it("follows the rules", () => {
    const base = "https://auth.example"
    expect(decide(asked, undefined, user, base)).toEqual({ _tag: "Pass", identity: undefined })
    expect(decide(asked, "user", user, base)).toEqual({ _tag: "Pass", identity: user })
    expect(decide(asked, "admin", admin, base)).toEqual({ _tag: "Pass", identity: admin })
    expect(decide(asked, "admin", user, base)).toEqual({ _tag: "Refused" })
    expect(decide(asked, "user", undefined, base)).toEqual({
      _tag: "Login",
      address: "https://auth.example/login?rd=https%3A%2F%2Fa.example%2Fx%3Fy%3D1"
    })
  })

  it.each([
    ["Jane Doe", "Jane Doe"],
    ["Jörg", "J%C3%B6rg"],
    ["50%", "50%"],
    ["a\r\nb", "a%0D%0Ab"],
    ["", ""],
    [" a", "%20a"],
    ["\ud800", "%EF%BF%BD"]
  ])("carries %j as %j", (text, header) => {
    expect(headerText(text)).toBe(header)
  })

  it.each([
    ["Jane Doe", "UTF-8''Jane%20Doe"],
    ["Jörg's (50%)", "UTF-8''J%C3%B6rg%27s%20%2850%25%29"],
    ["", "UTF-8''"]
  ])("encodes %j as %j", (text, header) => expect(encodedText(text)).toBe(header))
})
