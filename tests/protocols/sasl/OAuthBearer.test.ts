import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as OAuthBearer from "#protocols/sasl/OAuthBearer.ts"
import { hosts, line, ports, reason, reread, strange, tokens, users } from "./samples.ts"

describe("OAUTHBEARER", () => {
  it("writes the example of RFC 7628 §4.1, and reads it", () => {
    const example = {
      user: "user@example.com",
      token: "vF9dft4qmTc2Nvb3RlckBhbHRhdmlzdGEuY29tCg==",
      host: "server.example.com",
      port: 143
    }
    const published =
      "bixhPXVzZXJAZXhhbXBsZS5jb20sAWhvc3Q9c2VydmVyLmV4YW1wbGUuY29tAXBvcnQ9MTQzAWF1dGg9QmVhcmVyIHZGOWRmdDRxbVRjMk52YjNSbGNrQmhiSFJoZG1semRHRXVZMjl0Q2c9PQEB"
    expect(OAuthBearer.encode(example)).toEqual(Result.succeed(published))
    expect(OAuthBearer.parse(published)).toEqual(Result.succeed(example))
  })

  it("writes and reads the shortest form", () => {
    expect(OAuthBearer.encode({ user: "u@x.de", token: "T" })).toEqual(
      Result.succeed("bixhPXVAeC5kZSwBYXV0aD1CZWFyZXIgVAEB")
    )
    expect(OAuthBearer.parse("bixhPXVAeC5kZSwBYXV0aD1CZWFyZXIgVAEB")).toEqual(
      Result.succeed({ user: "u@x.de", token: "T" })
    )
  })

  it("reads back whatever it writes, whatever the name", () => {
    fc.assert(
      fc.property(users, tokens, hosts, ports, (user, token, host, port) => {
        const login = { user, token, ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }) }
        expect(reread(OAuthBearer, login)).toEqual(Result.succeed(login))
      })
    )
  })

  it("escapes what would end or bend the header", () => {
    expect(line(OAuthBearer.encode({ user: "a=2C,b=3D", token: "T" }))).toBe(
      "n,a=a=3D2C=2Cb=3D3D,\u0001auth=Bearer T\u0001\u0001"
    )
  })

  it.each([
    ["n,a=u,\u0001auth=bEaReR  T\u0001\u0001", { user: "u", token: "T" }],
    ["n,a=a=3D2C=2C=3D3D,\u0001auth=Bearer T\u0001\u0001", { user: "a=2C,=3D", token: "T" }],
    ["y,a=u,\u0001auth=Bearer T\u0001\u0001", { user: "u", token: "T" }],
    [
      "n,a=u,\u0001mthd=POST\u0001qs=a=b\u0001auth=Bearer T\u0001port=143\u0001\u0001",
      { user: "u", token: "T", port: 143 }
    ]
  ])("reads %j", (text, login) => {
    expect(OAuthBearer.parse(strange(text))).toEqual(Result.succeed(login))
  })

  it.each([
    ["n,,\u0001auth=Bearer T\u0001\u0001", "User"],
    ["n,a=,\u0001auth=Bearer T\u0001\u0001", "User"],
    ["n,a=a=2cb,\u0001auth=Bearer T\u0001\u0001", "User"],
    ["n,a=a=b,\u0001auth=Bearer T\u0001\u0001", "User"],
    ["p=tls-unique,a=u,\u0001auth=Bearer T\u0001\u0001", "ChannelBinding"],
    ["n,a=u,\u0001auth=Bearer T\u0001", "Malformed"],
    ["n,a=u,\u0001auth=Bearer T\u0001auth=Bearer S\u0001\u0001", "Malformed"],
    ["n,a=u,\u0001auth=Bearer T\u0001\u0001\u0001", "Malformed"],
    ["n,a=u,\u0001\u0001", "Malformed"],
    ["n,a=u\u0001auth=Bearer T\u0001\u0001", "Malformed"],
    ["\u0001", "Malformed"],
    ["n,a=u,\u0001host=h\u0001\u0001", "Token"],
    ["n,a=u,\u0001auth=Basic T\u0001\u0001", "Token"],
    ["n,a=u,\u0001auth=Bearer \u0001\u0001", "Token"],
    ["n,a=u,\u0001auth=Bearer T T\u0001\u0001", "Token"],
    ["n,a=u,\u0001auth=Bearer T\u0001port=0\u0001\u0001", "Port"],
    ["n,a=u,\u0001auth=Bearer T\u0001port=65536\u0001\u0001", "Port"]
  ])("does not read %j: %s", (text, expected) => {
    expect(reason(OAuthBearer.parse(strange(text)))).toBe(expected)
  })

  it("never throws, and reads nothing that it would write otherwise", () => {
    const bent = fc
      .tuple(users, tokens, fc.nat(), fc.constantFrom("", "\u0001", ",", "=", "=2C", "\u0000", "a=", "p=x"))
      .map(([user, token, at, what]) => {
        const text = line(OAuthBearer.encode({ user, token, host: "h", port: 1 }))
        return strange(text.slice(0, at % text.length) + what + text.slice((at % text.length) + (at % 2)))
      })
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string().map(strange), bent), (text) => {
        const read = OAuthBearer.parse(text)
        if (Result.isSuccess(read)) expect(reread(OAuthBearer, read.success)).toEqual(read)
      })
    )
  })

  it.each([
    [{ user: "u\u0001auth=Bearer other", token: "T" }, "User"],
    [{ user: "", token: "T" }, "User"],
    [{ user: "u\ud800", token: "T" }, "User"],
    [{ user: "u", token: "a b" }, "Token"],
    [{ user: "u", token: "" }, "Token"],
    [{ user: "u", token: "T", host: "h\u0001port=1" }, "Host"],
    [{ user: "u", token: "T", port: 1.5 }, "Port"],
    [{ user: "u", token: "T".repeat(10_000) }, "TooLong"]
  ])("does not write %o: %s", (login, expected) => {
    expect(reason(OAuthBearer.encode(login))).toBe(expected)
  })
})
