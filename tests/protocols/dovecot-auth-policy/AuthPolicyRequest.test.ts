import { describe, expect, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import fc from "fast-check"
import { decode, maxBodyBytes, maxTextLength } from "#protocols/dovecot-auth-policy/AuthPolicyRequest.ts"

const bytes = (value: string) => Buffer.from(value)
const reason = (command: string | null, body: Uint8Array) => {
  const read = decode(command, body)
  return Result.isFailure(read) ? read.failure.reason : "read"
}

/** A request of Dovecot 2.3.19, with the hash and session of a test. */
const captured =
  '{"device_id":"","login":"a@example.test","protocol":"imap","pwhash":"021d","remote":"127.0.0.1","session_id":"sK1979FgtJB/AAAB","tls":"","success":false,"policy_reject":false,"tls":false}'

describe("a request of Dovecot's", () => {
  it("is read as it was sent", () => {
    const read = Result.getOrThrow(decode("report", bytes(captured)))
    expect(read).toMatchObject({
      command: "report",
      login: "a@example.test",
      remote: "127.0.0.1",
      protocol: "imap",
      sessionId: "sK1979FgtJB/AAAB",
      deviceId: undefined,
      tls: false,
      success: false,
      policyReject: false,
      failType: undefined
    })
    expect(read.passwordHash === undefined ? "" : Redacted.value(read.passwordHash)).toBe("021d")
    expect(JSON.stringify(read)).not.toContain("021d")
  })

  it("reads back whatever texts stand in it", () => {
    const text = fc.option(fc.string({ unit: "grapheme", minLength: 1, maxLength: 50 }), { nil: undefined })
    fc.assert(
      fc.property(text, text, text, fc.boolean(), fc.boolean(), (login, remote, failType, success, reject) => {
        const json = {
          login: login ?? "",
          remote: remote ?? "",
          fail_type: failType ?? "",
          success,
          policy_reject: reject,
          tls: success,
          attrs: { cos: [1] }
        }
        expect(Result.getOrThrow(decode("report", bytes(JSON.stringify(json))))).toMatchObject({
          login,
          remote,
          failType,
          success,
          policyReject: reject,
          tls: success
        })
      })
    )
  })

  it("asks with no outcome, and with no member at all", () => {
    expect(Result.getOrThrow(decode("allow", bytes("{}")))).toMatchObject({
      command: "allow",
      login: undefined,
      remote: undefined,
      tls: undefined
    })
  })

  it.each([
    [null, "{}", "Command"],
    ["delete", "{}", "Command"],
    ["allow", "", "NotJson"],
    ["allow", "{", "NotJson"],
    ["allow", "[".repeat(maxBodyBytes), "NotJson"],
    ["allow", "[]", "Malformed"],
    ["allow", "null", "Malformed"],
    ["allow", '{"login":1}', "Malformed"],
    ["allow", '{"remote":{"a":1}}', "Malformed"],
    ["report", "{}", "Malformed"],
    ["report", '{"success":"false"}', "Malformed"],
    ["report", '{"success":false,"policy_reject":1}', "Malformed"],
    ["allow", JSON.stringify({ login: "a".repeat(maxTextLength + 1) }), "Malformed"],
    ["allow", '{"login":"a\\u0000b"}', "Malformed"],
    ["allow", '{"remote":"\\ud800"}', "Malformed"],
    ["allow", JSON.stringify({ login: "a".repeat(maxBodyBytes) }), "TooLarge"]
  ])("is none: %s %# %s", (command, body, expected) => {
    expect(reason(command, bytes(body))).toBe(expected)
  })

  it("is none in another encoding", () => {
    expect(reason("allow", Buffer.from('{"login":"é"}', "latin1"))).toBe("NotJson")
  })

  it("gets the longest name", () => {
    const login = "a".repeat(maxTextLength)
    expect(Result.getOrThrow(decode("allow", bytes(JSON.stringify({ login })))).login).toBe(login)
  })

  it("never throws, whatever comes", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array(), fc.json().map(bytes)),
        fc.constantFrom("allow", "report"),
        (body, command) => {
          expect(Result.isResult(decode(command, body))).toBe(true)
        }
      )
    )
  })
})
