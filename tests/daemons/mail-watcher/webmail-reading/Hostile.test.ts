/**
 * Hostile mail through a real Dovecot: all of it can be read, and nothing crashes, hangs or uses much memory. The
 * resulting HTML runs no scripts and requests no resources.
 */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert } from "vitest"
import { maxTextBytes } from "#daemons/mail-watcher/webmail-reading/message/MessageFetch.ts"
import { shownImages } from "#daemons/mail-watcher/webmail-reading/message/FileName.ts"
import { open } from "#support/peers/Chromium.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { heavy, hostile } from "../../../core/html/corpus.ts"
import { addAccount, startWatcher } from "../Watcher.ts"
import { base64, callsOf, mail, multipart, type Part } from "./Mails.ts"

const ann = "ann@example.test"
const folder = join(import.meta.dirname, "hostile")

/** Inserts scripts that request `/ran`, and resources at `.invalid` names. The browser's server records both. */
const armed = (text: string) =>
  text.replaceAll("RUN", "fetch(/ran/.source)").replaceAll("NET", "http://net.invalid/net")

const files: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(folder).map((name) => [name, armed(readFileSync(join(folder, name), "latin1")).replace(/\r?\n/g, "\r\n")])
)

const pages: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(hostile).map(([name, html]) => [
    name,
    mail(
      { Subject: name, "Content-Type": "text/html; charset=utf-8", "Content-Transfer-Encoding": "base64" },
      base64(Buffer.from(armed(html)))
    )
  ])
)

const bomb = gzipSync(Buffer.alloc(50_000_000))

const nested = (levels: number, wrap: (inner: Part, level: number) => Part, core: Part): Part =>
  Array.from({ length: levels }).reduce<Part>((inner, _, level) => wrap(inner, level), core)

const whole = ({ body, type }: Part, subject: string) => mail({ Subject: subject, "Content-Type": type }, body)

const file = (number: number): Part => ({
  type: `application/x-foo; name="f${number}.bin"`,
  headers: { "Content-Disposition": `attachment; filename="f${number}.bin"` },
  body: "x"
})

const made: Readonly<Record<string, () => string>> = {
  "a compressed bomb": () =>
    whole(
      multipart("mixed", [
        { type: "text/plain", body: "bomb" },
        {
          type: "application/gzip",
          headers: { "Content-Transfer-Encoding": "base64", "Content-Encoding": "gzip" },
          body: base64(bomb)
        }
      ]),
      "bomb"
    ),
  "10,000 parts": () =>
    whole(
      multipart(
        "mixed",
        Array.from({ length: 10_000 }, (_, number) => file(number))
      ),
      "parts"
    ),
  "10,000 texts": () =>
    whole(
      multipart(
        "mixed",
        Array.from({ length: 10_000 }, () => ({ type: "text/html", body: armed("<img src=x onerror=RUN>") }))
      ),
      "texts"
    ),
  "200 nested messages": () =>
    whole(
      nested(200, (inner, level) => ({ type: "message/rfc822", body: whole(inner, `level ${level}`) }), {
        type: "text/html",
        body: armed("<script>RUN</script>")
      }),
      "deep messages"
    ),
  "200 nested multiparts": () =>
    whole(
      nested(200, (inner, level) => multipart("mixed", [inner], `b${level}`), {
        type: "text/html",
        body: armed("<script>RUN</script>")
      }),
      "deep parts"
    ),
  "a subject of a megabyte": () => mail({ Subject: "s".repeat(1_000_000) }, "text"),
  "20,000 recipients": () =>
    mail(
      {
        Subject: "recipients",
        To: Array.from({ length: 20_000 }, (_, number) => `"Name ${number}" <a${number}@far.test>`).join(",\r\n ")
      },
      "text"
    ),
  "20,000 headers": () =>
    mail(
      {
        Subject: "headers",
        ...Object.fromEntries(Array.from({ length: 20_000 }, (_, number) => [`X-H${number}`, "v".repeat(50)]))
      },
      "text"
    ),
  "a text of 5 MB": () => mail({ Subject: "long" }, `${"word ".repeat(200)}\r\n`.repeat(5_000)),
  "a page of 100,000 open elements": () =>
    mail(
      { Subject: "open", "Content-Type": "text/html" },
      heavy["100,000 open elements"]!().replace(/.{900}/g, "$&\r\n")
    )
}

/**
 * Longest block of the event loop. Unit: milliseconds of processor time. Reason: a loaded machine with two cores;
 * without limits, a page with these messages blocks for ten seconds and more.
 */
const maxBlock = 1_500

