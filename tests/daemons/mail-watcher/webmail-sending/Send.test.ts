/** Sending through a mail server with TLS and sign-in, verified with a second client. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import PostalMime from "postal-mime"
import { until } from "#support/Frame.ts"
import { addAccount, type Placed, startWatcher } from "../Watcher.ts"
import { caller, inside, put, simple } from "../Mailbox.ts"
import * as SubmissionServer from "./SubmissionServer.ts"

const ann = "ann@example.test"

interface Sending extends Placed {
  readonly server: SubmissionServer.SubmissionServer
  /** API calls of a new account. Each test uses its own, because the sending rate per account is limited. */
  readonly account: (
    name: string
  ) => Effect.Effect<(method: string, path: string, body?: unknown, key?: string) => Effect.Effect<any>>
}

const names = [
  "ann",
  "thread",
  "hostile",
  "away",
  "once",
  "copy",
  "draft",
  "fast",
  "files",
  "refused",
  "unknown",
  "gone"
]

class Place extends Context.Service<Place, Sending>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.gen(function* () {
      const server = yield* SubmissionServer.make
      const placed = yield* startWatcher(
        names.map((name) => `${name}@example.test`),
        { trusted: server.certificate }
      )
      for (const [index, name] of names.entries()) {
        yield* addAccount(placed, {
          address: `${name}@example.test`,
          tenant: 7,
          smtpPort: server.port,
          isDefault: index === 0
        })
      }
      const call = caller(placed)
      return {
        ...placed,
        server,
        account: (name) =>
          Effect.succeed((method, path, body, key) =>
            call(
              method,
              `${path}?account=${name}@example.test`,
              body,
              key === undefined ? {} : { headers: { "idempotency-key": key } }
            )
          )
      }
    })
  )
}

const header = (raw: string, name: string) =>
  new RegExp(`^${name}: ((?:.*\\r\\n[ \\t])*.*)\\r$`, "im").exec(raw)?.[1]?.replace(/\r\n\s/g, " ")

