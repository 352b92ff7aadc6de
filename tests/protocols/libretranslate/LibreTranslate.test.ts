/** The client before a double, and what it makes of answers. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted, Result } from "effect"
import fc from "fast-check"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import { parseCidr } from "#core/http/AddressGuard.ts"
import { readAnswer, readLanguages, readTranslated } from "#protocols/libretranslate/Answer.ts"
import { engineCode } from "#protocols/libretranslate/EngineCode.ts"
import * as LibreTranslate from "#protocols/libretranslate/LibreTranslate.ts"
import { LibreTranslateDouble, type LibreTranslateOptions } from "#support/LibreTranslateDouble.ts"

const client = (options: LibreTranslateOptions = {}, key?: string) =>
  Effect.gen(function* () {
    const engine = new LibreTranslateDouble(options)
    const url = yield* Effect.acquireRelease(
      Effect.promise(() => engine.start()),
      () => Effect.promise(() => engine.stop())
    )
    const http = yield* OutboundHttp
    const api = LibreTranslate.make({
      url: `${url}/`,
      apiKey: key === undefined ? undefined : Redacted.make(key),
      timeout: Duration.seconds(5),
      exchange: ({ body, headers, maxAnswer, method, timeout, url }) =>
        Effect.mapError(
          http.request({
            method,
            url,
            headers,
            ...(body === undefined ? {} : { body }),
            timeout,
            maxResponseBytes: maxAnswer,
            maxRedirects: 0,
            allowCidrs: [parseCidr("127.0.0.0/8")!]
          }),
          (error) => ({ sent: error.requestSent, retryable: error.retryable, detail: error.message })
        )
    })
    return {
      api,
      engine,
      reason: (texts: ReadonlyArray<string>, target = "de") =>
        Effect.map(Effect.flip(api.translate(texts, "en", target)), ({ reason }) => reason)
    }
  }).pipe(Effect.provide(OutboundHttp.layer))

describe("the client", () => {
  it.live("translates arrays in order, with the key", () =>
    Effect.gen(function* () {
      const { api, engine } = yield* client({ apiKey: "k" }, "k")
      assert.deepStrictEqual(yield* api.translate(["One", "Two"], "en", "de"), ["de:One", "de:Two"])
      assert.deepStrictEqual(yield* api.translate(["One"], "en", "fr"), ["fr:One"])
      const known = yield* api.languages
      assert.strictEqual(engineCode(known, "en", "pt-BR"), "pb")
      assert.isEmpty(engine.refusals)
    }).pipe(Effect.scoped)
  )

  it.live("tells what the server refuses", () =>
    Effect.gen(function* () {
      const { reason } = yield* client({ batchLimit: 2, charLimit: 10 })
      assert.strictEqual((yield* reason(["a", "b", "c"]))._tag, "Refused")
      assert.strictEqual((yield* reason(["x".repeat(11)]))._tag, "Refused")
      assert.strictEqual((yield* reason(["a"], "tlh"))._tag, "Refused")
      const other = yield* client({ apiKey: "k" }, "wrong")
      assert.deepStrictEqual(yield* other.reason(["a"]), { _tag: "Forbidden", message: "Invalid API key" })
    }).pipe(Effect.scoped)
  )

  it.live("tells failures apart", () =>
    Effect.gen(function* () {
      for (const [failure, tag] of [
        ["429", "SlowDown"],
        ["500", "Failed"],
        ["html", "NotItsAnswer"],
        ["short", "NotItsAnswer"],
        ["cut", "NoAnswer"],
        ["hang", "NoAnswer"]
      ] as const) {
        const { reason } = yield* client({ failing: () => failure })
        assert.strictEqual((yield* reason(["a", "b"]))._tag, tag, failure)
      }
      const { engine, reason } = yield* client()
      yield* Effect.promise(() => engine.stop())
      assert.strictEqual((yield* reason(["a"]))._tag, "NotReached")
    }).pipe(Effect.scoped)
  )
})

describe("readAnswer", () => {
  const answer = (status: number, body: string, headers: Record<string, string> = {}, truncated = false) =>
    readAnswer({ status, headers, body: Buffer.from(body), truncated }, readTranslated(1), "secret")

  it("reads the pause of a 429, and removes the key from messages", () => {
    assert.deepStrictEqual(Result.getOrThrow(Result.flip(answer(429, "", { "retry-after": "7" }))), {
      _tag: "SlowDown",
      retryAfter: 7_000
    })
    assert.deepStrictEqual(Result.getOrThrow(Result.flip(answer(429, "", { "retry-after": "Sun" }))), {
      _tag: "SlowDown",
      retryAfter: null
    })
    assert.deepStrictEqual(Result.getOrThrow(Result.flip(answer(403, `{"error":"bad secret\\n"}`))), {
      _tag: "Forbidden",
      message: "bad … "
    })
    assert.strictEqual(Result.getOrThrow(Result.flip(answer(302, "")))._tag, "NotItsAnswer")
    assert.strictEqual(Result.getOrThrow(Result.flip(answer(200, "", {}, true)))._tag, "NotItsAnswer")
  })

  it("never throws, whatever the body is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.integer({ min: 200, max: 599 }), (body, status) => {
        answer(status, body)
        readLanguages(JSON.parse(JSON.stringify(body)))
      })
    )
  })
})

describe("engineCode", () => {
  const known = (...targets: ReadonlyArray<string>) => [{ code: "en", targets }]

  it.each([
    ["de", ["de", "fr"], "de"],
    ["de-AT", ["de"], "de"],
    ["pt-BR", ["pt", "pb"], "pb"],
    ["pt-BR", ["pt-BR"], "pt-BR"],
    ["pt-BR", ["pt"], "pt"],
    ["zh-Hant", ["zh", "zt"], "zt"],
    ["zh-Hant", ["zh"], undefined],
    ["zh-Hans", ["zh"], "zh"],
    ["nb", ["no"], "no"],
    ["tlh", ["de"], undefined],
    ["en-GB", ["en"], undefined]
  ] as const)("%s at a server with %j is %s", (tag, targets, code) => {
    assert.strictEqual(engineCode(known(...targets), "en", tag), code)
  })

  it("is undefined without the source language", () => {
    assert.isUndefined(engineCode([{ code: "fr", targets: ["de"] }], "en", "de"))
  })
})
