/** A cached page of a folder: the IMAP commands of a repeated request, and an up-to-date result. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cachedPage, cachePage } from "#daemons/mail-watcher/webmail-reading/list/PageCache.ts"
import { listPage } from "#daemons/mail-watcher/webmail-reading/list/MessageList.ts"
import { account, server, sessions } from "../../accounts/sessions/ScriptedServer.ts"
import { addAccount, startWatcher } from "../../Watcher.ts"
import { caller, looking, put, simple } from "../../Mailbox.ts"
import { callsOf } from "../Mails.ts"

const ann = "ann@example.test"

describe("page cache", () => {
  it.live(
    "fetches flags only, and new messages in full",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const folder = [
            { uid: 11, subject: "one", flags: "" },
            { uid: 12, subject: "two", flags: "" },
            { uid: 13, subject: "three", flags: "" }
          ]
          const asked: Array<string> = []
          const place = yield* server((socket, tag, command, line) => {
            if (command === "EXAMINE")
              return socket.write(`* ${folder.length} EXISTS\r\n${tag} OK [READ-ONLY] done\r\n`)
            if (command !== "FETCH") return false
            const [, , range = "", items] = /^\S+ (\S+) (\S+) \((.*)\)$/.exec(line)!
            asked.push(`${range} ${items}`)
            const [first = 0, last = 0] = range.split(":").map(Number)
            const rows = folder
              .slice(first - 1, last)
              .map(
                ({ flags, subject, uid }, at) =>
                  `* ${first + at} FETCH (UID ${uid} FLAGS (${flags})${items === "UID FLAGS" ? "" : ` INTERNALDATE "17-Jul-2026 02:44:25 +0000" RFC822.SIZE 9 ENVELOPE (NIL "${subject}" NIL NIL NIL NIL NIL NIL NIL NIL) BODYSTRUCTURE ("text" "plain" NIL NIL NIL "7bit" 1 1)`})\r\n`
              )
            return socket.write(`${rows.join("")}${tag} OK done\r\n`)
          })
          const { use } = yield* sessions(place)
          const listed = (folder: string, page = 1) =>
            use(account, (client, raw) => listPage({ client, raw, careful: false }, folder, { page, perPage: 2 }))
          const first = yield* listed("INBOX")
          const other = yield* listed("INBOX", 2)
          assert.deepStrictEqual(
            [first.items.map(({ subject }) => subject), other.items.map(({ subject }) => subject)],
            [["three", "two"], ["one"]]
          )
          asked.length = 0
          assert.deepStrictEqual([yield* listed("INBOX"), yield* listed("INBOX", 2)], [first, other])
          assert.deepStrictEqual(asked, ["2:3 UID FLAGS", "1:1 UID FLAGS"])
          // A different client reads one message and flags one.
          folder[2]!.flags = "\\Seen"
          folder[1]!.flags = "\\Flagged \\Answered"
          assert.deepStrictEqual(
            (yield* listed("INBOX")).items.map(({ answered, flagged, flags, seen, subject }) => [
              subject,
              seen,
              flagged,
              answered,
              flags
            ]),
            [
              ["three", true, false, false, ["\\Seen"]],
              ["two", false, true, true, ["\\Flagged", "\\Answered"]]
            ]
          )
          // One message is deleted and one is new. The server reports nothing, and the number of messages is unchanged.
          folder.splice(0, 1)
          folder.push({ uid: 14, subject: "four", flags: "" })
          asked.length = 0
          assert.deepStrictEqual(
            (yield* listed("INBOX")).items.map(({ uid, subject }) => [uid, subject]),
            [
              [14, "four"],
              [13, "three"]
            ]
          )
          assert.deepStrictEqual(
            asked.map((one) => one.slice(0, 13)),
            ["2:3 UID FLAGS", "2:3 UID FLAGS"]
          )
          assert.isTrue(asked[1]!.includes("ENVELOPE"))
          // After a change of folder the cached page may belong to a recreated folder.
          yield* listed("Elsewhere")
          asked.length = 0
          yield* listed("INBOX")
          assert.isTrue(asked[0]!.includes("ENVELOPE"))
        })
      ),
    120_000
  )

  it.live(
    "shows changes of other clients",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const placed = yield* startWatcher([ann])
          yield* addAccount(placed, { address: ann, tenant: 7 })
          for (let number = 1; number <= 5; number++) yield* put(placed, ann, "INBOX", simple(`mail ${number}`))
          const { ok } = callsOf(placed)
          const shown = Effect.map(ok("/messages/INBOX?per_page=3"), ({ items, total }) => [
            total,
            ...items.map(({ seen, subject }: any) => `${subject}${seen ? " seen" : ""}`)
          ])
          const before = yield* shown
          assert.deepStrictEqual([before, yield* shown], [[5, "mail 5", "mail 4", "mail 3"], before])
          yield* looking(placed, ann, async (client) => {
            await client.mailboxOpen("INBOX")
            await client.messageFlagsAdd("5", ["\\Seen"], { uid: true })
            await client.messageDelete("4", { uid: true })
          })
          assert.deepStrictEqual(yield* shown, [4, "mail 5 seen", "mail 3", "mail 2"])
          assert.deepStrictEqual(yield* shown, [4, "mail 5 seen", "mail 3", "mail 2"])
          yield* put(placed, ann, "INBOX", simple("mail 6"))
          assert.deepStrictEqual(yield* shown, [5, "mail 6", "mail 5 seen", "mail 3"])
          yield* caller(placed)("PATCH", "/messages/INBOX/6", { seen: true })
          yield* shown
          // The folder's UIDs start again. The server keeps using the old folder until a different one is opened.
          for (const [made, subject] of [
            ["old", "old one"],
            ["new", "new one"]
          ] as const) {
            yield* put(placed, ann, "Again", simple(subject))
            assert.deepStrictEqual(
              [made, ...(yield* ok("/messages/Again")).items.map(({ subject, uid }: any) => [uid, subject])],
              [made, [1, subject]]
            )
            yield* looking(placed, ann, async (client) => void (await client.mailboxDelete("Again")))
            yield* shown
          }
        })
      ),
    120_000
  )

  it("evicts the least recent page", () => {
    const mailbox = {} as never
    cachePage(mailbox, "1:1", [{ uid: 7 } as never])
    assert.strictEqual(cachedPage(mailbox, "1:1")?.size, 1)
    for (let page = 2; page < 7; page++) cachePage(mailbox, `${page}:${page}`, [])
    assert.deepStrictEqual([cachedPage(mailbox, "1:1"), cachedPage(false, "1:1")], [undefined, undefined])
    assert.isUndefined(cachedPage({} as never, "6:6"))
  })
})
