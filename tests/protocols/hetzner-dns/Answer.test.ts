import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { Acted, longestPause, readAnswer, ZonePage } from "#protocols/hetzner-dns/Answer.ts"
import { HetznerDnsError } from "#protocols/hetzner-dns/HetznerDnsError.ts"

const now = 1_800_000_000_000
const read = (status: number, body: unknown, headers: Record<string, string> = {}, truncated = false) =>
  readAnswer(
    ZonePage,
    { status, headers, body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)), truncated },
    now,
    ["t0p-secret"]
  )
const reason = (...answer: Parameters<typeof read>) => {
  const result = read(...answer)
  return Result.isFailure(result) ? result.failure : undefined
}
const failure = (code: string, message = "no") => ({ error: { code, message } })

describe("answers of the Cloud API", () => {
  it("reads values, whatever else is said", () =>
    expect(
      Result.getOrUndefined(
        read(200, {
          zones: [{ id: 1, name: "a.test", mode: "primary", ttl: 3600 }],
          meta: { pagination: { next_page: 2, page: 1 } }
        })
      )
    ).toEqual({ zones: [{ id: 1, name: "a.test", mode: "primary" }], meta: { pagination: { next_page: 2 } } }))

  it.each([
    [
      429,
      failure("rate_limit_exceeded"),
      { "ratelimit-reset": String(now / 1_000 + 3) },
      { _tag: "RateLimited", retryAfter: 3_000 }
    ],
    // The header gives the time when the whole quota is available again. Some of it is available much sooner.
    [
      429,
      failure("rate_limit_exceeded"),
      { "ratelimit-reset": String(now / 1_000 + 3_600) },
      { _tag: "RateLimited", retryAfter: longestPause }
    ],
    [
      429,
      failure("rate_limit_exceeded"),
      { "ratelimit-reset": String(now / 1_000 - 5) },
      { _tag: "RateLimited", retryAfter: 0 }
    ],
    [429, "<html>", { "retry-after": "7" }, { _tag: "RateLimited", retryAfter: 7_000 }],
    [429, "", {}, { _tag: "RateLimited", retryAfter: 2_000 }],
    [429, "", { "retry-after": "soon" }, { _tag: "RateLimited", retryAfter: 2_000 }],
    [502, "<html>", {}, { _tag: "Failed", status: 502 }],
    [503, failure("maintenance"), { "retry-after": "1" }, { _tag: "Failed", status: 503, retryAfter: 1_000 }],
    [
      301,
      "",
      { location: "https://elsewhere.test" },
      { _tag: "NotItsAnswer", status: 301, why: "a redirect, which is not followed" }
    ],
    [200, "<html>", {}, { _tag: "NotItsAnswer", status: 200, why: "no answer of the Cloud API" }],
    [200, { zones: "none" }, {}, { _tag: "NotItsAnswer", status: 200, why: "no answer of the Cloud API" }],
    [404, "<html>", {}, { _tag: "NotItsAnswer", status: 404, why: "no answer of the Cloud API" }],
    [401, failure("unauthorized"), {}, { _tag: "Refused", status: 401, code: "unauthorized", message: "no" }]
  ])("reads %i %j with %j", (status, body, headers, expected) =>
    expect(reason(status, body, headers as Record<string, string>)).toEqual(expected)
  )

  it("takes nothing from an answer that is too long", () =>
    expect(reason(200, { zones: [] }, {}, true)).toMatchObject({ _tag: "NotItsAnswer", why: "too long" }))

  it("names the fields that are wrong, and shows no secret, nothing invisible, and not too much", () => {
    const details = { fields: [{ name: "records", messages: ["t0p-secret\n\u202e is odd"] }] }
    const found = reason(422, { error: { code: "invalid_input", message: "invalid input", details } })
    expect(found).toEqual({
      _tag: "Refused",
      status: 422,
      code: "invalid_input",
      message: "invalid input; records: …   is odd"
    })
    expect(JSON.stringify(reason(422, failure("invalid_input", "x".repeat(10_000)))).length).toBeLessThan(400)
  })

  it("reads actions", () => {
    const body = Buffer.from(
      JSON.stringify({ action: { id: 7, command: "set", status: "error", error: { code: "c", message: "m" } } })
    )
    expect(
      Result.getOrUndefined(readAnswer(Acted, { status: 201, headers: {}, body, truncated: false }, now, []))?.action
    ).toEqual({ id: 7, status: "error", error: { code: "c", message: "m" } })
  })

  it("repeats after a failure only what does no harm", () => {
    const error = (reason: HetznerDnsError["reason"], idempotent: boolean) =>
      new HetznerDnsError({ operation: "o", idempotent, reason }).repeatable
    for (const reason of [
      { _tag: "NoAnswer", detail: "" },
      { _tag: "Failed", status: 500 }
    ] as const) {
      expect([error(reason, true), error(reason, false)]).toEqual([true, false])
    }
    for (const idempotent of [true, false]) {
      expect(error({ _tag: "RateLimited", retryAfter: 1 }, idempotent)).toBe(true)
      expect(error({ _tag: "NotReached", detail: "", retryable: true }, idempotent)).toBe(true)
      expect(error({ _tag: "NotReached", detail: "", retryable: false }, idempotent)).toBe(false)
      expect(error({ _tag: "Refused", status: 422, code: "", message: "" }, idempotent)).toBe(false)
      expect(error({ _tag: "NotItsAnswer", status: 200, why: "" }, idempotent)).toBe(false)
    }
  })
})
