import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as XOAuth2 from "#protocols/sasl/XOAuth2.ts"
import { reason, reread, strange, tokens, users } from "./samples.ts"

describe("XOAUTH2", () => {
  it("writes the published example, and reads it", () => {
    const example = { user: "someuser@example.com", token: "ya29.vF9dft4qmTc2Nvb3RlckBhdHRhdmlzdGEuY29tCg" }
    const published =
      "dXNlcj1zb21ldXNlckBleGFtcGxlLmNvbQFhdXRoPUJlYXJlciB5YTI5LnZGOWRmdDRxbVRjMk52YjNSbGNrQmhkSFJoZG1semRHRXVZMjl0Q2cBAQ=="
    expect(XOAuth2.encode(example)).toEqual(Result.succeed(published))
    expect(XOAuth2.parse(published)).toEqual(Result.succeed(example))
  })

  it("writes and reads the shortest form", () => {
    expect(XOAuth2.encode({ user: "u@x.de", token: "T" })).toEqual(
      Result.succeed("dXNlcj11QHguZGUBYXV0aD1CZWFyZXIgVAEB")
    )
    expect(XOAuth2.parse("dXNlcj11QHguZGUBYXV0aD1CZWFyZXIgVAEB")).toEqual(
      Result.succeed({ user: "u@x.de", token: "T" })
    )
  })

  it("reads back whatever it writes, whatever the name", () => {
    fc.assert(
      fc.property(users, tokens, (user, token) => {
        expect(reread(XOAuth2, { user, token })).toEqual(Result.succeed({ user, token }))
      })
    )
  })

  it.each([
    ["user=u\u0001auth=Bearer T\u0001", "Malformed"],
    ["user=u\u0001x\u0001auth=Bearer T\u0001\u0001", "Malformed"],
    ["\u0001\u0001", "Malformed"],
    ["auth=Bearer T\u0001\u0001", "User"],
    ["user=\u0001auth=Bearer T\u0001\u0001", "User"],
    ["user=u\r\nx\u0001auth=Bearer T\u0001\u0001", "User"],
    ["user=u\u0001\u0001", "Token"],
    ["user=u\u0001auth=T\u0001\u0001", "Token"]
  ])("does not read %j: %s", (text, expected) => {
    expect(reason(XOAuth2.parse(strange(text)))).toBe(expected)
  })

  it.each([
    ["dXNlcj11QHguZGUBYXV0aD1CZWFyZXIgVAE", "NotBase64"],
    ["dXNl cj11", "NotBase64"],
    ["////", "NotUtf8"],
    ["A".repeat(12_292), "TooLong"]
  ])("does not read the line %#: %s", (text, expected) => {
    expect(reason(XOAuth2.parse(text))).toBe(expected)
  })

  it("never throws, and reads nothing that it would write otherwise", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string().map(strange)), (text) => {
        const read = XOAuth2.parse(text)
        if (Result.isSuccess(read)) expect(reread(XOAuth2, read.success)).toEqual(read)
      })
    )
  })

  it("does not write a name that would bring parts of its own", () => {
    expect(reason(XOAuth2.encode({ user: "u\u0001auth=Bearer other", token: "T" }))).toBe("User")
  })

  it("shows no token in its error", () => {
    const failed = XOAuth2.encode({ user: "u", token: "secret token" })
    expect(Result.isFailure(failed) && `${failed.failure.message} ${JSON.stringify(failed.failure)}`).not.toContain(
      "secret"
    )
  })
})
