import { before, type FastHandler, pass } from "#core/lane/FastLane.ts"
import { probeDaemon, secretOfTheInside } from "#support/ProbeDaemon.ts"
import { startSuite } from "#support/TestSuite.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"

describe("FastLane", () => {
  it.live("answers its paths before the router, and a failing handler is a problem without details", () =>
    Effect.gen(function* () {
      const suite = yield* startSuite({ daemons: [probeDaemon("probe")] })
      const fast = yield* suite.call("GET", "/probe/fast?with=query")
      assert.strictEqual(fast.status, 200)
      assert.strictEqual(fast.json.client, "127.0.0.1")
      for (const path of ["/probe/fast-throws", "/probe/fast-rejects"]) {
        const broken = yield* suite.call("GET", path)
        assert.strictEqual(broken.status, 500)
        assert.strictEqual(broken.json.code, "internal_error")
        assert.notInclude(broken.text, secretOfTheInside)
      }
      const wrong = yield* suite.call("POST", "/probe/fast")
      assert.strictEqual(wrong.status, 405)
      assert.strictEqual(wrong.headers.get("allow"), "GET, HEAD")
      assert.strictEqual((yield* suite.call("GET", "/probe/fast/below")).status, 404)
      const metrics = yield* suite.call("GET", "/metrics")
      assert.match(metrics.text, /fast_lane_answers_total\{[^}]*path="\/probe\/fast"[^}]*\} 1\b/)
      assert.match(
        metrics.text,
        /fast_lane_answers_total\{[^}]*path="\/probe\/fast-throws"[^}]*status="500"[^}]*\} 1\b/
      )
    }).pipe(Effect.scoped)
  )

  it("matches paths below `/*`, exact paths first, and no others", () => {
    const asked: Array<string> = []
    const handler =
      (called: string): FastHandler =>
      () =>
        void asked.push(called)
    const lane = new Map([
      ["GET /files/*", handler("below")],
      ["GET /files/list", handler("exact")]
    ])
    const listener = before({ lane, daemon: "test" }, () => {}, handler("next"))
    const response = { on: () => {} } as unknown as ServerResponse
    const asks = [
      ["GET", "/files/a?b=/c"],
      ["GET", "/files/list"],
      ["GET", "/files/x/y"],
      ["GET", "/files"],
      ["GET", "/filesystem/a"],
      ["POST", "/files/a"],
      ["POST", "/files/list"],
      ["HEAD", "/files/list"],
      ["HEAD", "/files/x"]
    ]
    for (const [method, url] of asks) {
      void listener({ method, url } as IncomingMessage, response)
    }
    assert.deepStrictEqual(asked, ["below", "exact", "below", "next", "next", "next", "next", "exact", "below"])
  })

  it("matches one segment for `/:name`, and forwards requests that a handler declines", () => {
    const asked: Array<string> = []
    const handler =
      (called: string): FastHandler =>
      () =>
        void asked.push(called)
    const counted: Array<unknown> = []
    const response = { on: (name: unknown) => counted.push(name) } as unknown as ServerResponse
    const lane: ReadonlyMap<string, FastHandler> = new Map([
      ["GET /files/:name", (request) => (request.url === "/files/b" ? pass : void asked.push("lane"))] satisfies [
        string,
        FastHandler
      ]
    ])
    const listener = before({ lane, daemon: "test" }, () => {}, handler("next"))
    for (const url of ["/files/a?b=/c", "/files/a/b", "/files/b", "/files", "/files/a/"])
      void listener({ method: "GET", url } as IncomingMessage, response)
    assert.deepStrictEqual([asked, counted], [["lane", "next", "next", "next", "next"], ["finish"]])
  })

  it("adds nothing without lanes", () => {
    const next: FastHandler = () => {}
    assert.strictEqual(
      before({ lane: new Map(), daemon: "test" }, () => {}, next),
      next
    )
  })
})
