/** A compose link is sanitised and gets the signature for its first recipient. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { owner, People } from "../People.ts"

describe("compose links", () => {
  layer(People.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "are cleaned, from parameters and from a mailto URI",
      () =>
        Effect.gen(function* () {
          const { make, send } = yield* owner()
          const signature = yield* make("signatures", {
            name: "n",
            html: "",
            rules: [{ match_type: "domain", match_value: "b.example" }]
          })
          const compose = (parameters: Record<string, string>) =>
            Effect.map(send("GET", `webmail/compose?${new URLSearchParams(parameters)}`), ({ json }) => json)
          assert.deepStrictEqual(yield* compose({}), { to: [], cc: [], subject: "", body: "", signature: null })
          assert.deepStrictEqual(
            yield* compose({
              to: "nobody, Ann <ann@b.example>",
              cc: "x@y.example;javascript:a@b",
              subject: `a\r\nBcc: b${"x".repeat(300)}`,
              body: "<b>\n&"
            }),
            {
              to: ["ann@b.example"],
              cc: ["x@y.example"],
              subject: `a Bcc: b${"x".repeat(192)}`,
              body: "&#60;b&#62;\n&#38;",
              signature
            }
          )
          assert.deepStrictEqual(
            yield* compose({
              mailto: "mailto:ann@b.example?subject=hi%0A&body=%3Cx%3E&bcc=e@vil.example",
              subject: "mine"
            }),
            { to: ["ann@b.example"], cc: [], subject: "mine", body: "&#60;x&#62;", signature }
          )
          assert.strictEqual((yield* compose({ to: "x@other.example" })).signature, null)
          const rest = yield* make("signatures", { name: "rest", html: "", is_default: true })
          assert.strictEqual((yield* compose({})).signature.id, rest.id)
          assert.strictEqual((yield* compose({ body: "ü".repeat(2100) })).body.length, 2000)
          assert.deepInclude(yield* compose({ mailto: "http://a.example" }), {
            status: 422,
            errors: [{ field: "query.mailto", message: "must be a mailto URI" }]
          })
        }),
      120_000
    )
  })
})
