import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { boundedList } from "#core/http/BoundedList.ts"

let looked = 0
const Item = Schema.Struct({
  n: Schema.NumberFromString.pipe(
    Schema.check(
      Schema.makeFilter(() => {
        looked++
        return true
      })
    )
  )
})
const List = Schema.Struct({ items: boundedList(Item, { minimum: 1, maximum: 3 }) })
const read = (length: number) =>
  Schema.decodeUnknownResult(List)({ items: Array.from({ length }, (_, i) => ({ n: String(i) })) }, { errors: "all" })

describe("a bounded list", () => {
  it("accepts items up to the limit, each decoded", () => {
    assert.deepStrictEqual(read(1), Result.succeed({ items: [{ n: 0 }] }))
    assert.deepStrictEqual(Result.getOrThrow(read(3)).items.length, 3)
    assert.deepStrictEqual(Schema.encodeSync(List)({ items: [{ n: 7 }] }), { items: [{ n: "7" }] })
  })

  it("refuses longer lists without decoding items", () => {
    looked = 0
    for (const length of [0, 4, 100_000]) assert.isTrue(Result.isFailure(read(length)), String(length))
    assert.strictEqual(looked, 0)
    for (const wrong of [undefined, null, {}, "abc", { length: 2 }])
      assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(List)({ items: wrong })))
  })

  it("reports each invalid item of a list within the limit", () => {
    const failure = Result.flip(
      Schema.decodeUnknownResult(List)({ items: [{ n: 1 }, { n: "1" }, {}] }, { errors: "all" })
    )
    const text = String(Result.getOrThrow(failure))
    assert.include(text, `["items"][0]["n"]`)
    assert.include(text, `["items"][2]["n"]`)
    assert.notInclude(text, `["items"][1]`)
  })

  it("is documented with its limits and the encoded form of its items", () => {
    const { schema } = Schema.toJsonSchemaDocument(List)
    assert.include(
      JSON.stringify(schema),
      `"minItems":1,"maxItems":3,"items":{"type":"object","properties":{"n":{"type":"string"`
    )
  })
})
