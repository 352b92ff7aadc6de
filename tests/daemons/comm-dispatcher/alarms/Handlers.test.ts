/** Requests to the comm endpoints: what is refused, repeated requests, and the document. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { runsPath } from "../Dispatcher.ts"
import { bad, good } from "./CommBodies.ts"
import { base, send, Started } from "./CommPlace.ts"

/** Text that no answer may contain. */
const inside = /\bat .+\.ts:|node_modules|select |insert |comm_dispatcher|pgboss|SqlError/

describe("the comm endpoints", () => {
  layer(Started.layer, { excludeTestServices: true })((it) => {
    const newest = Effect.flatMap(Started, ({ get }) =>
      Effect.map(get(`${runsPath}?workflow=alarm&limit=1`), (answer) => answer.json.items[0]?.seq ?? 0)
    )

    for (const [path, name, change, fields] of bad) {
      it.effect(`refuse ${name} at ${path}`, () =>
        Effect.gen(function* () {
          const before = yield* newest
          const answer = yield* send(path, { ...good[path], ...change })
          assert.deepStrictEqual(
            [answer.status, answer.json?.code],
            [422, "invalid_request"],
            answer.text.slice(0, 500)
          )
          assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
          assert.deepStrictEqual(
            [...new Set(answer.json.errors.map((error: { field: string }) => error.field))].sort(),
            fields.map((field) => `payload.${field}`).sort()
          )
          assert.notMatch(answer.text, inside)
          assert.isBelow(answer.text.length, 4_000, "an answer does not repeat what was sent")
          assert.strictEqual(yield* newest, before)
        })
      )
    }

    for (const path of Object.keys(good)) {
      it.effect(`refuse what is no request at ${path}`, () =>
        Effect.gen(function* () {
          for (const [body, status] of [
            ["", 422],
            ["{", 400],
            [[], 422],
            ["null", 422],
            ['"t"', 422],
            ["[".repeat(50_000) + "]".repeat(50_000), 422]
          ] as const) {
            const answer = yield* send(path, body)
            assert.strictEqual(answer.status, status, String(body).slice(0, 20))
            assert.isBelow(answer.text.length, 4_000)
          }
          assert.strictEqual((yield* send(path, { ...good[path], text: "x".repeat(1_100_000) })).status, 413)
        })
      )

      it.effect(`answer a repeated Idempotency-Key with the first run at ${path}`, () =>
        Effect.gen(function* () {
          const headers = { "idempotency-key": `key of ${path}` }
          const first = yield* send(path, good[path], headers)
          const second = yield* send(path, good[path], headers)
          assert.deepStrictEqual([second.status, second.json], [202, first.json])
          const other = yield* send(path, { ...good[path], text: "other" }, headers)
          assert.deepStrictEqual([other.status, other.json.code], [422, "idempotency_key_reused"])
          assert.notStrictEqual((yield* send(path, good[path])).json.run_id, first.json.run_id)
        })
      )
    }

    it.effect("look at no target of a hundred thousand", () =>
      Effect.gen(function* () {
        for (const items of [
          Array.from({ length: 300_000 }, () => ({})),
          Array.from({ length: 20_000 }, () => ({ channel: "call", target: "x" }))
        ]) {
          const answer = yield* send("notify", { text: "t", channels: items })
          assert.deepStrictEqual(
            [answer.status, answer.json.errors],
            [422, [{ field: "payload.channels", message: "must have at most 20 items" }]]
          )
        }
      })
    )

    it.effect("stand in the document, each with what it takes, and heartbeat for users alone", () =>
      Effect.gen(function* () {
        const { components, paths } = (yield* (yield* Started).get("/openapi.json")).json
        const { CallRequest, NotifyRequest } = components.schemas
        assert.deepStrictEqual(CallRequest.required, ["target", "text"])
        assert.deepInclude(CallRequest.properties.pause_ms, { minimum: 0, maximum: 60_000, default: 4_000 })
        assert.deepInclude(CallRequest.properties.repeat, { minimum: 1, maximum: 10, default: 2 })
        assert.deepInclude(CallRequest.properties.target, { description: "Phone number, E.164" })
        assert.include(JSON.stringify(NotifyRequest.properties.channels), '"maxItems":20,"items":{"type":"object"')
        assert.includeMembers(
          Object.keys(paths),
          [...Object.keys(good), "health", "heartbeat"].map((path) => `${base}/${path}`)
        )
        for (const path of Object.keys(good)) {
          const { description, requestBody, responses, summary } = paths[`${base}/${path}`].post
          assert.isTrue(summary.length > 0 && description.length > 0 && requestBody.required)
          assert.includeMembers(Object.keys(responses), ["202", "401", "403", "422", "503"])
        }
        assert.deepStrictEqual(paths[`${base}/heartbeat`].post.security, [{ user: [] }])
        assert.deepStrictEqual(paths[`${base}/call`].post.security, [{ service: [] }, { user: [] }])
        assert.property(paths, "/api/v1/workflows/runs/{id}/acknowledge")
      })
    )
  })
})
