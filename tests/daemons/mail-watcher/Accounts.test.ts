/** Whose mail accounts are whose, and that a session opens one. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { addAccount, as, type Placed, startWatcher } from "./Watcher.ts"

class Place extends Context.Service<Place, Placed>()("test/Place") {
  static readonly layer = Layer.effect(Place, Effect.gen(function*() {
    const placed = yield* startWatcher(["ann@example.test", "bob@example.test"])
    yield* addAccount(placed, { address: "ann@example.test", tenant: 7 })
    yield* addAccount(placed, { address: "bob@example.test", tenant: 8 })
    return placed
  }))
}

describe("mail accounts", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect("are listed to whom they belong, and all of them to the platform", () =>
      Effect.gen(function*() {
        const { suite } = yield* Place
        const addresses = ({ json }: { readonly json: any }) => json.items.map(({ address }: { readonly address: string }) => address)
        const path = "/api/v1/mail/webmail/accounts"
        assert.deepStrictEqual(addresses(yield* suite.call("GET", path, as(7))), ["ann@example.test"])
        assert.deepStrictEqual(addresses(yield* suite.call("GET", path, { token: yield* suite.token })), ["bob@example.test", "ann@example.test"])
      }), 60_000)
  })
})
