/** Ownership of mail accounts, and opening an account by a session. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { addAccount, as, type Placed, startWatcher } from "../Watcher.ts"

class Place extends Context.Service<Place, Placed>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.gen(function* () {
      const placed = yield* startWatcher(["ann@example.test", "bob@example.test"])
      yield* addAccount(placed, { address: "ann@example.test", tenant: 7 })
      yield* addAccount(placed, { address: "bob@example.test", tenant: 8 })
      return placed
    })
  )
}

describe("mail accounts", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "lists own accounts to users and all accounts to service tokens",
      () =>
        Effect.gen(function* () {
          const { suite } = yield* Place
          const addresses = ({ json }: { readonly json: any }) =>
            json.items.map(({ address }: { readonly address: string }) => address)
          const path = "/api/v1/mail/webmail/accounts"
          assert.deepStrictEqual(addresses(yield* suite.call("GET", path, as(7))), ["ann@example.test"])
          assert.deepStrictEqual(addresses(yield* suite.call("GET", path, { token: yield* suite.token })), [
            "bob@example.test",
            "ann@example.test"
          ])
        }),
      120_000
    )

    it.effect(
      "resolves an address to our own mailbox for service tokens, and refuses ambiguous ones",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const { suite } = placed
          const { sql } = suite
          const platform = { token: yield* suite.token }
          const uploads = (account: string | number) => `/api/v1/mail/webmail/attachments?account=${account}`
          const upload = { headers: { ...as(7).headers, "content-type": "text/plain" }, body: "x" }
          yield* addAccount(placed, { address: "own@example.test", tenant: 8, isDefault: true })
          const [own] = yield* sql<{
            id: number
          }>`insert into mail_watcher.account (tenant_id, user_id, address, kind) values (7, 70, 'own@example.test', 'own') returning id`
          assert.strictEqual(
            (yield* suite.call("POST", `${uploads("own@example.test")}&name=mine.txt`, upload)).status,
            201
          )
          const seen = yield* suite.call("GET", uploads("own@example.test"), platform)
          assert.deepStrictEqual(
            seen.json.items.map(({ name }: { readonly name: string }) => name),
            ["mine.txt"]
          )
          assert.deepStrictEqual((yield* suite.call("GET", uploads(own!.id), platform)).json, seen.json)
          assert.strictEqual((yield* suite.call("GET", uploads(own!.id), as(8))).status, 404)
          const mine = yield* addAccount(placed, { address: "two@example.test", tenant: 7 })
          yield* addAccount(placed, { address: "two@example.test", tenant: 8, isDefault: true })
          const several = yield* suite.call("GET", uploads("two@example.test"), platform)
          assert.deepStrictEqual([several.status, several.json.code], [422, "account_needed"])
          assert.strictEqual((yield* suite.call("GET", uploads(mine), platform)).status, 200)
        }),
      120_000
    )
  })
})
