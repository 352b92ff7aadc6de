/** Every endpoint of every daemon on a fresh installation. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { EventClient } from "#support/EventClient.ts"
import { documentRows, undeclared } from "./DocumentRows.ts"
import { Installation } from "./Installation.ts"
import * as RequestRules from "./RequestRules.ts"

const clean = (found: ReadonlyArray<string>) => assert.strictEqual(found.join("\n"), "")

describe("every endpoint of a fresh installation", () => {
  layer(Installation.layer, { excludeTestServices: true, timeout: 120_000 })((it) => {
    it.effect(
      "gives the documented answer to the documented fields",
      () =>
        Effect.map(documentRows, (found) => {
          clean(found)
          clean(undeclared)
        }),
      150_000
    )

    it.effect("sends events over the socket as an envelope of type and data", () =>
      Effect.gen(function* () {
        const { admin, adminId, platform, suite } = yield* Installation
        const token = admin["authorization"]!.replace("Bearer ", "")
        const client = yield* Effect.acquireRelease(
          Effect.promise(() => EventClient.listening(suite.base(), { token })),
          (client) => Effect.sync(() => client.end())
        )
        yield* suite.call("POST", "/api/v1/notifications", {
          headers: platform,
          body: { user_id: adminId, type: "system.test", category: "system", severity: "info", title: "T", body: "B" }
        })
        yield* Effect.promise(() => client.until(() => client.events.length > 0))
        for (const { data, type } of client.events)
          assert.deepStrictEqual([typeof type, typeof data], ["string", "object"], JSON.stringify({ data, type }))
      }).pipe(Effect.scoped)
    )

    it.effect("refuses unknown fields of a body", () => Effect.map(RequestRules.unknownFields, clean), 300_000)

    it.effect("has a body of its own, except where another party specifies it", () =>
      Effect.sync(() =>
        assert.deepStrictEqual(
          RequestRules.withFields.filter(({ hasForeignBody }) => hasForeignBody).map(({ name }) => name),
          [
            "POST /api/v1/auth/token/introspect",
            "POST /api/v1/mail/auth-policy",
            "POST /api/v1/notifications/push/subscriptions"
          ]
        )
      )
    )

    it.effect("answers 404 for an impossible id", () => Effect.map(RequestRules.impossibleIds, clean), 300_000)

    it.effect("accepts a trailing slash", () => Effect.map(RequestRules.trailingSlashes, clean), 300_000)

    it.effect("answers HEAD where it answers GET", () => Effect.map(RequestRules.heads, clean), 300_000)

    it.effect(
      "accepts the usual spellings of booleans, an empty search and too long a page",
      () =>
        Effect.map(RequestRules.spellings, (found) => {
          clean(found)
          clean(RequestRules.unlimited)
        }),
      300_000
    )
  })
})
