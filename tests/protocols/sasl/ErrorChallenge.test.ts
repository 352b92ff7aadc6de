import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as ErrorChallenge from "#protocols/sasl/ErrorChallenge.ts"
import { reason, strange } from "./samples.ts"

describe("the challenge that refuses a token", () => {
  it("is read as RFC 7628 §4.3 shows it", () => {
    const published =
      "eyJzdGF0dXMiOiJpbnZhbGlkX3Rva2VuIiwic2NvcGUiOiJleGFtcGxlX3Njb3BlIiwib3BlbmlkLWNvbmZpZ3VyYXRpb24iOiJodHRwczovL2V4YW1wbGUuY29tLy53ZWxsLWtub3duL29wZW5pZC1jb25maWd1cmF0aW9uIn0="
    expect(ErrorChallenge.parse(published)).toEqual(
      Result.succeed({
        status: "invalid_token",
        scope: "example_scope",
        "openid-configuration": "https://example.com/.well-known/openid-configuration"
      })
    )
  })

  it("is read as XOAUTH2 has it, without what nobody knows", () => {
    expect(ErrorChallenge.parse(strange(`{"status":"401","schemes":"bearer","scope":"mail","x":1}`))).toEqual(
      Result.succeed({ status: "401", schemes: "bearer", scope: "mail" })
    )
  })

  it.each([
    ["{", "Malformed"],
    ["{}", "Malformed"],
    [`{"status":401}`, "Malformed"],
    ["[]", "Malformed"]
  ])("is not %j", (text, expected) => {
    expect(reason(ErrorChallenge.parse(strange(text)))).toBe(expected)
  })
})
