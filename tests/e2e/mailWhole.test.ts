/**
 * Mail from end to end with real parts. Incoming mail on port 25 is announced on the user's socket, then read, filed
 * and answered through the API. Outgoing mail is signed and appears as a reply in third-party mail clients. Wrong
 * passwords lead to a ban, and a suspended mailbox refuses everybody.
 */
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { createTransport } from "nodemailer"
import { expect } from "vitest"
import { until } from "#support/Frame.ts"
import { passwordLogin, tokenLogin } from "#support/ImapSasl.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as MailPrograms from "#support/peers/MailPrograms.ts"
import * as Opendkim from "#support/peers/Opendkim.ts"
import { answered } from "../daemons/identity/mail-login/Answered.ts"
import { events, password } from "../daemons/mail-admin/Admin.ts"
import { customer, MailWhole } from "./MailWhole.ts"
import { imap, signIn } from "./MailStackSteps.ts"

/**
 * Longest delay from Dovecot's notice to a second mail client until the event on the user's socket. Unit: milliseconds.
 * Source: the issue.
 */
const eventLimit = 300

/**
 * Pause between two messages. Unit: milliseconds. Reason: Dovecot collects changes for half a second, separately per
 * client. A mail in a client's running interval is announced earlier to that client than to others.
 */
const quiet = 1_000

const page = `<p onclick="steal()">Guten Tag</p><script>steal()</script><img src="https://far.test/pixel.png">`

const asHtml = (more: Record<string, string>) => ({
  body: page,
  headers: { "MIME-Version": "1.0", "Content-Type": "text/html; charset=utf-8", ...more }
})

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

