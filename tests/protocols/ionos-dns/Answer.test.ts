import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { readAnswer, Zones } from "#protocols/ionos-dns/Answer.ts"
import { IonosDnsError } from "#protocols/ionos-dns/IonosDnsError.ts"

const now = Date.UTC(2026, 0, 1)
const answer = (status: number, body: unknown, headers: Record<string, string> = {}, truncated = false) => ({
  status,
  headers,
  body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
  truncated
})
const reason = (...given: Parameters<typeof answer>) => {
  const result = readAnswer(Zones, answer(...given), now, ["pre.s3cret", "s3cret"])
  return Result.isFailure(result) ? result.failure : undefined
}

describe("answers of the DNS API", () => {
  it("reads a bare list", () =>
    expect(
      Result.getOrUndefined(readAnswer(Zones, answer(200, [{ id: "1", name: "a.test", type: "NATIVE" }]), now, []))
    ).toEqual([{ id: "1", name: "a.test", type: "NATIVE" }]))

  it.each([
    [
      401,
      [{ code: "UNAUTHORIZED", message: "no" }],
      {},
      { _tag: "Refused", status: 401, code: "UNAUTHORIZED", message: "no" }
    ],
    // An answer of a gateway instead of the API.
    [
      401,
      { code: "UNAUTHORIZED", message: "no" },
      {},
      { _tag: "Refused", status: 401, code: "UNAUTHORIZED", message: "no" }
    ],
    [404, {}, {}, { _tag: "Refused", status: 404, code: "no code", message: "no message" }],
    [
      400,
      [{ code: "INVALID_RECORD", message: "bad", parameters: { invalidFields: ["ttl", "name"] } }],
      {},
      { _tag: "Refused", status: 400, code: "INVALID_RECORD", message: "bad: ttl, name" }
    ],
    [
      400,
      [{ code: "X", message: "key pre.s3cret of s3cret" }],
      {},
      { _tag: "Refused", status: 400, code: "X", message: "key … of …" }
    ],
    [400, [], {}, { _tag: "NotItsAnswer", status: 400, why: "no answer of the DNS API" }],
    [403, "<html>", {}, { _tag: "NotItsAnswer", status: 403, why: "no JSON" }],
    [200, "<html>", {}, { _tag: "NotItsAnswer", status: 200, why: "no JSON" }],
    [200, "", {}, { _tag: "NotItsAnswer", status: 200, why: "no answer of the DNS API" }],
    [302, "", { location: "/" }, { _tag: "NotItsAnswer", status: 302, why: "a redirect, which is not followed" }],
    [500, [{ code: "INTERNAL_SERVER_ERROR" }], {}, { _tag: "Failed", status: 500 }],
    [503, "<html>", { "retry-after": "2" }, { _tag: "Failed", status: 503, retryAfter: 2_000 }],
    [429, "<html>", { "retry-after": new Date(now + 3_000).toUTCString() }, { _tag: "RateLimited", retryAfter: 3_000 }],
    [429, "", { "retry-after": new Date(now - 3_000).toUTCString() }, { _tag: "RateLimited", retryAfter: 0 }],
    [429, "", {}, { _tag: "RateLimited" }]
  ])("reads %i %j with %j", (status, body, headers, expected) =>
    expect(reason(status, body, headers as Record<string, string>)).toEqual(expected)
  )

  it("takes a change without a body, and no page for one", () => {
    expect(Result.isSuccess(readAnswer(Schema.Unknown, answer(200, ""), now, []))).toBe(true)
    expect(Result.isSuccess(readAnswer(Schema.Unknown, answer(201, [{}]), now, []))).toBe(true)
    expect(Result.isFailure(readAnswer(Schema.Unknown, answer(200, "<html>"), now, []))).toBe(true)
    expect(reason(200, [], {}, true)).toMatchObject({ why: "too long" })
  })

  it("repeats after a failure only what does no harm", () => {
    const repeatable = (reason: IonosDnsError["reason"], idempotent: boolean) =>
      new IonosDnsError({ operation: "o", idempotent, reason }).repeatable
    expect([true, false].map((idempotent) => repeatable({ _tag: "Failed", status: 500 }, idempotent))).toEqual([
      true,
      false
    ])
    expect([true, false].map((idempotent) => repeatable({ _tag: "NoAnswer", detail: "" }, idempotent))).toEqual([
      true,
      false
    ])
    expect([true, false].map((idempotent) => repeatable({ _tag: "RateLimited" }, idempotent))).toEqual([true, true])
  })
})
