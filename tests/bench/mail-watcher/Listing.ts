/** A page of a folder of 100,000 messages by our API, beside the bare IMAP command that any client would need for it. */
import { Effect } from "effect"
import { Agent, request } from "node:http"
import { figure, type Figure, median } from "../Figure.ts"
import { RawImap } from "./RawImap.ts"
import { addressOf, password, rigOf } from "./Rig.ts"

const messages = 100_000
const perPage = 50

/** Messages of one APPEND (RFC 3502). */
const batch = 1_000

/** Pages that are compared, spread over the folder; each once by each way in turn. */
const pages = 60

/** Most that a page may cost beside the bare command. Source: the issue's own target. */
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

export const listing: Effect.Effect<ReadonlyArray<Figure>> = Effect.orDie(Effect.scoped(Effect.gen(function*() {
  const { add, dovecot, sql, token, watcher: starting } = yield* rigOf(1)
  const raw = yield* Effect.promise(() => RawImap.login(dovecot.imapsPort!, dovecot.certificate!, addressOf(0), password))
  yield* Effect.promise(async () => {
    for (let first = 0; first < messages; first += batch) {
      const mails = Array.from({ length: batch }, (_, index) => message(first + index))
      await raw.ask(`APPEND INBOX${mails.map((mail) => ` {${mail.length}+}\r\n${mail}`).join("")}`)
    }
    await raw.ask("SELECT INBOX")
  })
  const watcher = yield* starting
  yield* add(0, 1)
  while ((yield* sql`select 1 from mail_watcher.account`).length === 0) yield* Effect.sleep(50)
  const agent = new Agent({ keepAlive: true })
  const path = (page: number) => `/api/v1/mail/webmail/messages/INBOX?account=${encodeURIComponent(addressOf(0))}&page=${page}&per_page=${perPage}`
  const ours = (page: number) =>
    new Promise<string>((resolve, reject) =>
      request(`${watcher.base}${path(page)}`, { agent, headers: { "x-service-token": token } }, (answer) => {
        let text = ""
        answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk)).on("end", () => answer.statusCode === 200 ? resolve(text) : reject(new Error(text)))
      }).on("error", reject).end())
  const bare = (page: number) => {
    const last = messages - (page - 1) * perPage
    return raw.ask(`FETCH ${last - perPage + 1}:${last} (UID FLAGS ENVELOPE INTERNALDATE RFC822.SIZE BODYSTRUCTURE)`)
  }
  const times = yield* Effect.promise(async () => {
    const found = { ours: new Array<number>(), bare: new Array<number>() }
    const timed = async (work: () => Promise<unknown>) => {
      const begun = performance.now()
      await work()
      return performance.now() - begun
    }
    const step = Math.floor(messages / perPage / pages)
    // Once each before it counts: the mail server reads a message's header from disk the first time only.
    for (let page = 1; page <= pages * step; page += step) {
      await bare(page)
      await ours(page)
    }
    for (let round = 0; round < 5; round++) {
      for (let page = 1; page <= pages * step; page += step) {
        found.bare.push(await timed(() => bare(page)))
        found.ours.push(await timed(() => ours(page)))
      }
    }
    return found
  })
  raw.close()
  agent.destroy()
  const [value, floor] = [median(times.ours), median(times.bare)]
  return [
    figure(`webmail: a page of ${messages} messages`, value, "ms", { floor }),
    figure("webmail: share of the bare command", value / floor, "", { target })
  ]
})))
