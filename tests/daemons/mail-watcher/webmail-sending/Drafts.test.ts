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
      120_000
    )
  })

  layer(Place.layerOf(["keyed"]), { excludeTestServices: true })((it) => {
    it.effect(
      "keeps one draft for a key, whichever requests are repeated, and deletes it when the mail is sent",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = yield* placed.account("keyed")
          const drafts = Effect.map(inside(placed, "keyed@example.test", "Drafts"), (found) =>
            (found ?? []).map(({ raw, uid }) => [uid, header(raw, "Subject")])
          )
          const draft_key = "0123456789abcdef"
          const first = yield* call("POST", "/drafts", { subject: "one", draft_key })
          assert.strictEqual(first.status, 201, first.text)
          // The answers to these requests are lost.
          const second = yield* call("POST", "/drafts", { subject: "two", draft_key })
          assert.deepStrictEqual(yield* drafts, [[second.json.uid, "two"]])
          yield* call("PUT", `/drafts/${second.json.uid}`, { subject: "three", draft_key })
          const third = yield* call("PUT", `/drafts/${second.json.uid}`, { subject: "four", draft_key })
          assert.deepStrictEqual(yield* drafts, [[third.json.uid, "four"]])
          assert.strictEqual(third.json.message_id, `<${draft_key}@example.test>`)
          // Another letter.
          const other = yield* call("POST", "/drafts", { subject: "other", draft_key: `${draft_key}0` })
          const mail = { to: ["a@far.test"], plain: "p", draft_key }
          const sent = yield* call("POST", "/send", mail, "k")
          assert.strictEqual(sent.status, 200, sent.text)
          assert.deepStrictEqual(yield* drafts, [[other.json.uid, "other"]])
          // The answer is lost, the draft is saved again, and sending is repeated.
          yield* call("POST", "/drafts", { subject: "five", draft_key })
          assert.deepStrictEqual((yield* call("POST", "/send", mail, "k")).json, sent.json)
          assert.deepStrictEqual(yield* drafts, [[other.json.uid, "other"]])
          for (const wrong of ["short", "with spaces in the key", "x".repeat(65)])
            assert.strictEqual((yield* call("POST", "/drafts", { draft_key: wrong })).status, 422)
        }),
      120_000
    )

    it.effect(
      "shows no reader the old and the new draft at the same time",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = yield* placed.account("keyed")
          const { json } = yield* call("POST", "/drafts", { subject: "replaced often" })
          let uid: number = json.uid
          let isDone = false
          const seen = new Set<number>()
          const read = Effect.gen(function* () {
            while (!isDone) {
              const { items } = (yield* call("GET", "/messages/Drafts")).json
              seen.add(items.filter(({ subject }: { subject: string }) => subject === "replaced often").length)
            }
          })
          const write = Effect.gen(function* () {
            for (let count = 0; count < 5; count++)
              uid = (yield* call("PUT", `/drafts/${uid}`, { subject: "replaced often" })).json.uid
            isDone = true
          })
          yield* Effect.all([write, read, read, read], { concurrency: "unbounded" })
          assert.deepStrictEqual([...seen], [1])
        }),
      120_000
    )
  })
})
