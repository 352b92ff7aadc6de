import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Forbidden } from "#core/http/Problem.ts"
import { problemIn, responseIn } from "#core/http/ProblemLanguage.ts"
import { languageOfRequest } from "#core/words/RequestLanguage.ts"
import { sentenceIn } from "#core/words/Sentences.ts"
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

  it("of a field is German too, whatever check states it, and its path and code stay", () => {
    const problem = {
      title: "The request is invalid",
      errors: [
        { field: "payload.name", message: "Expected a value with a length of at most 40" },
        { field: "payload.count", message: "Expected an integer" },
        { field: "payload.kind", message: 'Expected "a" | "b"' },
        { field: "payload.at", message: "must be a time such as 2030-01-31T12:00:00Z" },
        {
          field: "payload.password",
          message: "Use at least 10 characters; a few words in a row are easy to remember.",
          code: "password_too_short"
        },
        { field: "payload.other", message: "nobody wrote this" }
      ]
    }
    assert.deepStrictEqual(problemIn("de", problem), {
      title: "Die Anfrage ist ungültig",
      errors: [
        { field: "payload.name", message: "darf höchstens die Länge 40 haben" },
        { field: "payload.count", message: "muss eine ganze Zahl sein" },
        { field: "payload.kind", message: 'muss einer dieser Werte sein: "a" | "b"' },
        { field: "payload.at", message: "muss ein Zeitpunkt sein, etwa 2030-01-31T12:00:00Z" },
        {
          field: "payload.password",
          message: "Verwenden Sie mindestens 10 Zeichen; einige Wörter hintereinander sind leicht zu merken.",
          code: "password_too_short"
        },
        { field: "payload.other", message: "nobody wrote this" }
      ]
    })
  })

  it("can be written otherwise by an operator", () => {
    putTexts([{ locale: "de", key: "server.core.problems.forbidden", value: "Das geht hier nicht" }])
    assert.strictEqual(sentenceIn("de", "Not permitted"), "Das geht hier nicht")
    forgetAll()
    assert.strictEqual(sentenceIn("de", "Not permitted"), "Nicht erlaubt")
  })
})

it("the language of the signed-in account comes before Accept-Language", () => {
  const bearer = (payload: unknown) => `Bearer a.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.b`
  const asked = (authorization: string) => languageOfRequest({ authorization, "accept-language": "en" })
  assert.strictEqual(asked(bearer({ locale: "de-AT" })), "de")
  for (const other of [bearer({ locale: "xx" }), bearer({ locale: 7 }), bearer(null), "Bearer a.%%.b", "Basic de"])
    assert.strictEqual(asked(other), "en", other)
  assert.strictEqual(languageOfRequest({ "accept-language": "de" }), "de")
})

it("answers that are no problems are not touched", () => {
  for (const response of [
    HttpServerResponse.jsonUnsafe({ title: "Not permitted" }),
    HttpServerResponse.jsonUnsafe({ title: "Not permitted" }, { status: 403 })
  ])
    assert.strictEqual(responseIn({ "accept-language": "de" }, response), response)
})

it("keeps cookies, headers and what varies", () => {
  const { headers, status } = responseIn(
    { "accept-language": "de" },
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
