/** The same reading tests at other servers: Dovecot 2.4, and one without SORT, THREAD and LIST-STATUS. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { assert } from "vitest"
import type * as Dovecot from "#support/peers/Dovecot.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { addAccount, startWatcher } from "../Watcher.ts"
import { callsOf, mail, multipart } from "./Mails.ts"

const ann = "ann@example.test"

const started = Effect.fnUntraced(function* (dovecot: Partial<Dovecot.DovecotOptions>) {
  const placed = yield* startWatcher([ann], { dovecot })
  yield* addAccount(placed, { address: ann, tenant: 7 })
  for (let number = 1; number <= 5; number++) {
    const { body, type } = multipart("alternative", [
      { type: "text/plain", body: `text ${number}` },
      { type: "text/html", body: `<b onclick=x()>page ${number}</b>` }
    ])
    yield* placed.dovecot.deliver(
      ann,
      mail(
        {
          Subject: `s${number}`,
          "Message-ID": `<m${number}@far.test>`,
          ...(number === 4 ? { References: "<m2@far.test>" } : {}),
          "Content-Type": type
        },
        body
      )
    )
  }
  return callsOf(placed)
})

const uids = (page: any) => page.items.map(({ uid }: any) => uid)
const threads = (page: any) => page.items.map(({ messages }: any) => messages.map(({ uid }: any) => uid))

describePeers(["dovecot24"], "reading, from Dovecot 2.4", () => {
  it.live(
    "works as from 2.3",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { ok } = yield* started({ version: "2.4" })
          assert.deepInclude((yield* ok("/folders")).items[0], { name: "INBOX", exists: 5, unseen: 5 })
          assert.deepStrictEqual(uids(yield* ok("/messages/INBOX?per_page=2&page=2")), [3, 2])
          assert.deepStrictEqual(uids(yield* ok("/messages/INBOX?per_page=2&unseen=true")), [5, 4])
          assert.deepStrictEqual(uids(yield* ok("/messages/INBOX?sort=subject&order=asc&per_page=3&page=2")), [4, 5])
          const { html, text } = yield* ok("/messages/INBOX/3")
          assert.deepStrictEqual([html.trim(), text], ["<b>page 3</b>", "text 3"])
          assert.deepStrictEqual(threads(yield* ok("/threads/INBOX")), [[5], [2, 4], [3], [1]])
          assert.deepStrictEqual(uids(yield* ok("/search?subject=s4")), [4])
        })
      ),
    120_000
  )
})

describePeers(["dovecot"], "reading, from a server that offers little", () => {
  it.live(
    "reports unsupported commands and emulates the rest",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { get, ok } = yield* started({
            settings: ["imap_capability = IMAP4rev1 SASL-IR ID NAMESPACE UIDPLUS UNSELECT CHILDREN"]
          })
          assert.deepInclude((yield* ok("/folders")).items[0], {
            name: "INBOX",
            exists: 5,
            unseen: 5,
            subscribed: true
          })
          const refused = yield* get("/messages/INBOX?sort=date")
          assert.deepStrictEqual(
            [refused.status, refused.json.code, refused.json.errors[0].field],
            [422, "sort_unsupported", "query.sort"]
          )
          assert.strictEqual((yield* get("/messages/nowhere?sort=date")).status, 404)
          assert.deepStrictEqual(uids(yield* ok("/messages/INBOX?unseen=true&per_page=2&page=2")), [3, 2])
          assert.deepStrictEqual(uids(yield* ok("/search?subject=s4")), [4])
          const found = yield* ok("/threads/INBOX?per_page=4")
          assert.deepStrictEqual([threads(found), found.method, found.total], [[[5], [2, 4], [3]], "page", 5])
        })
      ),
    120_000
  )
})
