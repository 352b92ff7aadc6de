/** What a sent mail contains, and what is refused before it is sent. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import PostalMime from "postal-mime"
import { inside, put, simple } from "../Mailbox.ts"
import { header, Place } from "./SendingPlace.ts"

const ann = "ann@example.test"

describe("sending", () => {
  layer(Place.layerOf(["ann", "thread", "hostile", "files"]), { excludeTestServices: true })((it) => {
    it.effect(
      "sends sanitised mail, stores a copy and records recipients",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = yield* placed.account("ann")
          const sent = yield* call("POST", "/send", {
            to: ["Jörg Müller <Joerg@Far.Test>"],
            cc: ['"Doe, Jane" <jane@far.test>'],
            bcc: ["secret@far.test"],
            subject: "Grüße aus Köln",
            html: "<p onclick=evil()>Hello <b>you</b><script>alert(1)</script> <a href='https://far.test/x'>look</a></p>",
            from_name: "Ann Ä",
            reply_to: "Office <office@example.test>"
          })
          assert.strictEqual(sent.status, 200, sent.text)
          assert.deepStrictEqual(
            [sent.json.accepted, sent.json.rejected],
            [["Joerg@far.test", "jane@far.test", "secret@far.test"], []]
          )
          const got = placed.server.mails.find(({ raw }) => raw.includes(sent.json.message_id))!
          assert.deepStrictEqual([got.from, got.user, got.tls], [ann, ann, true])
          const mail = yield* Effect.promise(() => PostalMime.parse(got.raw))
          assert.deepStrictEqual(mail.from, { name: "Ann Ä", address: ann } as never)
          assert.strictEqual(mail.subject, "Grüße aus Köln")
          assert.deepStrictEqual(
            [...mail.to!, ...mail.cc!].map(({ address, name }) => [name, address]),
            [
              ["Jörg Müller", "Joerg@far.test"],
              ["Doe, Jane", "jane@far.test"]
            ]
          )
          assert.strictEqual(mail.replyTo?.[0]?.address, "office@example.test")
          assert.notMatch(got.raw, /^bcc:|^x-mailer:|^x-originating|^received:|secret@far|nodemailer|127\.0\.0\.1/im)
          assert.match(sent.json.message_id, /^<[0-9a-f-]+@example\.test>$/)
          assert.isBelow(Math.abs(Date.parse(header(got.raw, "Date")!) - Date.now()), 60_000)
          assert.notMatch(mail.html!, /script|onclick|alert/)
          assert.include(mail.html, "<b>you</b>")
          assert.strictEqual(mail.text?.trim(), "Hello you look [https://far.test/x]")
          const [copy] = (yield* inside(placed, ann, "Sent"))!
          assert.deepStrictEqual([copy!.uid, copy!.flags], [sent.json.sent_copy.uid, ["\\Seen"]])
          assert.include(copy!.raw, "secret@far.test")
          const [people] = yield* placed.suite.sql<{
            count: number
          }>`select count(*)::int as count from mail_watcher.recent_recipient`
          assert.strictEqual(people!.count, 3)
          const [audit] = yield* placed.suite.sql<{
            detail: any
          }>`select detail from core.audit where action = 'mail.sent'`
          assert.deepStrictEqual(audit!.detail, { message_id: sent.json.message_id, recipients: 3 })
        }),
      120_000
    )

    it.effect(
      "sets References and flags the answered message",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const address = "thread@example.test"
          const call = yield* placed.account("thread")
          const uid = yield* put(
            placed,
            address,
            "INBOX",
            simple("asks", ["Message-ID: <c@far.test>", "References: <a@far.test>", "\t<b@far.test>"])
          )
          const answer = (id: string) =>
            call("POST", "/send", { to: ["far@far.test"], subject: "Re: asks", plain: "yes", in_reply_to: id })
          const first = yield* answer("<c@far.test>")
          assert.strictEqual(first.status, 200, first.text)
          const raw = placed.server.mails.at(-1)!.raw
          assert.strictEqual(header(raw, "In-Reply-To"), "<c@far.test>")
          assert.strictEqual(header(raw, "References"), "<a@far.test> <b@far.test> <c@far.test>")
          assert.deepStrictEqual((yield* inside(placed, address, "INBOX"))?.find((found) => found.uid === uid)?.flags, [
            "\\Answered"
          ])
          // A reply to the reply: the thread is found through the Sent folder.
          yield* answer(first.json.message_id)
          assert.strictEqual(
            header(placed.server.mails.at(-1)!.raw, "References"),
            `<a@far.test> <b@far.test> <c@far.test> ${first.json.message_id}`
          )
          // A reply to a mail that was moved to a different folder before.
          yield* put(
            placed,
            address,
            "Projects/2026",
            simple("kept", ["Message-ID: <k@far.test>", "References: <j@far.test>"])
          )
          yield* answer("<k@far.test>")
          assert.strictEqual(header(placed.server.mails.at(-1)!.raw, "References"), "<j@far.test> <k@far.test>")
          yield* answer("never-seen@far.test")
          assert.strictEqual(header(placed.server.mails.at(-1)!.raw, "References"), "<never-seen@far.test>")
        }),
      120_000
    )

    it.effect(
      "refuses header injection and too many recipients",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = yield* placed.account("hostile")
          const before = placed.server.mails.length
          const right = { to: ["a@far.test"], subject: "s", plain: "p" }
          const wrong: ReadonlyArray<readonly [object, string]> = [
            [{ subject: "a\r\nBcc: b@far.test" }, "payload.subject"],
            [{ subject: "a\nb" }, "payload.subject"],
            [{ subject: "a\0" }, "payload.subject"],
            [{ from_name: "x\r\ny" }, "payload.from_name"],
            [{ to: ["Name\r\nBcc: x <a@far.test>"] }, "payload.to[0]"],
            [{ to: ["a@far.test", "a@far.test> SIZE=1"] }, "payload.to[1]"],
            [{ to: ["a@far.test\r\nDATA"] }, "payload.to[0]"],
            [{ to: ["nobody"] }, "payload.to[0]"],
            [{ cc: ["<>"] }, "payload.cc[0]"],
            [{ reply_to: "x\n <a@far.test>" }, "payload.reply_to"],
            [{ in_reply_to: "<a@b>\r\nX: y" }, "payload.in_reply_to"],
            [{ in_reply_to: "<a@b> <c@d>" }, "payload.in_reply_to"],
            [{ attachments: ["../../etc/passwd"] }, "payload.attachments[0]"],
            [{ attachments: ["00000000-0000-4000-8000-000000000000"] }, "payload.attachments[0]"],
            [{ to: [] }, "payload.to"],
            [
              {
                to: Array.from({ length: 60 }, (_, index) => `a${index}@far.test`),
                cc: Array.from({ length: 60 }, (_, index) => `c${index}@far.test`)
              },
              "payload.to"
            ],
            [{ html: "<div>".repeat(3000) }, "payload.html"],
            [{ surprise: 1 }, "payload.surprise"]
          ]
          for (const [part, field] of wrong) {
            const refused = yield* call("POST", "/send", { ...right, ...part })
            assert.deepStrictEqual(
              [refused.status, refused.json.errors?.[0]?.field],
              [422, field],
              JSON.stringify(part).slice(0, 100)
            )
          }
          assert.strictEqual(placed.server.mails.length, before)
          // Harmless, although it looks like an attack: it stays a display name.
          const odd = yield* call("POST", "/send", {
            ...right,
            to: ['"<script> Bcc: x@y.test," <a@far.test>'],
            subject: "=?utf-8?q?=0ABcc:_x?="
          })
          assert.strictEqual(odd.status, 200, odd.text)
          const mail = yield* Effect.promise(() => PostalMime.parse(placed.server.mails.at(-1)!.raw))
          assert.isUndefined(mail.bcc)
          assert.deepStrictEqual(
            mail.to?.map(({ address }) => address),
            ["a@far.test"]
          )
        }),
      120_000
    )

    it.effect(
      "reads no file and fetches no URL",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = yield* placed.account("files")
          const up = yield* placed.suite.call(
            "POST",
            "/api/v1/mail/webmail/attachments?account=files@example.test&name=logo.png",
            { body: "PNG", headers: { authorization: "Bearer user:7:*", "content-type": "image/png" } }
          )
          const { content_id, id } = up.json
          const sent = yield* call("POST", "/send", {
            to: ["a@far.test"],
            attachments: [id],
            html: `<img src="file:///etc/passwd"><img src="cid:${content_id}"><img src="https://far.test/x.png"><img src="cid:other">`
          })
          assert.strictEqual(sent.status, 200, sent.text)
          const mail = yield* Effect.promise(() => PostalMime.parse(placed.server.mails.at(-1)!.raw))
          assert.deepStrictEqual(
            mail.attachments.map((part) => [
              part.filename,
              part.mimeType,
              part.disposition,
              part.contentId,
              Buffer.from(part.content as ArrayBuffer).toString()
            ]),
            [["logo.png", "image/png", "inline", `<${content_id}>`, "PNG"]]
          )
          assert.include(mail.html, `src="cid:${content_id}"`)
          assert.include(mail.html, `src="https://far.test/x.png"`)
          assert.notInclude(mail.html, "file:")
          // Sent uploads are deleted.
          assert.deepStrictEqual((yield* call("GET", "/attachments")).json.items, [])
        }),
      120_000
    )
  })
})
