/**
 * Outgoing mail is signed with keys of mail-admin. A real Postfix passes it to a real rspamd with the files of
 * config/rspamd, and OpenDKIM verifies the signature with mail-admin's DNS records.
 */
import { it as alone, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { createTransport } from "nodemailer"
import { expect } from "vitest"
import { until } from "#support/Frame.ts"
import * as MailSink from "#support/MailSink.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import * as MailDatabase from "#support/peers/MailDatabase.ts"
import * as MailStack from "#support/peers/MailStack.ts"
import * as Opendkim from "#support/peers/Opendkim.ts"
import * as Postfix from "#support/peers/Postfix.ts"
import * as Rspamd from "#support/peers/Rspamd.ts"
import * as Swaks from "#support/peers/Swaks.ts"
import { as, callsOf, mailServer, password as mailboxPassword, startAdmin } from "../daemons/mail-admin/Admin.ts"

const password = "geheim-1"

/**
 * Longest time until rspamd signs with a changed key. Unit: seconds. Reason: it checks every 6 s (local.d/options.inc).
 */
const noticed = 30

interface Submission {
  /** Signed-in user; undefined: nobody signs in. */
  readonly user?: string
  /** Address in the From header. */
  readonly from: string
  /** Envelope sender, which gets bounces. Default: `from`. */
  readonly envelope?: string
  /** IP address of the client. Default: loopback. */
  readonly client?: string
  readonly headers?: Readonly<Record<string, string>>
}

class Place extends Context.Service<Place, Effect.Success<typeof start>>()("test/DkimSigning") {}

const start = Effect.gen(function* () {
  const rspamd = yield* Rspamd.make
  const sink = yield* MailSink.make({ lmtp: true })
  const users = ["ann@a.test", "bob@b.test", "cat@c.test"].map((address) => ({ address, password }))
  const dovecot = yield* Dovecot.make({ users })
  const postfix = yield* Postfix.make({
    lmtpPort: sink.port,
    relayDomains: ["a.test"],
    authSocket: dovecot.submissionAuthSocket,
    settings: [
      `smtpd_milters = inet:127.0.0.1:${rspamd.milterPort}`,
      "milter_default_action = tempfail",
      // Tests set the client address explicitly.
      "smtpd_authorized_xclient_hosts = 127.0.0.0/8"
    ]
  })
  const suite = yield* startAdmin({ env: { ...mailServer, SIGNALBOX_DKIM_DIR: rspamd.dkimDirectory } })

  /** Submits a mail and returns it as received on the other side. */
  const relayed = Effect.fnUntraced(function* ({ client, envelope, from, headers, user }: Submission) {
    const subject = `Angebot ${crypto.randomUUID()}`
    const { accepted, transcript } = yield* Swaks.send({
      port: postfix.smtpPort,
      from: envelope ?? from,
      to: "reader@a.test",
      subject,
      body: "Guten Tag,\n\nanbei das Angebot.\n",
      headers: { From: from, "MIME-Version": "1.0", "Content-Type": "text/plain", ...headers },
      extraArgs: [
        ...(user === undefined ? [] : ["--auth", "PLAIN", "--auth-user", user, "--auth-password", password]),
        ...(client === undefined ? [] : ["--xclient-addr", client, "--xclient-no-verify"])
      ]
    })
    if (!accepted) return yield* Effect.die(new Error(transcript))
    const arrived = () => sink.mails.find(({ raw }) => raw.includes(subject))
    yield* until(
      "the mail arrives",
      Effect.sync(() => arrived() !== undefined),
      20
    )
    return arrived()!.raw
  })

  /**
   * Submits mails until one is signed with this key; undefined: until one is unsigned. Each rspamd process learns of
   * changes separately.
   */
  const signedBy = Effect.fnUntraced(function* (selector: string | undefined, submission: Submission) {
    let raw = ""
    const look = Effect.map(relayed(submission), (mail) => {
      raw = mail
      return /^DKIM-Signature:[^]*?\bs=(\w+);/m.exec(mail)?.[1] === selector
    })
    yield* until(`a mail is signed by ${selector}`, look, noticed)
    return raw
  })

  /** The domains belong to tenant 7, except for `b.test`, which belongs to a different tenant. */
  const made = Effect.fnUntraced(function* (domain: string, tenant = 7) {
    const answer = yield* callsOf(suite, as(tenant)).domain(domain)
    return { id: answer.id as number, records: dkimRecords(answer) }
  })
  return { rspamd, postfix, suite, relayed, signedBy, made, ...callsOf(suite, as(7)) }
})

/** DNS records of the domain as mail-admin returned them. */
const dkimRecords = ({ domain, records }: any): Readonly<Record<string, string>> =>
  Object.fromEntries(
    records
      .filter(({ name }: any) => name.endsWith("._domainkey"))
      .map(({ content, name }: any) => [`${name}.${domain}`, content])
  )

const ann: Submission = { user: "ann@a.test", from: "ann@a.test" }

describePeers(["rspamd", "opendkim", "postfix", "dovecot", "swaks"], "outgoing mail", () => {
  layer(Layer.effect(Place, start), { excludeTestServices: true, timeout: "120 seconds" })((it) => {
    it.effect(
      "is signed so that the record of the domain's own answer proves it, and nothing else can be made of it",
      () =>
        Effect.gen(function* () {
          const { made, post, rspamd, signedBy, postfix } = yield* Place
          yield* made("b.test", 8)
          const { id, records } = yield* made("a.test")
          const mail = yield* signedBy("mail", ann)
          expect(yield* Opendkim.judge(mail, records)).toEqual({ _tag: "Good", domain: "a.test", selector: "mail" })
          for (const [old, other] of [
            ["das Angebot", "der Antrag"],
            ["Subject: Angebot", "Subject: Antrag"],
            ["From: ann@", "From: eve@"]
          ] as const) {
            expect(mail).toContain(old)
            expect(yield* Opendkim.judge(mail.replace(old, other), records)).toMatchObject({
              _tag: "Bad",
              why: "signature verification failed"
            })
          }
          // A header that was missing at signing cannot be added either.
          expect(
            yield* Opendkim.judge(mail.replace("From: ann@", "Reply-To: eve@far.test\r\nFrom: ann@"), records)
          ).toMatchObject({ _tag: "Bad" })
          expect(mail).toMatch(/\bh=from:from:/)

          // Only the signer's group can read the keys.
          const directory = statSync(rspamd.dkimDirectory)
          for (const name of readdirSync(rspamd.dkimDirectory)) {
            const { gid, mode } = statSync(join(rspamd.dkimDirectory, name))
            expect([name, mode & 0o7777, gid]).toEqual([name, 0o640, directory.gid])
          }
          expect(directory.gid).not.toBe(process.getgid?.())
          const secret = readFileSync(join(rspamd.dkimDirectory, "a.test.mail.key"), "utf8").split("\n")[1]!
          expect(secret.length).toBeGreaterThan(60)
          for (const log of [rspamd.log(), postfix.log()]) {
            expect(log).toContain("ann@a.test")
            expect(log).not.toContain(secret)
          }

          // A new key takes over. Signatures of the old key remain valid.
          yield* post(`domains/${id}/dkim/rotate`)
          expect(yield* signedBy("mail", ann)).toMatch(/s=mail;/)
          const activated = (yield* post(`domains/${id}/dkim/mail2/activate`)).json
          const next = yield* signedBy("mail2", ann)
          expect(yield* Opendkim.judge(next, dkimRecords(activated))).toEqual({
            _tag: "Good",
            domain: "a.test",
            selector: "mail2"
          })
          expect(yield* Opendkim.judge(mail, dkimRecords(activated))).toEqual({
            _tag: "Good",
            domain: "a.test",
            selector: "mail"
          })
          expect(yield* Opendkim.judge(next, records)).toMatchObject({ _tag: "Bad", why: "key not found in DNS" })
        }),
      120_000
    )

    it.effect(
      "is signed for its author's own domain alone",
      () =>
        Effect.gen(function* () {
          const { made, relayed, signedBy } = yield* Place
          const { records } = yield* made("sub.a.test")
          const unsigned = { _tag: "NotSigned" }
          yield* signedBy("mail", { user: "bob@b.test", from: "bob@b.test" })
          for (const from of ["bob@b.test", "ann@far.test", "ann@sub.a.test"]) {
            expect(yield* Opendkim.judge(yield* relayed({ user: "ann@a.test", from }), records)).toEqual(unsigned)
          }
          // The envelope sender may be in any domain.
          const elsewhere = yield* signedBy("mail", {
            user: "bob@b.test",
            from: "bob@b.test",
            envelope: "bounces@far.test"
          })
          expect(elsewhere).toMatch(/^DKIM-Signature:[^]*\bd=b\.test;/m)
          // Mails without sign-in, from this machine and from outside.
          expect(yield* Opendkim.judge(yield* relayed({ from: "bob@b.test" }), records)).toEqual(unsigned)
          expect(yield* Opendkim.judge(yield* relayed({ from: "bob@b.test", client: "192.0.2.55" }), records)).toEqual(
            unsigned
          )
        }),
      120_000
    )

    it.effect(
      "is no longer signed once the domain is deleted",
      () =>
        Effect.gen(function* () {
          const { made, remove, rspamd, signedBy } = yield* Place
          const { id } = yield* made("c.test")
          const cat = { user: "cat@c.test", from: "cat@c.test" }
          yield* signedBy("mail", cat)
          expect((yield* remove(`domains/${id}`)).status).toBe(204)
          yield* signedBy(undefined, cat)
          expect(readdirSync(rspamd.dkimDirectory).filter((name) => name.startsWith("c.test"))).toEqual([])
        }),
      120_000
    )

    it.effect(
      "and what comes in is told about in its header, in place of what it says of itself",
      () =>
        Effect.gen(function* () {
          const { relayed } = yield* Place
          const mail = yield* relayed({
            from: "someone@far.test",
            client: "192.0.2.55",
            headers: { "Authentication-Results": "mx.example.test; dkim=pass header.d=far.test", "X-Spam": "No" }
          })
          expect(mail.match(/^Authentication-Results: /gm)).toHaveLength(1)
          expect(mail).toMatch(/^Authentication-Results: [^]*dkim=none;[^]*spf=none/m)
          expect(mail).not.toContain("dkim=pass")
          expect(mail).not.toContain("X-Spam: No")
          // Mail of our own users gets no filter headers.
          expect(yield* relayed(ann)).not.toMatch(/^(Authentication-Results|X-Spam)/m)
        }),
      120_000
    )
  })

  alone.live(
    "is signed by the shipped Postfix too, for a mailbox that was made by the API",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const rspamd = yield* Rspamd.make
          const sink = yield* MailSink.make()
          const mail = yield* MailDatabase.make
          const suite = yield* startAdmin({
            database: mail.database,
            env: { ...mailServer, SIGNALBOX_DKIM_DIR: rspamd.dkimDirectory, SIGNALBOX_POSTFIX_DIR: mail.postfixDir }
          })
          const { milterPort } = rspamd
          const stack = yield* MailStack.make({ version: "2.3", mail, milterPort, outgoingPort: sink.port })
          const { account, domain } = callsOf(suite, as(7))
          const made = yield* domain("a.test")
          const { address } = yield* account(made.id, "ann")
          const transport = (port: number, more: object) =>
            createTransport({ host: "127.0.0.1", port, tls: { ca: stack.certificate }, ...more })
          const signedIn = transport(stack.submissionPort, {
            requireTLS: true,
            auth: { user: address, pass: mailboxPassword }
          })
          const sent = Effect.promise(() =>
            signedIn.sendMail({
              from: `Ann <${address}>`,
              to: "reader@far.test",
              subject: "Grüße",
              text: "Schöne Grüße",
              html: "<p>Schöne Grüße"
            })
          )
          const signed = () => sink.mails.find(({ raw }) => /^DKIM-Signature:/m.test(raw))
          yield* until(
            "a signed mail leaves",
            Effect.map(sent, () => signed() !== undefined),
            noticed
          )
          expect(yield* Opendkim.judge(signed()!.raw, dkimRecords(made))).toEqual({
            _tag: "Good",
            domain: "a.test",
            selector: "mail"
          })
          // Sends a forged mail in her name to port 25.
          yield* Effect.promise(() =>
            transport(stack.smtpPort, {}).sendMail({ from: address, to: address, subject: "forged", text: "x" })
          )
          const inbox = stack.doveadm("fetch", "-u", address, "hdr", "all")
          yield* until(
            "it arrives",
            Effect.map(inbox, (text) => text.includes("forged")),
            20
          )
          expect(yield* inbox).not.toContain("DKIM-Signature")
        })
      ),
    120_000
  )
})
