import { Result, Schema } from "effect"
import { expect, it } from "vitest"
import { readAnswer, Zones } from "#protocols/powerdns/Answer.ts"
import { PowerDnsError, type PowerDnsReason } from "#protocols/powerdns/PowerDnsError.ts"

const answer = (status: number, body: string, headers: Record<string, string> = {}, truncated = false) => ({
  status,
  headers,
  body: Buffer.from(body),
  truncated
})

it.each([
  [401, "Unauthorized", {}, { _tag: "Unauthorized", status: 401 }],
  [403, "", {}, { _tag: "Unauthorized", status: 403 }],
  [404, "Not Found", {}, { _tag: "NotFound" }],
  [422, '{"error":"Record of k3y is wrong"}', {}, { _tag: "Refused", status: 422, message: "Record of … is wrong" }],
  [422, "<html>", {}, { _tag: "NotItsAnswer", status: 422, why: "no answer of PowerDNS" }],
  [429, "", { "retry-after": "3" }, { _tag: "RateLimited", retryAfter: 3_000 }],
  [500, '{"error":"database"}', {}, { _tag: "Failed", status: 500 }],
  [302, "", {}, { _tag: "NotItsAnswer", status: 302, why: "a redirect, which is not followed" }],
  [200, "<html>", {}, { _tag: "NotItsAnswer", status: 200, why: "no answer of PowerDNS" }],
  [200, "{}", {}, { _tag: "NotItsAnswer", status: 200, why: "no answer of PowerDNS" }]
])("reads %i %s", (status, body, headers, expected) => {
  const result = readAnswer(Zones, answer(status, body, headers as Record<string, string>), 0, ["k3y"])
  expect(Result.isFailure(result) && result.failure).toEqual(expected)
})

it("takes an empty answer for a change that was made, and nothing else", () => {
  expect(Result.isSuccess(readAnswer(Schema.Undefined, answer(204, ""), 0, []))).toBe(true)
  expect(Result.isFailure(readAnswer(Schema.Undefined, answer(200, "<html>"), 0, []))).toBe(true)
  expect(Result.isFailure(readAnswer(Zones, answer(200, "[]", {}, true), 0, []))).toBe(true)
})

it.each<readonly [boolean, PowerDnsReason]>([
  [true, { _tag: "NotReached", detail: "refused", retryable: true }],
  [false, { _tag: "NotReached", detail: "no such host", retryable: false }],
  [true, { _tag: "NoAnswer", detail: "timed out" }],
  [true, { _tag: "RateLimited" }],
  [true, { _tag: "Failed", status: 500 }],
  [false, { _tag: "Unauthorized", status: 401 }],
  [false, { _tag: "NotFound" }],
  [false, { _tag: "Refused", status: 422, message: "wrong" }],
  [false, { _tag: "NotItsAnswer", status: 302, why: "a redirect" }]
])("says %s to a second try after %j", (expected, reason) => {
  expect(new PowerDnsError({ operation: "zones", reason }).repeatable).toBe(expected)
})
