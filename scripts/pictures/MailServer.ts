/** A Dovecot with a mailbox for each user in the pictures, and the data of their webmail. */
import { Effect, Exit, Scope } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Dovecot from "../../tests/support/peers/Dovecot.ts"
import { requirePeer } from "../../tests/support/peers/install.ts"
import type { Ask } from "./Place.ts"
import type { Examples } from "./Shots.ts"

/** Password of the mailboxes. */
const password = "four words in a row"

export interface MailServer {
  /** Environment of daemons that read mail from it. Writes its certificate into `folder`. */
  readonly environment: (folder: string) => Readonly<Record<string, string>>
  /** Makes an account, mails, a contact and a signature for each user. */
  readonly fill: (ask: Ask, userIds: ReadonlyArray<number>) => Promise<Examples>
  readonly stop: () => Promise<void>
}

/** Lines of a mail. `type`: content type of its body. */
const mail = (from: string, subject: string, body: string, type = "text/plain"): string =>
  [
    `From: ${from}`,
    `Subject: =?utf-8?B?${Buffer.from(subject).toString("base64")}?=`,
    `Date: ${new Date(Date.now() - 3_600_000).toUTCString().replace("GMT", "+0000")}`,
    "MIME-Version: 1.0",
    `Content-Type: ${type}; charset=utf-8`,
    "Content-Transfer-Encoding: base64",
    "",
    ...(Buffer.from(body)
      .toString("base64")
      .match(/.{1,76}/g) ?? []),
    ""
  ].join("\r\n")

const mails = [
  mail("Erika Muster <erika@example.net>", "Invoice RE-2026-0042", "Hello,\n\nthe invoice is paid.\n\nErika"),
  mail(
    "Bäckerei Sommer <info@sommer.example.com>",
    "Öffnungszeiten im Dezember",
    "<h1>Im Dezember</h1><p>Wir haben <b>jeden Tag</b> geöffnet.</p><img src='https://example.com/bread.jpg'>",
    "text/html"
  ),
  mail("Max Beispiel <max@example.net>", "Lunch on Friday?", "At noon, as usual?\n\nMax")
]

/** Starts it for these addresses. Undefined when Dovecot is not installed. */
export const startMailServer = async (addresses: ReadonlyArray<string>): Promise<MailServer | undefined> => {
  if (!requirePeer("dovecot").available) return undefined
  const scope = Scope.makeUnsafe()
  const within = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
  const dovecot = await within(Dovecot.make({ users: addresses.map((address) => ({ address, password })), tls: true }))
  await within(dovecot.start)
  return {
    environment: (folder) => {
      const file = join(folder, "mail-server.pem")
      writeFileSync(file, dovecot.certificate!)
      return { SIGNALBOX_MAIL_ALLOW_CIDRS: "127.0.0.0/8", SIGNALBOX_MAIL_CA: file }
    },
    fill: async (ask, userIds) => {
      for (const [at, address] of addresses.entries()) {
        for (const raw of mails) await Effect.runPromise(dovecot.deliver(address, raw))
        await ask("POST", "/api/v1/mail/webmail/accounts", {
          address,
          password,
          imap_host: "127.0.0.1",
          imap_port: dovecot.imapsPort,
          display_name: "Anna Admin",
          tenant_id: 1,
          user_id: userIds[at]
        })
        const own = `?account=${encodeURIComponent(address)}`
        await ask("POST", `/api/v1/mail/contacts${own}`, { name: "Erika Muster", emails: ["erika@example.net"] })
        await ask("POST", `/api/v1/mail/signatures${own}`, {
          name: "Business",
          html: "<p>Anna Admin<br>Example GmbH</p>",
          is_default: true
        })
      }
      return { "/mail/:folder": "INBOX", "/mail/:folder/:uid": ["INBOX", 2] }
    },
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