describe("sending", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
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
      60_000
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
      60_000
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
      60_000
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
      60_000
    )

    it.effect(
      "sends once per key",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = yield* placed.account("once")
          const body = { to: ["a@far.test"], subject: "once", plain: "p" }
          const count = () => placed.server.mails.filter(({ from }) => from === "once@example.test").length
          const all = yield* Effect.all(
            Array.from({ length: 5 }, () => call("POST", "/send", body, "k1")),
            { concurrency: 5 }
          )
          assert.deepStrictEqual(
            all.map(({ json, status }) => status === 200 || json.code === "sending_under_way"),
            [true, true, true, true, true]
          )
          const again = yield* call("POST", "/send", body, "k1")
          assert.deepStrictEqual([again.status, again.json], [200, all.find(({ status }) => status === 200).json])
          assert.strictEqual(count(), 1)
          assert.strictEqual(
            (yield* call("POST", "/send", { ...body, subject: "other" }, "k1")).json.code,
            "idempotency_key_reused"
          )
          assert.strictEqual((yield* call("POST", "/send", body, "k2")).status, 200)
          assert.strictEqual(count(), 2)
        }),
      60_000
    )

    it.effect(
      "reports an unknown outcome and does not retry",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = yield* placed.account("unknown")
          const body = { to: ["a@far.test"], plain: "p" }
          placed.server.behave({ data: "cut" })
          const cut = yield* call("POST", "/send", body, "k1")
          placed.server.behave({})
          assert.deepStrictEqual([cut.status, cut.json.code], [409, "sending_outcome_unknown"], cut.text)
          assert.strictEqual((yield* call("POST", "/send", body, "k1")).json.code, "sending_under_way")
          // The same later, also after the process died during the sending.
          yield* placed.suite
            .sql`update mail_watcher.sending set created_at = created_at - interval '10 minutes' where state = 'begun'`
          const later = yield* call("POST", "/send", body, "k1")
          assert.deepStrictEqual(
            [later.json.code, later.json.message_id],
            ["sending_outcome_unknown", cut.json.message_id]
          )
        }),
      60_000
    )

    it.effect(
      "finishes after the client disconnects",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const leaving = new AbortController()
          const body = { to: ["a@far.test"], plain: "left", subject: "left" }
          placed.server.behave({
            meanwhile: async () => {
              leaving.abort()
              await new Promise((resolve) => setTimeout(resolve, 300))
            }
          })
          yield* Effect.promise(() =>
            fetch(`${placed.suite.base()}/api/v1/mail/webmail/send?account=gone@example.test`, {
              method: "POST",
              body: JSON.stringify(body),
              headers: {
                authorization: "Bearer user:7:*",
                "content-type": "application/json",
                "idempotency-key": "left"
              },
              signal: leaving.signal
            }).then(
              () => undefined,
              () => undefined
            )
          )
          yield* until(
            "it is recorded, with its copy",
            Effect.map(
              placed.suite
                .sql`select 1 from mail_watcher.sending where key = 'left' and state = 'sent' and answer->>'sent_copy' <> 'false'`,
              (found) => found.length === 1
            )
          )
          placed.server.behave({})
          const call = yield* placed.account("gone")
          assert.strictEqual((yield* call("POST", "/send", body, "left")).status, 200)
          assert.strictEqual(placed.server.mails.filter(({ from }) => from === "gone@example.test").length, 1)
          assert.strictEqual((yield* inside(placed, "gone@example.test", "Sent"))!.length, 1)
        }),
      60_000
    )

    it.effect(
      "sends nothing when the server is down or refuses",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = yield* placed.account("refused")
          const body = { to: ["a@far.test", "nobody@far.test"], plain: "p" }
          const nobody = yield* call("POST", "/send", { ...body, to: ["nobody@far.test"] })
          assert.deepStrictEqual(
            [nobody.status, nobody.json.code, nobody.json.rejected],
            [422, "recipients_refused", [{ address: "nobody@far.test", detail: "550 no such user" }]]
          )
          const some = yield* call("POST", "/send", body)
          assert.deepStrictEqual(
            [some.json.accepted, some.json.rejected.map((refused: any) => refused.address)],
            [["a@far.test"], ["nobody@far.test"]]
          )
          const sentBefore = (yield* inside(placed, "refused@example.test", "Sent"))!.length
          placed.server.behave({ data: 451 })
          assert.deepStrictEqual((yield* call("POST", "/send", body, "later")).json.code, "mail_server_unavailable")
          placed.server.behave({ data: 554 })
          assert.deepStrictEqual((yield* call("POST", "/send", body)).json.code, "mail_refused")
          placed.server.behave({ signIn: false })
          assert.deepStrictEqual((yield* call("POST", "/send", body)).json.code, "mail_sign_in_refused")
          placed.server.behave({})
          yield* placed.server.close
          const away = yield* call("POST", "/send", body, "later")
          assert.deepStrictEqual([away.status, away.json.code], [503, "mail_server_unavailable"])
          yield* placed.server.open
          assert.strictEqual((yield* inside(placed, "refused@example.test", "Sent"))!.length, sentBefore)
          // A mail that was certainly not sent may be sent again.
          assert.strictEqual((yield* call("POST", "/send", body, "later")).status, 200)
        }),
      60_000
    )

    it.effect(
      "retries storing the copy",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const address = "copy@example.test"
          const call = yield* placed.account("copy")
          const at = (port: number) =>
            placed.suite.sql`update mail_watcher.account set imap_port = ${port} where address = ${address}`
          yield* at(1)
          const sent = yield* call("POST", "/send", { to: ["a@far.test"], plain: "p" })
          assert.deepStrictEqual([sent.status, sent.json.sent_copy], [200, false], sent.text)
          yield* at(placed.dovecot.imapsPort!)
          yield* until(
            "the copy is there",
            Effect.map(
              inside(placed, address, "Sent"),
              (found) => found?.some(({ raw }) => raw.includes(sent.json.message_id)) === true
            ),
            40
          )
          yield* until(
            "nothing is kept any more",
            Effect.map(placed.suite.sql`select 1 from mail_watcher.missing_copy`, (rows) => rows.length === 0)
          )
        }),
      90_000
    )

    it.effect(
      "limits the sending rate",
      () =>
        Effect.gen(function* () {
          const placed = yield* Place
          const call = yield* placed.account("fast")
          yield* placed.suite
            .sql`insert into mail_watcher.sending (tenant_id, account_id, caller, body_hash, message_id, recipients)
          select 7, id, 'user:70', ''::bytea, '', 1 from mail_watcher.account, generate_series(1, 18) where address = 'fast@example.test'`
          const body = { to: ["a@far.test"], plain: "p" }
          assert.strictEqual((yield* call("POST", "/send", body)).status, 200)
          const refused = yield* call("POST", "/send", body)
          assert.deepStrictEqual([refused.status, refused.json.code], [429, "sending_too_fast"])
        }),
      60_000
    )

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