describePeers(["dovecot", "postfix", "rspamd", "swaks", "opendkim", "isync", "mutt"], "mail as a whole", () => {
  layer(MailWhole.layer, { excludeTestServices: true, timeout: "120 seconds" })((it) => {
    it.effect(
      "what comes for a mailbox or its alias is told of once, within 300 ms of Dovecot's EXISTS, to its user and no other tenant's",
      () =>
        Effect.gen(function* () {
          const { anna, deliver, logged, otto, platform, stack } = yield* MailWhole
          yield* platform("POST", `mail/domains/${anna.domain.id}/aliases`, {
            source: "info",
            destination: anna.address
          })
          // A second mail client of the same mailbox, with password and IDLE.
          const witness = yield* imap(stack, { user: anna.address })
          if (typeof witness === "string") return yield* Effect.die(new Error(witness))
          const seen: Array<number> = []
          const told: Array<number> = []
          witness.on("exists", () => void seen.push(performance.now()))
          anna.socket.socket.on(
            "message",
            (frame) => void (String(frame).includes("mail.new_message") && told.push(performance.now()))
          )
          void witness.idle()
          const subjects = Array.from({ length: 5 }, (_, number) => `Anfrage ${number}`)
          for (const [index, subject] of subjects.entries()) {
            yield* Effect.sleep(quiet)
            yield* deliver(index % 2 === 0 ? anna.address : `info@${anna.domain.domain}`, subject)
            yield* until(
              `${subject} is seen and told of`,
              Effect.sync(() => seen.length > index && told.length > index),
              20
            )
          }
          const after = told.map((at, index) => Math.round(at - seen[index]!))
          expect(median(after), `after EXISTS, ms: ${after.join(", ")}`).toBeLessThan(eventLimit)

          yield* deliver(otto.address, "für Otto")
          yield* until(
            "Otto's is told",
            Effect.sync(() => otto.heard().length > 0),
            20
          )
          const expected = subjects.map((subject, index) => ({
            account: anna.address,
            folder: "INBOX",
            message: { uid: index + 1, from_addr: customer, subject }
          }))
          expect(yield* logged(anna.address)).toEqual(expected)
          expect(anna.heard()).toEqual(expected)
          expect(otto.heard()).toMatchObject([{ account: otto.address, message: { subject: "für Otto" } }])
          expect(JSON.stringify(otto.socket.events)).not.toContain(anna.domain.domain)
        }),
      120_000
    )

    it.effect(
      "it is read, flagged, answered and sorted; the answer goes out, and mbsync and mutt show it below what it answers",
      () =>
        Effect.gen(function* () {
          const { anna, deliver, sink, stack } = yield* MailWhole
          const { webmail } = anna
          const [first, second] = ["<eins@far.test>", "<zwei@far.test>"] as const
          yield* deliver(anna.address, "Bestellung", asHtml({ "Message-Id": first }))
          yield* deliver(
            anna.address,
            "Bestellung, Nachtrag",
            asHtml({ "Message-Id": second, References: first, "In-Reply-To": first })
          )
          yield* until(
            "both are told of",
            Effect.sync(
              () => anna.heard().filter(({ message }) => message.subject.startsWith("Bestellung")).length === 2
            ),
            20
          )

          const folders = yield* webmail("GET", "folders")
          expect(folders.items.map(({ name }: any) => name)).toEqual(
            expect.arrayContaining(["INBOX", "Sent", "Drafts", "Trash", "Junk", "Archive"])
          )
          const list = yield* webmail("GET", "messages/INBOX?per_page=2")
          expect(list.items.map(({ from_addr, seen, subject }: any) => [from_addr, subject, seen])).toEqual([
            [customer, "Bestellung, Nachtrag", false],
            [customer, "Bestellung", false]
          ])
          const uids: ReadonlyArray<number> = list.items.map(({ uid }: any) => uid)
          const read = yield* webmail("GET", `messages/INBOX/${uids[0]}?mark_seen=true`)
          expect(read).toMatchObject({
            subject: "Bestellung, Nachtrag",
            message_id: second,
            references: [first],
            blocked_images: 1
          })
          expect(read.html).toContain("Guten Tag")
          expect(read.html).not.toMatch(/script|steal|onclick| src=/)
          expect(
            (yield* webmail("POST", `messages/INBOX/${uids[0]}/flags`, { flags: ["\\Flagged"], mode: "add" })).flags
          ).toEqual(expect.arrayContaining(["\\Flagged", "\\Seen"]))

          const reply = yield* webmail("POST", "send", {
            to: [`Kunde <${customer}>`],
            subject: "Re: Bestellung, Nachtrag",
            plain: "Gern.",
            in_reply_to: read.message_id
          })
          expect(reply).toMatchObject({ accepted: [customer], rejected: [], sent_copy: { folder: "Sent" } })
          yield* until(
            "it leaves",
            Effect.sync(() => sink.mails.some(({ raw }) => raw.includes(reply.message_id))),
            20
          )
          const left = sink.mails.find(({ raw }) => raw.includes(reply.message_id))!
          expect([left.from, left.to]).toEqual([anna.address, [customer]])
          expect(left.mail).toMatchObject({
            inReplyTo: second,
            references: `${first} ${second}`,
            text: expect.stringContaining("Gern.")
          })
          expect((yield* webmail("GET", "messages/Sent")).items).toMatchObject([
            { uid: reply.sent_copy.uid, subject: "Re: Bestellung, Nachtrag", seen: true }
          ])

          yield* webmail("POST", "folders", { folder: "Kunden" })
          for (const uid of uids) yield* webmail("POST", `messages/INBOX/${uid}/move`, { target: "Kunden" })
          yield* webmail("POST", `messages/Sent/${reply.sent_copy.uid}/move`, { target: "Kunden" })
          const moved = (yield* webmail("GET", "messages/Kunden")).items
          expect(moved.find(({ subject }: any) => subject === "Bestellung, Nachtrag").flags).toEqual(
            expect.arrayContaining(["\\Answered", "\\Flagged", "\\Seen"])
          )

          const mailbox = { port: stack.imapsPort, certificate: stack.certificate, user: anna.address, password }
          const conversation = `${yield* MailPrograms.download(mailbox)}/Kunden`
          expect(yield* MailPrograms.parentOf(conversation, reply.message_id)).toContain(`Message-Id: ${second}`)
          expect(yield* MailPrograms.parentOf(conversation, second)).toContain(`Message-Id: ${first}`)
          expect(yield* MailPrograms.parentOf(conversation, first)).toBeUndefined()
          // The thread stays intact when the answered message is deleted.
          yield* webmail(
            "DELETE",
            `messages/Kunden/${moved.find(({ subject }: any) => subject === "Bestellung, Nachtrag").uid}`
          )
          expect(
            yield* MailPrograms.parentOf(`${yield* MailPrograms.download(mailbox)}/Kunden`, reply.message_id)
          ).toContain(`Message-Id: ${first}`)
        }),
      120_000
    )

    it.effect(
      "what is sent outside is signed so that the record of the domain's own answer proves it; its recipient is found next time",
      () =>
        Effect.gen(function* () {
          const { anna, sink, stack } = yield* MailWhole
          const { domain, webmail } = anna
          // Each of rspamd's two processes checks for new domains every few seconds.
          const transport = createTransport({
            host: "127.0.0.1",
            port: stack.smtpsPort,
            secure: true,
            tls: { ca: stack.certificate },
            auth: { user: anna.address, pass: password }
          })
          const probe = { from: anna.address, to: customer, subject: "probe", text: "x" }
          const signed = Effect.promise(async () => {
            const before = sink.mails.length
            for (let each = 0; each < 4; each++) await transport.sendMail(probe)
            return before
          }).pipe(
            Effect.tap((before) =>
              until(
                "the probes leave",
                Effect.sync(() => sink.mails.length >= before + 4),
                20
              )
            ),
            Effect.map((before) => sink.mails.slice(before).every(({ raw }) => raw.includes("DKIM-Signature:")))
          )
          yield* until("all is signed", signed, 30)

          expect((yield* webmail("GET", "contacts/search?q=leser")).items).toEqual([])
          const sent = yield* webmail("POST", "send", {
            to: ["Frau Leserin <leserin@weit.test>"],
            subject: "Angebot für März",
            html: "<p>Guten Tag,</p><p>anbei.</p>"
          })
          const arrived = () => sink.mails.find(({ raw }) => raw.includes(sent.message_id))
          yield* until(
            "it leaves",
            Effect.sync(() => arrived() !== undefined),
            20
          )
          const records = Object.fromEntries(
            domain.records
              .filter(({ name }: any) => name.endsWith("._domainkey"))
              .map(({ content, name }: any) => [`${name}.${domain.domain}`, content])
          )
          expect(yield* Opendkim.judge(arrived()!.raw, records)).toEqual({
            _tag: "Good",
            domain: domain.domain,
            selector: "mail"
          })
          expect(yield* Opendkim.judge(arrived()!.raw.replace("anbei", "nicht anbei"), records)).toMatchObject({
            _tag: "Bad"
          })
          expect((yield* webmail("GET", "messages/Sent")).items).toMatchObject([
            { uid: sent.sent_copy.uid, subject: "Angebot für März" }
          ])
          expect((yield* webmail("GET", "contacts/search?q=leser")).items).toEqual([
            { name: "Frau Leserin", address: "leserin@weit.test", source: "recent" }
          ])
        }),
      120_000
    )

    it.effect(
      "five wrong passwords give one ban, a sixth none",
      () =>
        Effect.gen(function* () {
          const { anna, stack, suite } = yield* MailWhole
          const wrong = (from: string, times: number) =>
            Effect.forEach(Array.from({ length: times }), () =>
              passwordLogin({
                port: stack.imapsPort,
                certificate: stack.certificate,
                user: anna.address,
                password: "wrong",
                from
              })
            )
          const banned = Effect.map(events(suite, "security.ban."), (all) =>
            all.map(({ address, rule, type }) => [type, address, rule])
          )
          expect((yield* wrong("192.0.2.5", 4)).every((login) => !login.ok)).toBe(true)
          // Reports arrive in order, so a ban of this address proves that the earlier reports were processed.
          yield* wrong("192.0.2.6", 5)
          yield* until(
            "the first ban",
            Effect.map(banned, (all) => all.length > 0)
          )
          expect(yield* banned).toEqual([["security.ban.added", "192.0.2.6", "mail-brute-force"]])
          yield* wrong("192.0.2.5", 1)
          yield* until(
            "the second ban",
            Effect.map(banned, (all) => all.length > 1)
          )
          yield* wrong("192.0.2.5", 1)
          yield* wrong("192.0.2.7", 5)
          yield* until(
            "the last ban",
            Effect.map(banned, (all) => all.some(([, address]) => address === "192.0.2.7"))
          )
          expect((yield* banned).map(([, address]) => address)).toEqual(["192.0.2.6", "192.0.2.5", "192.0.2.7"])
        }),
      120_000
    )

    it.effect(
      "suspended, a mailbox is shut to everybody, and what comes meanwhile is told of once when it is open again",
      () =>
        Effect.gen(function* () {
          const { anna, deliver, logged, platform, stack } = yield* MailWhole
          const { address: user, ask, watch } = anna
          const given = yield* answered(ask("POST", "auth/mail-token", {}))
          const token = given.json.access_token as string
          const byToken = tokenLogin({
            port: stack.imapsPort,
            certificate: stack.certificate,
            mechanism: "XOAUTH2",
            user,
            token
          })
          const open = yield* imap(stack, { user })
          if (typeof open === "string") return yield* Effect.die(new Error(open))
          expect(yield* signIn(stack, { user })).toBe("ok")
          // Dovecot refuses a good token for the moment when it has not learnt in time whether it is good.
          yield* until(
            "the token is good",
            Effect.map(byToken, ({ ok }) => ok),
            20
          )

          yield* platform("POST", `mail/accounts/${anna.accountId}/suspend`)
          yield* until(
            "open sessions are cut",
            Effect.sync(() => !open.usable),
            20
          )
          expect(yield* signIn(stack, { user })).toBe("AUTHENTICATIONFAILED")
          yield* until(
            "tokens are over",
            Effect.map(byToken, (login) => !login.ok && login.code === "AUTHENTICATIONFAILED"),
            20
          )
          expect(yield* answered(ask("POST", "auth/mail-token", {}))).toMatchObject({
            status: 409,
            json: { code: "mail_account_suspended" }
          })
          yield* until(
            "webmail is shut",
            Effect.map(
              ask("GET", "mail/webmail/folders"),
              ({ json, status }) => status === 409 && json.code === "mail_sign_in_refused"
            ),
            20
          )
          yield* until(
            "nobody watches",
            Effect.map(watch, (now) => now.mode === "connecting" && now.folders === 0),
            20
          )

          const before = (yield* logged(user)).length
          yield* deliver(user, "inzwischen")
          yield* until(
            "it lies there",
            Effect.map(
              stack.doveadm("search", "-u", user, "mailbox", "INBOX", "subject", "inzwischen"),
              (found) => found.trim() !== ""
            ),
            20
          )
          expect(yield* logged(user)).toHaveLength(before)

          yield* platform("POST", `mail/accounts/${anna.accountId}/unsuspend`)
          yield* until(
            "it is told of",
            Effect.map(logged(user), (all) => all.length > before),
            30
          )
          expect(yield* signIn(stack, { user })).toBe("ok")
          yield* until(
            "tokens are good",
            Effect.map(byToken, ({ ok }) => ok),
            20
          )
          expect((yield* anna.webmail("GET", "messages/INBOX?per_page=1")).items).toMatchObject([
            { subject: "inzwischen" }
          ])
          yield* deliver(user, "danach")
          yield* until(
            "the next is told of",
            Effect.map(logged(user), (all) => all.some(({ message }) => message.subject === "danach")),
            20
          )
          const told = yield* logged(user)
          expect(told.slice(before).map(({ message }) => message.subject)).toEqual(["inzwischen", "danach"])
          yield* until(
            "the socket says so, too",
            Effect.sync(() => anna.heard().length >= told.length),
            20
          )
          expect(anna.heard()).toEqual(told)
        }),
      120_000
    )
  })
})
