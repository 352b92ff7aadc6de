import { maxBodySize } from "#core/http/BodyBounds.ts"
import { until } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"
import { probeDaemon, secretOfTheInside } from "#support/ProbeDaemon.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Answer } from "#support/TestSuite.ts"
import { oncePerFile } from "#support/OncePerFile.ts"

const running = oncePerFile(startSuite({ daemons: [probeDaemon("probe")] }))

const assertProblem = (answer: Answer, status: number, code: string) => {
  assert.strictEqual(answer.status, status, answer.text)
  assert.strictEqual(answer.headers.get("content-type"), "application/problem+json", answer.text)
  assert.strictEqual(answer.json.code, code)
  assert.strictEqual(answer.json.status, status)
  assert.strictEqual(answer.json.type, `urn:signalbox:problem:${code}`)
  assert.isString(answer.json.title)
  assert.notInclude(answer.text, "at ")
}

describe("App", () => {
  it.live("turns invalid requests and defects into problems without internal details", () =>
    Effect.gen(function* () {
      const suite = yield* running
      const token = yield* suite.token
      const items = "/api/v1/probe/items"
      const post = (body: unknown, headers: Record<string, string> = {}) =>
        suite.call("POST", items, { token, body, headers })

      assert.strictEqual((yield* post({ name: "a", count: 1 })).status, 200)
      assertProblem(yield* post("{not json"), 400, "bad_request")
      assertProblem(yield* post(""), 422, "invalid_request")

      const wrong = yield* post({ name: 1, count: "many" })
      assertProblem(wrong, 422, "invalid_request")
      assert.deepStrictEqual(wrong.json.errors.map((error: { field: string }) => error.field).sort(), [
        "payload.count",
        "payload.name"
      ])
      const missing = yield* post({ name: "a" })
      assertProblem(missing, 422, "invalid_request")
      assert.deepStrictEqual(
        missing.json.errors.map((error: { field: string }) => error.field),
        ["payload.count"]
      )
      for (const body of [[], null, 3, '"text"']) assertProblem(yield* post(body), 422, "invalid_request")

      assertProblem(
        yield* post("name=a&count=1", { "content-type": "application/x-www-form-urlencoded" }),
        415,
        "unsupported_media_type"
      )
      assertProblem(yield* suite.call("GET", "/no/such/path"), 404, "not_found")
      assertProblem(yield* suite.call("DELETE", items, { token }), 405, "method_not_allowed")
      assertProblem(yield* suite.call("POST", items, { body: { name: "a", count: 1 } }), 401, "unauthenticated")
      assertProblem(
        yield* suite.call("POST", items, { token: "sbx_wrong", body: { name: "a", count: 1 } }),
        401,
        "unauthenticated"
      )
      assertProblem(
        yield* suite.call("POST", items, { body: { name: "a", count: 1 }, headers: { authorization: "Bearer x.y.z" } }),
        401,
        "unauthenticated"
      )

      const broken = yield* suite.call("GET", "/api/v1/probe/open/breaks")
      assertProblem(broken, 500, "internal_error")
      assert.notInclude(broken.text, secretOfTheInside)
    }).pipe(Effect.scoped)
  )

  it.live("refuses a body without Content-Length once it is too long", () =>
    Effect.gen(function* () {
      const suite = yield* running
      const token = yield* suite.token
      const chunked = (size: number) =>
        Effect.promise(async () => {
          const piece = new TextEncoder().encode("x".repeat(65_536))
          let sent = 0
          const body = new ReadableStream({
            pull: (controller) => {
              if (sent >= size) return controller.close()
              controller.enqueue(piece)
              sent += piece.length
            }
          })
          const response = await fetch(`${suite.base()}/api/v1/probe/items`, {
            method: "POST",
            body,
            duplex: "half",
            headers: { "content-type": "application/json", "x-service-token": token }
          } as RequestInit)
          return { status: response.status, code: ((await response.json()) as { code: string }).code }
        })
      assert.deepStrictEqual(yield* chunked(maxBodySize + 1), { status: 413, code: "payload_too_large" })
      // Long but allowed: the body is read to its end and is not JSON.
      assert.deepStrictEqual(yield* chunked(maxBodySize - 65_536), { status: 400, code: "bad_request" })
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["alone", false],
    ["behind the gateway", true]
  ] as const)("limits a body without Content-Length on upload routes, %s", ([, gateway]) =>
    Effect.gen(function* () {
      const bound = 2 * maxBodySize
      const routes = [
        { prefix: "/api/v1/probe" },
        { prefix: "/api/v1/probe/items", maxBody: bound },
        { prefix: "/probe" }
      ]
      const whole = (size: number) => JSON.stringify({ name: "x".repeat(size - 21), count: 1 })
      const suite = yield* startSuite({ daemons: [probeDaemon("probe", { routes })], gateway })
      const token = yield* suite.token
      const post = (body: string | ReadableStream, path = "/api/v1/probe/items") =>
        Effect.promise(async () => {
          const init = {
            method: "POST",
            body,
            duplex: "half",
            headers: { "content-type": "application/json", "x-service-token": token }
          } as RequestInit
          return (await fetch(suite.base() + path, init)).status
        })
      assert.strictEqual(yield* post(new Blob([whole(bound)]).stream()), 200)
      assert.strictEqual(yield* post(new Blob([whole(bound + 1)]).stream()), 413)
      assert.strictEqual(yield* post(whole(bound)), 200)
      assert.strictEqual(yield* post(whole(bound + 1)), 413)
      assert.strictEqual(yield* post(whole(bound), "/api/v1/probe/other"), 413)
    }).pipe(Effect.scoped)
  )

  it.live("answers the system endpoints", () =>
    Effect.gen(function* () {
      const suite = yield* running
      // On a busy machine the event loop is late at first, and health says `degraded` as long as it is.
      yield* until(
        "health is ok",
        Effect.map(suite.call("GET", "/health"), ({ json }) => json.status === "ok")
      )
      const health = yield* suite.call("GET", "/health")
      assert.strictEqual(health.status, 200, health.text)
      assert.strictEqual(health.json.daemon, "probe")
      assert.deepStrictEqual((yield* suite.call("GET", "/ready")).json, { ready: true })
      assert.include(Object.keys((yield* suite.call("GET", "/openapi.json")).json.paths), "/api/v1/probe/items")
      assert.include((yield* suite.call("GET", "/docs")).text, "/api/v1/probe/items")
      yield* suite.call("GET", "/nowhere")
      const metrics = yield* suite.call("GET", "/metrics")
      assert.match(metrics.text, /signalbox_http_requests_total\{[^}]*status="404"[^}]*\} [1-9]/)
    }).pipe(Effect.scoped)
  )
})
