import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { gate } from "#daemons/wake-word/models/Exports.ts"
import { addModel, callsOf, metrics, startWakeWord, user, prefix } from "./WakeWordSuite.ts"

describe("models", () => {
  it("pass the gate only with measurements within the bounds", () => {
    assert.deepStrictEqual(gate(metrics()), [])
    assert.deepStrictEqual(gate(metrics(0.5)), [])
    assert.strictEqual(gate(metrics(0.51)).length, 1)
    assert.strictEqual(gate({ ...metrics(), miss_rate: 0.051 }).length, 1)
    assert.strictEqual(gate({ ...metrics(), negative_hours: 0.1 }).length, 1)
    assert.strictEqual(gate({ ...metrics(), utterances: 10 }).length, 1)
    assert.strictEqual(gate({ ...metrics(), false_accepts_per_hour: null }).length, 1)
  })

  it.live("are activated one at a time, by force above the bounds, and deleted when not active", () =>
    Effect.gen(function* () {
      const suite = yield* startWakeWord()
      const call = callsOf(suite)
      yield* addModel(suite, "good")
      yield* addModel(suite, "bad", { falseAccepts: 3 })
      yield* addModel(suite, "good", { tenant: 2 })
      assert.strictEqual((yield* call("POST", "/models/good/activate")).json.active, true)
      const refused = yield* call("POST", "/models/bad/activate")
      assert.deepStrictEqual([refused.status, refused.json.code], [409, "gate_refused"])
      assert.match(refused.json.reasons[0], /3 false accepts an hour/)
      assert.strictEqual((yield* call("POST", "/models/bad/activate?force=yes")).status, 200)
      const items = (yield* call("GET", "/models")).json.items
      assert.deepStrictEqual(
        items.map(({ active, name }: any) => [name, active]),
        [
          ["bad", true],
          ["good", false]
        ]
      )
      const audits = yield* suite.sql<any>`select entity_id, detail from core.audit
        where action = 'wakeword_model.activated' order by id`
      assert.deepStrictEqual(
        audits.map(({ detail, entity_id }) => [entity_id, detail.forced]),
        [
          ["good", false],
          ["bad", true]
        ]
      )
      const active = yield* call("DELETE", "/models/bad")
      assert.deepStrictEqual([active.status, active.json.code], [409, "model_active"])
      assert.strictEqual((yield* call("POST", "/models/bad/deactivate")).json.active, false)
      assert.strictEqual((yield* call("DELETE", "/models/bad")).status, 204)
      assert.strictEqual((yield* call("DELETE", "/models/bad")).status, 404)
      assert.strictEqual((yield* callsOf(suite, 2)("GET", "/models")).json.items.length, 1)
      assert.strictEqual((yield* callsOf(suite, 2)("GET", "/status")).json.state, "no_model")
      assert.strictEqual((yield* callsOf(suite, 1, "")("GET", "/models")).status, 403)
      assert.strictEqual((yield* callsOf(suite, 1, "")("GET", "/status")).status, 200)
      assert.strictEqual((yield* suite.call("GET", `${prefix}/status`)).status, 401)
    }).pipe(Effect.scoped)
  )

  it.live("give browsers the files of the active model", () =>
    Effect.gen(function* () {
      const suite = yield* startWakeWord()
      yield* addModel(suite, "good")
      const get = (path: string) =>
        Effect.promise(async () => {
          const answer = await fetch(`${suite.base()}${prefix}${path}`, { headers: user(1, "") })
          return [answer.status, (await answer.arrayBuffer()).byteLength] as const
        })
      assert.strictEqual((yield* get("/active/model"))[0], 404)
      yield* callsOf(suite)("POST", "/models/good/activate")
      const [status, size] = yield* get("/active/model")
      assert.deepStrictEqual([status, size > 10_000], [200, true])
      assert.isAbove((yield* get("/active/embedding"))[1], 100_000)
      assert.strictEqual((yield* get("/active/mel"))[0], 404)
    }).pipe(Effect.scoped)
  )
})
