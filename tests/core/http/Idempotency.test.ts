import { Caller } from "#core/auth/Caller.ts"
import { canonical, onceAfter, rememberedHours, withoutSecrets } from "#core/http/Idempotency.ts"
import { inFrame } from "#support/Frame.ts"
import { probeDaemon } from "#support/ProbeDaemon.ts"
import { startSuite } from "#support/TestSuite.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as fc from "fast-check"

const start = Effect.gen(function* () {
  const suite = yield* startSuite({ daemons: [probeDaemon("probe")] })
  const token = yield* suite.token
  return {
    ...suite,
    create: (body: { name: string; count: number }, key?: string, as = token) =>
      suite.call("POST", "/api/v1/probe/items", {
        token: as,
        body,
        ...(key === undefined ? {} : { headers: { "idempotency-key": key } })
      }),
    rows: Effect.map(suite.sql<{ n: number }>`select count(*)::int as n from probe.item`, ([row]) => row!.n)
  }
})

describe("Idempotency", () => {
  it("compares only the presence of a secret", () => {
    const compared = (body: object) => canonical(withoutSecrets(body, ["password"]))
    assert.strictEqual(compared({ name: "a", password: "x" }), compared({ password: "y", name: "a" }))
    assert.notInclude(compared({ name: "a", password: "secret" }), "secret")
    assert.strictEqual(compared({ name: "a" }), compared({ name: "a", password: null }))
    assert.notStrictEqual(compared({ name: "a" }), compared({ name: "a", password: "x" }))
    assert.notStrictEqual(compared({ name: "a", password: "x" }), compared({ name: "b", password: "x" }))
  })

  it.live("repeats the first answer for the same body, and refuses a different body", () =>
    Effect.gen(function* () {
      const { create, rows } = yield* start
      const first = yield* create({ name: "a", count: 1 }, "key-1")
      const again = yield* create({ count: 1, name: "a" }, "key-1")
      assert.strictEqual(first.status, 200, first.text)
      assert.deepStrictEqual([again.status, again.json], [200, first.json])
      const other = yield* create({ name: "a", count: 2 }, "key-1")
      assert.deepStrictEqual([other.status, other.json.code], [422, "idempotency_key_reused"])
      assert.strictEqual(yield* rows, 1)
      assert.notStrictEqual((yield* create({ name: "a", count: 1 }, "key-2")).json.id, first.json.id)
      yield* create({ name: "a", count: 1 })
      yield* create({ name: "a", count: 1 })
      assert.strictEqual(yield* rows, 4)
    }).pipe(Effect.scoped)
  )

  it.live("creates once for parallel requests with one key", () =>
    Effect.gen(function* () {
      const { create, rows } = yield* start
      const answers = yield* Effect.all(
        Array.from({ length: 5 }, () => create({ name: "a", count: 1 }, "key")),
        { concurrency: 5 }
      )
      assert.deepStrictEqual(
        answers.map((answer) => answer.status),
        [200, 200, 200, 200, 200]
      )
      assert.strictEqual(new Set(answers.map((answer) => answer.json.id)).size, 1)
      assert.strictEqual(yield* rows, 1)
    }).pipe(Effect.scoped)
  )

  it.live("runs the check before creation once per key, and not for a refused request", () =>
    inFrame(
      Effect.gen(function* () {
        let asked = 0
        const create = (body: string, key?: string) =>
          onceAfter({
            key,
            endpoint: "test.create",
            body,
            response: Schema.Struct({ asked: Schema.Int }),
            before: Effect.sync(() => ++asked),
            create: (answer) => Effect.succeed({ asked: answer })
          }).pipe(
            Effect.provideService(Caller, { kind: "service", tokenId: 1, name: "test", scopes: new Set<string>() })
          )
        assert.deepStrictEqual(yield* create("a", "key"), { asked: 1 })
        assert.deepStrictEqual(yield* create("a", "key"), { asked: 1 })
        assert.strictEqual((yield* Effect.flip(create("b", "key")))._tag, "IdempotencyKeyReused")
        assert.strictEqual(asked, 1)
        assert.deepStrictEqual(yield* create("a"), { asked: 2 })
        assert.deepStrictEqual(yield* create("a", "another"), { asked: 3 })
      })
    )
  )

  it.live("forgets a key after its time, and keeps callers apart", () =>
    Effect.gen(function* () {
      const { create, rows, sql } = yield* start
      const first = yield* create({ name: "a", count: 1 }, "key")
      yield* sql`update core.idempotency_key set created_at = now() - make_interval(hours => ${rememberedHours}) + interval '1 minute'`
      assert.strictEqual((yield* create({ name: "b", count: 1 }, "key")).status, 422)
      yield* sql`update core.idempotency_key set created_at = now() - make_interval(hours => ${rememberedHours}, secs => 1)`
      const later = yield* create({ name: "b", count: 1 }, "key")
      assert.strictEqual(later.status, 200, later.text)
      assert.notStrictEqual(later.json.id, first.json.id)
      yield* sql`update core.idempotency_key set caller = 'service:0'`
      assert.strictEqual((yield* create({ name: "c", count: 1 }, "key")).status, 200)
      assert.strictEqual(yield* rows, 3)
    }).pipe(Effect.scoped)
  )

  it.live("refuses a key beyond its limits", () =>
    Effect.gen(function* () {
      const { create } = yield* start
      const long = yield* create({ name: "a", count: 1 }, "k".repeat(256))
      assert.deepStrictEqual([long.status, long.json.errors[0].field], [422, "headers.idempotency-key"])
    }).pipe(Effect.scoped)
  )
})

describe("canonical", () => {
  it("is equal for any order of members, and differs for other values", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse())
        return canonical(value) === canonical(reversed)
      })
    )
    assert.notStrictEqual(canonical({ a: [1, 2] }), canonical({ a: [2, 1] }))
  })
})
