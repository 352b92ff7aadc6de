/** The package signalbox-client: its operations are those of the document, and it calls a running suite. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { identity } from "#daemons/identity/Daemon.ts"
import { startSuite } from "#support/TestSuite.ts"
import { connect, RequestRefused } from "../../client/Client.ts"
import { generated, typeOf } from "../../scripts/client.ts"
import packageJson from "../../package.json" with { type: "json" }
import clientPackage from "../../client/package.json" with { type: "json" }

describe("signalbox-client", () => {
  it("has the operations of the document and the version of the package; otherwise run npm run client", () => {
    assert.strictEqual(readFileSync(join(import.meta.dirname, "../../client/Operations.ts"), "utf8"), generated())
    assert.strictEqual(clientPackage.version, packageJson.version)
  })

  it("gives schemas their types", () => {
    assert.strictEqual(typeOf({ $ref: "#/components/schemas/A-B" }), "A_B")
    assert.strictEqual(typeOf({ anyOf: [{ type: "integer" }, { type: "null" }] }), "(number) | (null)")
    assert.strictEqual(typeOf({ enum: ["a", 1] }), '"a" | 1')
    assert.strictEqual(
      typeOf({
        type: "object",
        required: ["a"],
        properties: { a: { type: "array", items: { type: "string" } }, "b-c": { type: "boolean" } }
      }),
      '{ readonly a: ReadonlyArray<string>; readonly "b-c"?: boolean }'
    )
    assert.strictEqual(
      typeOf({ type: "object", additionalProperties: { type: "number" } }),
      "Readonly<Record<string, number>>"
    )
  })

  it.live("calls operations with path, query and body, and reports refusals", () =>
    Effect.gen(function* () {
      const suite = yield* startSuite({ daemons: [identity], gateway: true })
      const signalbox = connect({ url: suite.base(), serviceToken: yield* suite.token })
      const made = yield* Effect.promise(() => signalbox("tenants.create", { body: { name: "Ann & Co" } }))
      const shown = yield* Effect.promise(() => signalbox("tenants.show", { path: { id: made.id } }))
      assert.strictEqual(shown.name, "Ann & Co")
      const { items } = yield* Effect.promise(() => signalbox("tenants.list", { query: { limit: 1 } }))
      assert.lengthOf(items, 1)
      const roles = yield* Effect.promise(() => signalbox("roles.roles"))
      assert.isDefined(roles)

      const refused = yield* Effect.promise(() =>
        signalbox("tenants.show", { path: { id: 4711 } }).then(
          () => undefined,
          (error: unknown) => error
        )
      )
      assert.instanceOf(refused, RequestRefused)
      assert.deepStrictEqual([refused.status, refused.problem.code], [404, "not_found"])
      const stranger = connect({ url: suite.base(), bearer: "wrong" })
      const unknown = yield* Effect.promise(() =>
        stranger("tenants.list").then(
          () => undefined,
          (error: RequestRefused) => error.status
        )
      )
      assert.strictEqual(unknown, 401)
    })
  )
})
