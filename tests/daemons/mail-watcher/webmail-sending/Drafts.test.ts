/** Drafts: kept, replaced, deleted and sent. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inside, put } from "../Mailbox.ts"
import { header, Place } from "./SendingPlace.ts"

describe("drafts", () => {
  layer(Place.layerOf(["draft"]), { excludeTestServices: true })((it) => {
    it.effect(
      "keeps, replaces, deletes and sends drafts",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const address = "draft@example.test"
          const call = yield* placed.account("draft")
          const first = yield* call("POST", "/drafts", { subject: "draft", bcc: ["hidden@far.test"] })
          assert.deepStrictEqual([first.status, first.json.folder], [201, "Drafts"], first.text)
          const [kept] = (yield* inside(placed, address, "Drafts"))!
          assert.deepStrictEqual([kept!.uid, kept!.flags], [first.json.uid, ["\\Draft", "\\Seen"]])
          assert.include(kept!.raw, "hidden@far.test")
          assert.strictEqual(
            (yield* call(
              "POST",
              `/drafts/${yield* put(placed, address, "Drafts", ["From: other@far.test", "To: a@far.test"])}/send`
            )).json.errors[0].field,
            "path.uid"
          )
          const second = yield* call("PUT", `/drafts/${first.json.uid}`, {
            subject: "better",
            to: ["Far <a@far.test>"],
            bcc: ["hidden@far.test"],
            plain: "text"
          })
          assert.strictEqual(second.status, 200, second.text)
          assert.notInclude(
            (yield* inside(placed, address, "Drafts"))!.map(({ uid }) => uid),
            first.json.uid
          )
          assert.strictEqual((yield* call("PUT", `/drafts/${first.json.uid}`, {})).json.code, "not_found")
          const sent = yield* call("POST", `/drafts/${second.json.uid}/send`, undefined, "k")
          assert.strictEqual(sent.status, 200, sent.text)
          const got = placed.server.mails.at(-1)!
          assert.deepStrictEqual(got.to, ["a@far.test", "hidden@far.test"])
          assert.notMatch(got.raw, /hidden@far/)
          assert.strictEqual(header(got.raw, "Subject"), "better")
          assert.strictEqual(header(got.raw, "Message-ID"), second.json.message_id)
          assert.notInclude(
            (yield* inside(placed, address, "Drafts"))!.map(({ uid }) => uid),
            second.json.uid
          )
          assert.deepStrictEqual(
            (yield* call("POST", `/drafts/${second.json.uid}/send`, undefined, "k")).json,
            sent.json
          )
          assert.strictEqual((yield* call("POST", `/drafts/${second.json.uid}/send`)).json.code, "not_found")
          const third = yield* call("POST", "/drafts", { to: ["a@far.test"] })
          const other = yield* call("POST", "/send", { to: ["a@far.test"], plain: "p", draft: third.json.uid })
          assert.strictEqual(other.status, 200)
          assert.notInclude(
            (yield* inside(placed, address, "Drafts"))!.map(({ uid }) => uid),
            third.json.uid
          )
          const fourth = yield* call("POST", "/drafts", {})
          assert.strictEqual((yield* call("DELETE", `/drafts/${fourth.json.uid}`)).status, 204)
          assert.strictEqual((yield* call("DELETE", `/drafts/${fourth.json.uid}`)).json.code, "not_found")
        }),
      60_000
    )
  })
})
