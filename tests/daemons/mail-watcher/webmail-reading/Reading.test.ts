/** Folders, lists, messages, attachments and searches, from a real Dovecot. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { ImapFlow } from "imapflow"
import { ListPageView } from "#daemons/mail-watcher/webmail-reading/Views.ts"
import { until } from "#support/Frame.ts"
import { addAccount, password, type Placed, startWatcher } from "../Watcher.ts"
import { base64, callsOf, mail, multipart } from "./Mails.ts"

const ann = "ann@example.test"
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)
const large = randomBytes(700_000)

class Place extends Context.Service<Place, Placed>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.gen(function* () {
      const placed = yield* startWatcher([ann])
      yield* addAccount(placed, { address: ann, tenant: 7 })
      const deliver = (raw: string) => placed.dovecot.deliver(ann, raw)
      for (let number = 1; number <= 7; number++) {
        const references: Record<string, string> = number % 2 === 0 ? { References: "<m1@far.test>" } : {}
        yield* deliver(
          mail(
            {
              Subject: `=?utf-8?q?N=C3=BCmber_${number}?=`,
              "Message-ID": `<m${number}@far.test>`,
              Date: `Mon, 0${number} Jun 2026 10:00:00 +0200`,
              ...references
            },
            `word${number}\r\n`
          )
        )
      }
      const alternative = multipart("alternative", [
        {
          type: "text/plain; charset=iso-8859-1",
          headers: { "Content-Transfer-Encoding": "quoted-printable" },
          body: "Gr=FC=DFe"
        },
        {
          type: "text/html; charset=utf-8",
          headers: { "Content-Transfer-Encoding": "base64" },
          body: base64(
            Buffer.from(
              '<p onclick=x()>Grüße <img src="cid:logo@far"><img src="https://far.test/t.png"></p><script>x()</script>'
            )
          )
        }
      ])
      const related = multipart("related", [
        alternative,
        {
          type: 'image/png; name="logo.png"',
          headers: {
            "Content-ID": "<logo@far>",
            "Content-Transfer-Encoding": "base64",
            "Content-Disposition": "inline"
          },
          body: base64(png)
        }
      ])
      const mixed = multipart("mixed", [
        related,
        {
          type: "application/pdf",
          headers: {
            "Content-Transfer-Encoding": "base64",
            "Content-Disposition": "attachment; filename*=utf-8''..%2F..%2Finvoice%20%E2%80%AEfdp.exe"
          },
          body: base64(large)
        }
      ])
      yield* deliver(
        mail(
          {
            Subject: "files",
            "Content-Type": mixed.type,
            "Message-ID": "<files@far.test>",
            "In-Reply-To": "<m1@far.test>",
            References: "<m0@far.test> <m1@far.test>",
            Cc: '"B, ob" <bob@far.test>'
          },
          mixed.body
        )
      )
      yield* Effect.promise(async () => {
        const client = new ImapFlow({
          host: "127.0.0.1",
          port: placed.dovecot.imapPort,
          secure: false,
          tls: { rejectUnauthorized: false },
          auth: { user: ann, pass: password },
          logger: false
        })
        await client.connect()
        for (const folder of ["Sent", "Archive", "Archive/2026", "Zebra", "Ähre"]) await client.mailboxCreate(folder)
        await client.mailboxOpen("INBOX")
        await client.messageFlagsAdd("2:3", ["\\Seen", "\\Flagged"])
        await client.logout()
      })
      return placed
    })
  )
}

describe("reading", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "lists folders by use and name",
      () =>
        Effect.gen(function* () {
          const { items } = yield* callsOf(yield* Place).ok("/folders")
          assert.deepStrictEqual(
            items.map(({ name }: any) => name),
            ["INBOX", "Sent", "Archive", "Ähre", "Archive/2026", "Zebra"]
          )
          assert.deepStrictEqual(items[0], {
            name: "INBOX",
            delimiter: "/",
            special_use: "\\Inbox",
            unseen: 6,
            exists: 8,
            subscribed: true,
            selectable: true
          })
        }),
      120_000
    )

    it.effect(
      "pages from the newest message",
      () =>
        Effect.gen(function* () {
          const { get, ok } = callsOf(yield* Place)
          const uids = (page: any) => page.items.map(({ uid }: any) => uid)
          const first = yield* ok("/messages/INBOX?per_page=3")
          assert.deepStrictEqual([uids(first), first.total, first.page, first.pages], [[8, 7, 6], 8, 1, 3])
          assert.deepStrictEqual(uids(yield* ok("/messages/INBOX?per_page=3&page=3")), [2, 1])
          assert.deepStrictEqual((yield* ok("/messages/INBOX?page=9")).items, [])
          assert.deepStrictEqual(uids(yield* ok("/messages/INBOX?flagged=true")), [3, 2])
          const unseen = yield* ok("/messages/INBOX?unseen=true&per_page=2&page=2")
          assert.deepStrictEqual([uids(unseen), unseen.total], [[6, 5], 6])
          assert.deepStrictEqual(uids(yield* ok("/messages/INBOX?sort=subject&order=asc&per_page=2")), [8, 1])
          assert.deepStrictEqual(uids(yield* ok("/messages/INBOX?sort=size&per_page=1")), [8])
          const sorted = yield* ok("/messages/INBOX?sort=date&order=asc&per_page=2&page=2&unseen=true")
          assert.strictEqual(sorted.total, 6)
          assert.deepStrictEqual(yield* ok("/messages/Archive%2F2026"), {
            items: [],
            total: 0,
            page: 1,
            per_page: 50,
            pages: 0
          })
          const { date, flags, from_addr, from_name, has_attachments, seen, subject } = first.items[1]
          assert.deepStrictEqual(
            { date, flags, from_addr, from_name, has_attachments, seen, subject },
            {
              date: "2026-06-07T08:00:00.000Z",
              flags: [],
              from_addr: "eve@far.test",
              from_name: "Eve",
              has_attachments: false,
              seen: false,
              subject: "Nümber 7"
            }
          )
          assert.strictEqual(first.items[0].has_attachments, true)
          // Pages are not encoded with their schema; the result must be the same.
          const encoded = (page: unknown) =>
            Schema.encodeSync(ListPageView)(Schema.decodeUnknownSync(ListPageView, { onExcessProperty: "error" })(page))
          for (const page of [first, sorted, unseen, yield* ok("/search?q=word3")])
            assert.deepStrictEqual(page, encoded(page))
          assert.strictEqual((yield* get("/messages/nowhere")).status, 404)
        }),
      120_000
    )

    it.effect(
      "shows text, sanitised HTML and attachments",
      () =>
        Effect.gen(function* () {
          const { get, ok, raw } = callsOf(yield* Place)
          const message = yield* ok("/messages/INBOX/8")
          assert.strictEqual(message.text, "Grüße")
          assert.include(message.html, "Grüße")
          assert.notInclude(message.html, "x()")
          assert.strictEqual(message.blocked_images, 1)
          assert.notMatch(message.html, /\ssrc="https:/)
          assert.deepStrictEqual(message.cc, [{ name: "B, ob", address: "bob@far.test" }])
          assert.deepStrictEqual(
            [message.message_id, message.in_reply_to, message.references, message.seen],
            ["<files@far.test>", "<m1@far.test>", ["<m0@far.test>", "<m1@far.test>"], false]
          )
          const [logo, invoice] = message.attachments
          assert.deepStrictEqual(logo, {
            part: "1.2",
            filename: "logo.png",
            media_type: "image/png",
            size: logo.size,
            content_id: "logo@far",
            inline: true
          })
          assert.deepStrictEqual([invoice.part, invoice.filename], ["2", "invoice fdp.exe"])
          // The HTML contains the picture's API address.
          const src = /src="(\/api[^"]+)"/.exec(message.html)![1]!.replaceAll("&amp;", "&")
          const picture = yield* raw(src.replace("/api/v1/mail/webmail", ""))
          assert.deepStrictEqual(
            [
              picture.status,
              picture.headers.get("content-type"),
              picture.headers.get("content-disposition")!.slice(0, 7)
            ],
            [200, "image/png", "inline;"]
          )
          assert.deepStrictEqual(Buffer.from(yield* Effect.promise(() => picture.arrayBuffer())), png)
          assert.match((yield* ok("/messages/INBOX/8?images=show")).html, /src="https:\/\/far.test\/t.png"/)
          assert.strictEqual((yield* ok("/messages/INBOX/8?mark_seen=true")).seen, true)
          assert.strictEqual((yield* ok("/messages/INBOX/8")).seen, true)
          const plain = yield* ok("/messages/INBOX/1")
          assert.deepStrictEqual([plain.html, plain.text.trim()], [null, "word1"])
          assert.strictEqual((yield* get("/messages/INBOX/4000")).status, 404)
          assert.strictEqual((yield* get("/messages/nowhere/1")).status, 404)
        }),
      120_000
    )

    it.effect(
      "downloads attachments and raw messages",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const { get, ok, raw } = callsOf(placed)
          const file = yield* raw("/messages/INBOX/8/attachments/2?inline=true")
          assert.strictEqual(
            file.headers.get("content-disposition"),
            "attachment; filename=\"invoice fdp.exe\"; filename*=UTF-8''invoice%20fdp.exe"
          )
          assert.deepStrictEqual(
            [file.headers.get("x-content-type-options"), file.headers.get("content-security-policy")],
            ["nosniff", "default-src 'none'; sandbox"]
          )
          const bytes = Buffer.from(yield* Effect.promise(() => file.arrayBuffer()))
          const digest = (data: Uint8Array) => createHash("sha256").update(data).digest("hex")
          assert.strictEqual(digest(bytes), digest(large))
          const whole = yield* raw("/messages/INBOX/8/raw")
          assert.strictEqual(whole.headers.get("content-type"), "message/rfc822")
          const text = yield* Effect.promise(() => whole.text())
          assert.include(text, "Subject: files")
          assert.strictEqual(text.length, (yield* ok("/messages/INBOX/8")).size)
          assert.strictEqual((yield* get("/messages/INBOX/8/attachments/9")).status, 404)
          // A cancelled download leaves the session usable.
          const gone = new AbortController()
          const left = yield* raw("/messages/INBOX/8/raw", gone.signal)
          yield* Effect.promise(() => left.body!.getReader().read())
          gone.abort()
          assert.strictEqual((yield* ok("/messages/INBOX?per_page=1")).items.length, 1)
          // When the server is slow, the session of the download closes, and Dovecot lists it for a moment.
          yield* until(
            "one session is left",
            Effect.map(placed.dovecot.sessions(ann), (count) => count === 1)
          )
        }),
      120_000
    )

    it.effect(
      "searches and groups conversations",
      () =>
        Effect.gen(function* () {
          const { get, ok } = callsOf(yield* Place)
          const uids = (page: any) => page.items.map(({ uid }: any) => uid)
          assert.deepStrictEqual(uids(yield* ok("/search?q=word3")), [3])
          const found = yield* ok(`/search?subject=${encodeURIComponent("Nümber")}&per_page=2&page=2`)
          assert.deepStrictEqual([uids(found), found.total], [[5, 4], 7])
          assert.deepStrictEqual(uids(yield* ok("/search?from=eve&since=2000-01-01&before=2001-01-01")), [])
          assert.strictEqual((yield* ok("/search?since=2001-01-01&before=2999-01-01")).total, 8)
          assert.strictEqual((yield* ok("/search?since=2999-01-01")).total, 0)
          assert.deepStrictEqual(
            [(yield* get("/search?folder=INBOX")).status, (yield* get("/search?q=x&since=2026-02-30")).status],
            [200, 422]
          )
          const threads = yield* ok("/threads/INBOX")
          assert.strictEqual(threads.method, "REFS")
          assert.deepStrictEqual(
            threads.items.map(({ messages }: any) => messages.map(({ uid }: any) => uid)),
            [[1, 2, 4, 6, 8], [7], [5], [3]]
          )
        }),
      120_000
    )

    it.effect(
      "reconnects after the server closed the idle session",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const { ok } = callsOf(placed)
          yield* ok("/folders")
          yield* placed.dovecot.kick(ann)
          assert.strictEqual((yield* ok("/messages/INBOX?per_page=1")).total, 8)
          // New mail appears while the folder stays open.
          yield* placed.dovecot.deliver(ann, mail({ Subject: "late" }, "late"))
          assert.strictEqual((yield* ok("/messages/INBOX?per_page=1")).items[0].subject, "late")
          yield* placed.dovecot.restart
          assert.strictEqual((yield* ok("/messages/INBOX?per_page=1")).items.length, 1)
        }),
      120_000
    )
  })
})