/**
 * Measures the longest block of the event loop, until the returned function is called. Only processor time of this
 * thread counts, because other work of the machine also delays the event loop. Unit: milliseconds.
 */
const longestBlock = () => {
  let before = process.threadCpuUsage()
  let longest = 0
  const timer = setInterval(() => {
    const { system, user } = process.threadCpuUsage(before)
    longest = Math.max(longest, (system + user) / 1_000)
    before = process.threadCpuUsage()
  }, 10)
  return () => {
    clearInterval(timer)
    return longest
  }
}

/** Largest memory growth of the process. Unit: bytes. */
const maxGrowth = 500_000_000

describePeers(["dovecot", "chromium"], "mail made to hurt", () => {
  it.live(
    "is readable and runs nowhere",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const placed = yield* startWatcher([ann])
          yield* addAccount(placed, { address: ann, tenant: 7 })
          const names = [...Object.keys(files), ...Object.keys(pages), ...Object.keys(made)]
          for (const raw of [
            ...Object.values(files),
            ...Object.values(pages),
            ...Object.values(made).map((make) => make())
          ])
            yield* placed.dovecot.deliver(ann, raw)
          const { get, ok, raw } = callsOf(placed)

          const before = process.memoryUsage().rss
          const blocked = longestBlock()
          const list = yield* ok("/messages/INBOX?per_page=200")
          assert.strictEqual(list.items.length, names.length)
          const shown: Array<string> = []
          for (const [at, name] of names.entries()) {
            const uid = at + 1
            const message = yield* ok(`/messages/INBOX/${uid}`)
            const words = JSON.stringify([
              message.from,
              message.to,
              message.reply_to,
              message.subject,
              list.items.find((item: any) => item.uid === uid)
            ])
            // oxlint-disable-next-line no-control-regex
            assert.notMatch(words, /\\u00[01]|[\u0000-\u001f\u202a-\u202e]/, name)
            if (message.html !== null) shown.push(message.html)
            for (const { filename, part } of message.attachments.slice(0, 20)) {
              assert.notMatch(filename, /[/\\\p{C}]|^\./u, name)
              const answer = yield* raw(`/messages/INBOX/${uid}/attachments/${part}?inline=true`)
              const [type, how] = [answer.headers.get("content-type")!, answer.headers.get("content-disposition")!]
              assert.strictEqual(answer.status, 200, name)
              assert.match(how, /^(?:attachment|inline); filename="[^"\\]+"; filename\*=UTF-8''[\w.!~%-]+$/, name)
              assert.isTrue(how.startsWith("attachment;") || shownImages.includes(type), `${name} ${how} ${type}`)
              assert.notMatch(type, /html|svg|xml|script/, name)
              const bytes = Buffer.from(yield* Effect.promise(() => answer.arrayBuffer()))
              if (name === "a compressed bomb") assert.deepStrictEqual(bytes, bomb)
            }
            if (Object.hasOwn(pages, name)) continue
            const source = yield* raw(`/messages/INBOX/${uid}/raw`)
            assert.strictEqual(
              Buffer.from(yield* Effect.promise(() => source.arrayBuffer())).length,
              message.size,
              name
            )
          }
          const uidOf = (name: string) => names.indexOf(name) + 1
          const parts = yield* ok(`/messages/INBOX/${uidOf("10,000 parts")}`)
          assert.deepStrictEqual([parts.truncated, parts.subject], [true, "parts"])
          assert.strictEqual((yield* ok(`/messages/INBOX/${uidOf("200 nested multiparts")}`)).subject, "deep parts")
          const long = yield* ok(`/messages/INBOX/${uidOf("a text of 5 MB")}`)
          assert.deepStrictEqual(
            [long.truncated, long.text.length > 0.9 * maxTextBytes, long.text.length <= maxTextBytes],
            [true, true, true]
          )
          assert.strictEqual((yield* ok(`/messages/INBOX/${uidOf("spoofed-names.eml")}`)).subject, "gnp.exe")
          assert.strictEqual((yield* get("/search?q=parts")).status, 200)
          assert.strictEqual((yield* get("/threads/INBOX?per_page=200")).status, 200)
          yield* Effect.sleep("20 millis")
          assert.isBelow(blocked(), maxBlock)
          assert.isBelow(process.memoryUsage().rss - before, maxGrowth)

          assert.isAbove(shown.length, Object.keys(pages).length)
          // Only the message's own pictures are requested, from our API with the reader's credentials.
          const { asked } = yield* open(shown.map((html) => () => html))
          assert.deepStrictEqual(
            asked.filter((path) => !path.startsWith("/api/v1/mail/webmail/messages/INBOX/")),
            []
          )
        })
      ),
    240_000
  )
})
