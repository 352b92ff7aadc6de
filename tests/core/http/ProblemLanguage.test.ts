import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Forbidden } from "#core/http/Problem.ts"
import { problemIn, responseIn, sentenceIn } from "#core/http/ProblemLanguage.ts"
import { forgetAll, putTexts } from "#core/words/TextMemory.ts"
import { probeDaemon } from "#support/ProbeDaemon.ts"
import { startSuite } from "#support/TestSuite.ts"

describe("a sentence", () => {
  it("is written in German with its values, whatever they are", () => {
    assert.strictEqual(sentenceIn("de", "Not permitted"), "Nicht erlaubt")
    assert.strictEqual(
      sentenceIn("de", "The request requires the permission sip.read."),
      "Die Anfrage braucht das Recht sip.read."
    )
    for (const value of ["{name}", "'{", "permission .", "<b>"])
      assert.strictEqual(
        sentenceIn("de", `The request requires the permission ${value}.`),
        `Die Anfrage braucht das Recht ${value}.`
      )
  })

  it("that nobody declared, is too long or lacks its value stays as it is", () => {
    assert.isUndefined(sentenceIn("de", "Nobody wrote this."))
    assert.isUndefined(sentenceIn("de", "The request requires the permission ."))
    assert.isUndefined(sentenceIn("de", `The request requires the permission ${"x".repeat(2_000)}.`))
    assert.deepStrictEqual(
      problemIn("de", { title: "Not permitted", detail: "Nobody wrote this.", code: "forbidden" }),
      { title: "Nicht erlaubt", detail: "Nobody wrote this.", code: "forbidden" }
    )
  })

  it("can be written otherwise by an operator", () => {
    putTexts([{ locale: "de", key: "server.core.problems.forbidden", value: "Das geht hier nicht" }])
    assert.strictEqual(sentenceIn("de", "Not permitted"), "Das geht hier nicht")
    forgetAll()
    assert.strictEqual(sentenceIn("de", "Not permitted"), "Nicht erlaubt")
  })
})

it("answers that are no problems are not touched", () => {
  for (const response of [
    HttpServerResponse.jsonUnsafe({ title: "Not permitted" }),
    HttpServerResponse.jsonUnsafe({ title: "Not permitted" }, { status: 403 })
  ])
    assert.strictEqual(responseIn("de", response), response)
})

it("keeps cookies, headers and what varies", () => {
  const { headers, status } = responseIn(
    "de",
    HttpServerResponse.jsonUnsafe(new Forbidden(), {
      status: 403,
      contentType: "application/problem+json",
      headers: { "retry-after": "5", vary: "origin" }
    })
  )
  assert.strictEqual(status, 403)
  assert.strictEqual(headers["retry-after"], "5")
  assert.strictEqual(headers["vary"], "origin, accept-language")
  assert.strictEqual(headers["content-language"], "de")
})

it.live("a daemon answers problems in the language of the request", () =>
  Effect.gen(function* () {
    const suite = yield* startSuite({ daemons: [probeDaemon("probe")] })
    const ask = (path: string, language: string) =>
      suite.call("GET", path, { headers: { "accept-language": language } })
    const german = yield* ask("/no/such/path", "de-AT, en;q=0.5")
    assert.strictEqual(german.json.title, "Das gibt es nicht")
    assert.strictEqual(german.json.code, "not_found")
    assert.strictEqual(german.headers.get("content-language"), "de")
    assert.include(german.headers.get("vary"), "accept-language")
    const english = yield* ask("/no/such/path", "fr, en")
    assert.strictEqual(english.json.title, "The resource does not exist")
    // Otherwise a cache would answer it to German readers.
    assert.include(english.headers.get("vary"), "accept-language")
    const items = yield* suite.call("POST", "/api/v1/probe/items", {
      body: { name: "a", count: 1 },
      headers: { "accept-language": "de" }
    })
    assert.strictEqual(items.json.title, "Melden Sie sich an, oder senden Sie ein gültiges Token")
  }).pipe(Effect.scoped)
)
