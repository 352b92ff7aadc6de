/** Deleting, moving and flagging on a real Dovecot, verified with a second client. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { addAccount, type Placed, startWatcher } from "../Watcher.ts"
import { caller, inside, looking, put, simple } from "../Mailbox.ts"

const ann = "ann@example.test"
const bob = "bob@example.test"

class Place extends Context.Service<Place, Placed>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.gen(function* () {
      const placed = yield* startWatcher([ann, bob])
      yield* addAccount(placed, { address: ann, tenant: 7 })
      yield* addAccount(placed, { address: bob, tenant: 8 })
      return placed
    })
  )
}

const subjects = (found: ReadonlyArray<{ readonly raw: string }> | undefined) =>
  found?.map(({ raw }) => /Subject: (.*)\r/.exec(raw)?.[1] ?? "") ?? []

describe("changes of messages", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "move to a created trash, and delete from there for good",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = caller(placed)
          const kept = yield* put(placed, ann, "INBOX", simple("kept"), ["\\Deleted"])
          const uid = yield* put(placed, ann, "INBOX", simple("gone"))
          const first = yield* call("DELETE", `/messages/INBOX/${uid}`)
          assert.strictEqual(first.status, 200, first.text)
          assert.strictEqual(first.json.outcome, "moved")
          assert.strictEqual(first.json.folder, "Trash")
          assert.deepStrictEqual(subjects(yield* inside(placed, ann, "Trash")), ["gone"])
          // A message that a different client marked as deleted stays.
          assert.deepStrictEqual(
            (yield* inside(placed, ann, "INBOX"))?.map((found) => found.uid),
            [kept]
          )
          yield* put(placed, ann, "Trash", simple("marked by another"), ["\\Deleted"])
          const second = yield* call("DELETE", `/messages/Trash/${first.json.uid}`)
          assert.deepStrictEqual(second.json, { outcome: "deleted", folder: null, uid: null })
          assert.deepStrictEqual(subjects(yield* inside(placed, ann, "Trash")), ["marked by another"])
          assert.strictEqual((yield* call("DELETE", `/messages/INBOX/${uid}`)).json.code, "not_found")
          assert.strictEqual((yield* call("DELETE", "/messages/Nowhere/1")).json.code, "not_found")
        }),
      120_000
    )

    it.effect(
      "find the trash by its use or a German name",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          yield* looking(placed, bob, (client) => client.mailboxCreate("Papierkorb"))
          const uid = yield* put(placed, bob, "INBOX", simple("weg"))
          const gone = yield* caller(placed, 8)("DELETE", `/messages/INBOX/${uid}`)
          assert.strictEqual(gone.json.folder, "Papierkorb")
          assert.isUndefined(yield* inside(placed, bob, "Trash"))
        }),
      120_000
    )

    it.effect(
      "move, and refuse a missing folder",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = caller(placed)
          yield* looking(placed, ann, (client) => client.mailboxCreate("Archive/Jörg & Co"))
          const uid = yield* put(placed, ann, "INBOX", simple("moved"))
          const unknown = yield* call("POST", `/messages/INBOX/${uid}/move`, { target: "Nowhere" })
          assert.deepStrictEqual([unknown.status, unknown.json.code], [404, "target_folder_unknown"])
          const moved = yield* call("POST", `/messages/INBOX/${uid}/move`, { target: "Archive/Jörg & Co" })
          assert.strictEqual(moved.status, 200, moved.text)
          const there = yield* inside(placed, ann, "Archive/Jörg & Co")
          assert.deepStrictEqual(moved.json, { folder: "Archive/Jörg & Co", uid: there![0]!.uid })
          assert.notInclude(subjects(yield* inside(placed, ann, "INBOX")), "moved")
          const back = yield* call(
            "POST",
            `/messages/${encodeURIComponent("Archive/Jörg & Co")}/${moved.json.uid}/move`,
            { target: "inbox" }
          )
          assert.strictEqual(back.json.folder, "INBOX")
          assert.strictEqual(
            (yield* call("POST", "/messages/INBOX/4000000000/move", { target: "INBOX" })).json.code,
            "not_found"
          )
        }),
      120_000
    )

    it.effect(
      "change only user flags",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = caller(placed)
          const uid = yield* put(placed, ann, "INBOX", simple("flagged"), ["\\Draft", "\\Flagged", "old"])
          const set = (body: object) => call("POST", `/messages/INBOX/${uid}/flags`, body)
          assert.deepStrictEqual((yield* set({ flags: ["\\seen", "$Work"] })).json, {
            uid,
            flags: ["$Work", "\\Draft", "\\Seen"]
          })
          assert.deepStrictEqual((yield* set({ flags: ["\\Flagged"], mode: "add" })).json.flags, [
            "$Work",
            "\\Draft",
            "\\Flagged",
            "\\Seen"
          ])
          assert.deepStrictEqual((yield* set({ flags: ["\\Seen", "$Work"], mode: "remove" })).json.flags, [
            "\\Draft",
            "\\Flagged"
          ])
          assert.deepStrictEqual((yield* set({ flags: [] })).json.flags, ["\\Draft"])
          assert.deepStrictEqual((yield* inside(placed, ann, "INBOX"))?.find((found) => found.uid === uid)?.flags, [
            "\\Draft"
          ])
          for (const wrong of [
            "\\Recent",
            "\\Deleted",
            "\\Draft",
            "a b",
            "a)",
            "a\r\nb",
            "",
            "ä",
            "x".repeat(65),
            "{9}",
            "%"
          ]) {
            const refused = yield* set({ flags: [wrong] })
            assert.deepStrictEqual([refused.status, refused.json.errors[0].field], [422, "payload.flags[0]"], wrong)
          }
          assert.strictEqual(
            (yield* call("POST", "/messages/INBOX/4000000000/flags", { flags: [] })).json.code,
            "not_found"
          )
        }),
      120_000
    )

    it.effect(
      "change many at once and list missing uids",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = caller(placed)
          yield* looking(placed, ann, (client) => client.mailboxCreate("Many"))
          const uids = [
            yield* put(placed, ann, "Many", simple("1")),
            yield* put(placed, ann, "Many", simple("2")),
            yield* put(placed, ann, "Many", simple("3"))
          ]
          const bulk = (body: object) => call("POST", "/messages/Many/bulk", body)
          const flagged = yield* bulk({ uids: [...uids, 999], action: "flags", flags: ["\\Seen"] })
          assert.deepStrictEqual(flagged.json.missing, [999])
          assert.deepStrictEqual(
            flagged.json.messages.map((message: any) => message.flags),
            [["\\Seen"], ["\\Seen"], ["\\Seen"]]
          )
          const none = yield* bulk({ uids: [998, 999], action: "flags", flags: ["\\Seen"] })
          assert.deepStrictEqual([none.status, none.json.messages, none.json.missing], [200, [], [998, 999]], none.text)
          const moved = yield* bulk({ uids: [uids[0]], action: "move", target: "INBOX" })
          assert.strictEqual(moved.json.folder, "INBOX")
          assert.isNumber(moved.json.messages[0].new_uid)
          const gone = yield* bulk({ uids: [uids[1], uids[2], uids[2]], action: "delete" })
          assert.deepStrictEqual([gone.json.outcome, gone.json.messages.length], ["moved", 2])
          assert.deepStrictEqual(yield* inside(placed, ann, "Many"), [])
          assert.strictEqual((yield* bulk({ uids: [1], action: "move" })).json.errors[0].field, "payload.target")
          assert.strictEqual(
            (yield* bulk({ uids: [1], action: "move", target: "Nowhere" })).json.code,
            "target_folder_unknown"
          )
          assert.strictEqual(
            (yield* bulk({ uids: Array.from({ length: 501 }, (_, index) => index + 1), action: "delete" })).status,
            422
          )
        }),
      120_000
    )
  })
})

describe("changes of folders", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "create, rename and delete unprotected folders",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = caller(placed)
          const made = yield* call("POST", "/folders/", { folder: "Projects/Über" })
          assert.deepStrictEqual([made.status, made.json], [201, { folder: "Projects/Über" }], made.text)
          assert.strictEqual((yield* call("POST", "/folders/", { folder: "Projects/Über" })).json.code, "folder_taken")
          const path = (name: string) => `/folders/${encodeURIComponent(name)}`
          assert.deepStrictEqual((yield* call("PUT", path("Projects/Über"), { folder: "Done" })).json, {
            folder: "Done"
          })
          assert.strictEqual((yield* call("PUT", path("Projects/Über"), { folder: "Other" })).json.code, "not_found")
          assert.strictEqual((yield* call("PUT", path("Done"), { folder: "INBOX" })).json.code, "folder_taken")
          assert.strictEqual((yield* call("DELETE", path("Done"))).status, 204)
          assert.isUndefined(yield* inside(placed, ann, "Done"))
          yield* put(placed, ann, "Trash", simple("old"))
          assert.strictEqual((yield* call("DELETE", path("Trash"))).json.code, "folder_protected")
          assert.strictEqual((yield* call("DELETE", `${path("inbox")}?force=true`)).json.code, "folder_protected")
          assert.deepStrictEqual((yield* call("POST", `${path("Trash")}/empty`)).json, { deleted: 1 })
          assert.deepStrictEqual(yield* inside(placed, ann, "Trash"), [])
          assert.deepStrictEqual((yield* call("POST", `${path("Trash")}/empty`)).json, { deleted: 0 })
          assert.strictEqual((yield* call("POST", `${path("INBOX")}/empty`)).json.code, "folder_protected")
          assert.strictEqual((yield* call("DELETE", `${path("Trash")}?force=true`)).status, 204)
          for (const wrong of ["a\r\nb", "*", "50%", " a", ""])
            assert.strictEqual((yield* call("POST", "/folders/", { folder: wrong })).status, 422, wrong)
          const audit = yield* placed.suite.sql<{
            action: string
          }>`select action from core.audit where action like 'mail_folder.%' order by id`
          assert.deepStrictEqual(
            audit.map(({ action }) => action.slice(12)),
            ["created", "renamed", "deleted", "emptied", "emptied", "deleted"]
          )
        }),
      120_000
    )
  })
})
