import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { fromSchemaError } from "#core/http/Problem.ts"

const Body = Schema.Struct({ items: Schema.Array(Schema.Struct({ name: Schema.String })) })

const answerTo = (body: unknown) =>
  Effect.flip(Schema.decodeUnknownEffect(Body)(body, { errors: "all" })).pipe(
    Effect.flatMap((cause) => fromSchemaError(new HttpApiError.HttpApiSchemaError({ kind: "Payload", cause }))),
    Effect.flatMap((response) => Effect.promise(() => HttpServerResponse.toWeb(response).json() as Promise<any>))
  )

describe("a request that does not match its schema", () => {
  it.effect("names a field of a list item by its index", () =>
    Effect.gen(function* () {
      const { errors, status } = yield* answerTo({ items: [{ name: "a" }, { name: 1 }, {}] })
      assert.strictEqual(status, 422)
      assert.deepStrictEqual(
        errors.map((error: { field: string }) => error.field),
        ["payload.items[1].name", "payload.items[2].name"]
      )
    })
  )

  it.effect("gets at most a limited number of field problems", () =>
    Effect.gen(function* () {
      const { errors } = yield* answerTo({ items: Array.from({ length: 10_000 }, () => 1) })
      assert.strictEqual(errors.length, 50)
    })
  )
})
