import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import {
  type AuthPolicyAnswer,
  encode,
  maxDelay,
  maxMessageLength
} from "#protocols/dovecot-auth-policy/AuthPolicyAnswer.ts"

const said = (answer: AuthPolicyAnswer) =>
  Result.match(encode(answer), { onFailure: ({ reason }): string => reason, onSuccess: (text) => text })

describe("an answer to Dovecot", () => {
  it.each<[AuthPolicyAnswer, string]>([
    [{ _tag: "Allow" }, '{"status":0,"msg":""}'],
    [{ _tag: "Delay", seconds: 0 }, '{"status":0,"msg":""}'],
    [{ _tag: "Delay", seconds: maxDelay }, '{"status":300,"msg":""}'],
    [{ _tag: "Refuse", message: "" }, '{"status":-1,"msg":""}'],
    [{ _tag: "Refuse", message: 'say "no"' }, '{"status":-1,"msg":"say \\"no\\""}'],
    [{ _tag: "Delay", seconds: maxDelay + 1 }, "Delay"],
    [{ _tag: "Delay", seconds: -1 }, "Delay"],
    [{ _tag: "Delay", seconds: 1.5 }, "Delay"],
    [{ _tag: "Refuse", message: "no\r\n* BYE" }, "Message"],
    [{ _tag: "Refuse", message: "a".repeat(maxMessageLength + 1) }, "Message"]
  ])("%j is %s", (answer, expected) => {
    expect(said(answer)).toBe(expected)
  })
})
