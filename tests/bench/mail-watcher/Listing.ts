/** Measures a page of a folder with 100,000 messages. Compares with the bare IMAP commands that any client needs. */
import { Context, Effect, Layer, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Account } from "#daemons/mail-watcher/accounts/Account.ts"
import * as GuardedHost from "#daemons/mail-watcher/accounts/GuardedHost.ts"
import { MailLogins } from "#daemons/mail-watcher/accounts/MailLogins.ts"
import * as MailSessions from "#daemons/mail-watcher/accounts/sessions/MailSessions.ts"
import { listPage } from "#daemons/mail-watcher/webmail-reading/list/MessageList.ts"
import { listedItems } from "#protocols/imap-watch/ListedMessage.ts"
import type { Dovecot } from "#support/peers/Dovecot.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { figure, type Figure, median } from "../Figure.ts"
import { RawHttp } from "./RawHttp.ts"
import { RawImap } from "./RawImap.ts"
import { addressOf, password, rigOf } from "./Rig.ts"

const messages = 100_000
const perPage = 50

/**
 * Number of messages uploaded individually, in one APPEND (RFC 3502). The others are copies, which Dovecot makes with
 * hard links.
 */
const written = 1_000

/** `pages`: compared pages, spread over the folder. `rounds`: repetitions of each page with each way. */
const pages = 60
const rounds = 8

/** Reads of the same page in a row, like a user who looks for new mail. */
const again = 300

/** Largest cost of a page, as a multiple of the bare command. Source: target of the issue. */
const target = 1.5

const message = (index: number) =>
  [
    `From: "Sender ${index % 97}" <sender${index % 997}@example.test>`,
    `To: reader@example.test`,
    `Subject: Message ${index} of a long list`,
    `Date: Mon, 05 Jan 2026 10:00:00 +0000`,
    `Message-ID: <${index}@bench.example.test>`,
    `MIME-Version: 1.0`,
    `Content-Type: multipart/alternative; boundary=b`,
    ``,
    `--b`,
    `Content-Type: text/plain`,
    ``,
    `text ${index}`,
    `--b`,
    `Content-Type: text/html`,
    ``,
    `<p>text ${index}</p>`,
    `--b--`,
    ``
  ].join("\r\n")

export const listing: Effect.Effect<ReadonlyArray<Figure>> = Effect.orDie(
  Effect.scoped(
    Effect.gen(function* () {
      const { add, dovecot, sql, token, watcher: starting } = yield* rigOf(1)
      const raw = yield* Effect.promise(() =>
        RawImap.login(dovecot.imapsPort!, dovecot.certificate!, addressOf(0), password)
      )
      yield* Effect.promise(async () => {
        const mails = Array.from({ length: written }, (_, index) => message(index))
        await raw.ask(`APPEND INBOX${mails.map((mail) => ` {${mail.length}+}\r\n${mail}`).join("")}`)
        await raw.ask("SELECT INBOX")
        for (let there = written; there < messages; there += Math.min(there, messages - there))
          await raw.ask(`COPY 1:${Math.min(there, messages - there)} INBOX`)
        await raw.ask("SELECT INBOX")
      })
      const watcher = yield* starting
      yield* add(0, 1)
      while ((yield* sql`select 1 from mail_watcher.account`).length === 0) yield* Effect.sleep(50)
      const http = yield* Effect.promise(() => RawHttp.open(Number(new URL(watcher.base).port)))
      const path = (page: number) =>
        `/api/v1/mail/webmail/messages/INBOX?account=${encodeURIComponent(addressOf(0))}&page=${page}&per_page=${perPage}`
      const ours = (page: number) => http.get(path(page), `x-service-token: ${token}\r\n`)
      const { use } = yield* sessionsOf(dovecot)
      const call = (page: number) =>
        Effect.runPromise(
          use(account, (client, raw) => listPage({ client, raw, careful: false }, "INBOX", { page, perPage }))
        )
      // Commands of any client with an open folder: fetch the page, and check for changes.
      const bare = (page: number) => {
        const last = messages - (page - 1) * perPage
        return raw.ask(`FETCH ${last - perPage + 1}:${last} ${listedItems}`, "NOOP")
      }
      const ways = { bare, call, ours }
      const times = yield* Effect.promise(async () => {
        const found = { bare: new Array<number>(), call: new Array<number>(), ours: new Array<number>() }
        const step = Math.floor(messages / perPage / pages)
        // Three uncounted rounds first: the mail server reads a header from disk only once, and the code warms up.
        for (let round = -3; round < rounds; round++) {
          for (let page = 1; page <= pages * step; page += step) {
            for (const way of ["bare", "call", "ours"] as const) {
              const begun = performance.now()
              await ways[way](page)
              if (round >= 0) found[way].push(performance.now() - begun)
            }
          }
        }
        return found
      })
      const repeated = yield* Effect.promise(async () => {
        const found = { bare: new Array<number>(), ours: new Array<number>() }
        for (let round = -20; round < again; round++) {
          for (const way of ["bare", "ours"] as const) {
            const begun = performance.now()
            await ways[way](1)
            if (round >= 0) found[way].push(performance.now() - begun)
          }
        }
        return found
      })
      raw.close()
      http.close()
      const [floor, called, answered] = [median(times.bare), median(times.call), median(times.ours)]
      return [
        figure(`webmail: a page of ${messages} messages, from the session`, called, "ms", { floor }),
        figure("webmail: share of the bare commands, from the session", called / floor, "", { target }),
        figure(`webmail: a page of ${messages} messages, over HTTP`, answered, "ms", { floor }),
        figure("webmail: share of the bare commands, over HTTP", answered / floor, "", { target }),
        figure("webmail: the same page again, over HTTP", median(repeated.ours), "ms", {
          floor: median(repeated.bare)
        }),
        figure(
          "webmail: share of the bare commands, the same page again, over HTTP",
          median(repeated.ours) / median(repeated.bare),
          "",
          { target }
        )
      ]
    })
  )
)

/** The watcher's own mailbox access in this process: without HTTP, the caller's token, and the database. */
const sessionsOf = Effect.fnUntraced(function* ({ certificate, imapsPort }: Dovecot) {
  const ca = join(yield* temporaryDirectory(), "ca.pem")
  writeFileSync(ca, certificate!)
  const logins = Layer.succeed(
    MailLogins,
    MailLogins.of({
      imap: () => Effect.succeed({ host: "localhost", port: imapsPort!, foreign: false }),
      submission: () => Effect.die("not asked"),
      login: ({ address }) =>
        Effect.succeed({ user: address, secret: { _tag: "Password", value: Redacted.make(password) } })
    })
  )
  const layer = MailSessions.layer({ mailCa: ca }).pipe(Layer.provide([logins, GuardedHost.layer({ allowCidrs: [] })]))
  return Context.get(yield* Layer.build(layer), MailSessions.MailSessions)
})

const account = { id: 1, address: addressOf(0) } as Account
