/** Deleting and moving on a Dovecot that does not offer MOVE and UIDPLUS. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { addAccount, type Placed, startWatcher } from "../Watcher.ts"
import { caller, inside, looking, put, simple } from "../Mailbox.ts"

const ann = "ann@example.test"

class Place extends Context.Service<Place, Placed>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.gen(function* () {
      const placed = yield* startWatcher([ann], {
        dovecot: { settings: ["imap_capability = IMAP4rev1 SASL-IR ID LITERAL+ NAMESPACE CHILDREN"] }
      })
      yield* addAccount(placed, { address: ann, tenant: 7 })
      return placed
    })
  )
}

describe("mail server without MOVE and UIDPLUS", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "moves by copying and expunges only own messages",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = caller(placed)
          yield* looking(placed, ann, (client) => client.mailboxCreate("Archive"))
          const uid = yield* put(placed, ann, "INBOX", simple("moved"))
          const moved = yield* call("POST", `/messages/INBOX/${uid}/move`, { target: "Archive" })
          assert.deepStrictEqual([moved.status, moved.json], [200, { folder: "Archive", uid: 1 }], moved.text)
          assert.strictEqual((yield* inside(placed, ann, "Archive"))!.length, 1)
          assert.deepStrictEqual(yield* inside(placed, ann, "INBOX"), [])
          yield* put(placed, ann, "INBOX", simple("marked by another"), ["\\Deleted"])
          yield* put(placed, ann, "INBOX", simple("ours"))
          const [, ours] = (yield* inside(placed, ann, "INBOX"))!
          assert.strictEqual((yield* call("DELETE", `/messages/INBOX/${ours!.uid}`)).json.outcome, "moved")
          // The message is only marked. It is removed when the client that marked the other one expunges.
          assert.deepStrictEqual(
            (yield* inside(placed, ann, "INBOX"))!.map(({ flags }) => flags),
            [["\\Deleted"], ["\\Deleted"]]
          )
          assert.strictEqual((yield* inside(placed, ann, "Trash"))!.length, 1)
        }),
      120_000
    )
  })
})
