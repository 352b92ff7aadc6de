/**
 * HTML mails run no scripts and request no resources. Attack pages are given to the frame directly, without the
 * server's sanitiser. Some also go through a real Dovecot and the console.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { mailHome, poll } from "#support/console/MailHome.ts"
import { hostile } from "../../../core/html/corpus.ts"
import { base64, mail } from "../../../daemons/mail-watcher/webmail-reading/Mails.ts"
import { newsletter } from "./Letters.ts"

const ann = "ann@example.test"
const home = mailHome([ann])
const { console } = home
const folder = join(import.meta.dirname, "../../../daemons/mail-watcher/webmail-reading/hostile")

/** Inserts scripts that notify the parent page, and resources at `.invalid` names, which the harness records. */
const armed = (text: string) =>
  text
    .replaceAll("RUN", "top.postMessage(/ran/.source,/./.source===1?1:String.fromCharCode(42))")
    .replaceAll("NET", "http://net.invalid/net")

/** Console messages of the browser when the Content-Security-Policy refuses something. */
const refused =
  /Blocked autofocusing|Unsafe attempt to load URL|violates the following Content Security Policy|Refused to|Blocked script execution|blob:null|Not allowed to load local resource|ERR_FILE_NOT_FOUND|Mixed Content|Failed to load resource: net::ERR_(UNKNOWN_URL_SCHEME|INVALID_URL)/

describe("the frame of a mail's page", () => {
  it("runs nothing and fetches nothing, whatever it is given", async () => {
    const user = await console.user()
    // This page asks for nothing but notifications by itself, also when its connection for events opens late.
    const page = await console.open(user, "/notifications")
    console.expecting(refused)
    // The browser reports a request before its policy refuses it. A route handler sees only the requests that would be
    // sent.
    console.expecting(/^asked http:\/\/net\.invalid/)
    const asked: Array<string> = []
    await page.context().route(/^(?!data:|blob:)/, (route) => {
      asked.push(route.request().url())
      return route.request().url().startsWith(console.base) ? route.continue() : route.abort()
    })
    const popups: Array<string> = []
    page.context().on("page", (opened) => popups.push(opened.url()))
    const told = await page.evaluate(async (pages) => {
      const told: Array<unknown> = []
      addEventListener("message", ({ data }) => told.push(typeof data === "object" ? data.kind : data))
      for (const address of ["/console/mail.html"]) {
        await Promise.all(
          pages.map(
            (html) =>
              new Promise<void>((resolve) => {
                const frame = document.createElement("iframe")
                frame.sandbox.value = "allow-scripts allow-popups allow-popups-to-escape-sandbox"
                frame.src = address
                frame.onload = () => {
                  frame.contentWindow!.postMessage(
                    { kind: "mail", html, pictures: new Map(), remote: false, lang: "en", title: "x" },
                    "*"
                  )
                  setTimeout(resolve, 1000)
                }
                document.body.append(frame)
              })
          )
        )
      }
      return told
    }, Object.values(hostile).map(armed))
    expect(told.filter((one) => one !== "height")).toEqual([])
    // Each page was shown.
    expect(told.length).toBeGreaterThanOrEqual(Object.keys(hostile).length)
    expect(
      asked.filter(
        (url) => url !== `${console.base}/console/mail.html` && !url.startsWith(`${console.base}/api/v1/notifications`)
      )
    ).toEqual([])
    expect(popups).toEqual([])
    for (const frame of page.frames().filter((frame) => frame !== page.mainFrame())) {
      expect(frame.url()).toMatch(/\/console\/mail\.html$/)
      expect(
        await frame.evaluate(() => [
          self.origin,
          document.body.querySelectorAll("script, link, meta, base, iframe, object, embed, form").length
        ])
      ).toEqual(["null", 0])
    }
  }, 120_000)

  it("is answered with a policy of its own, for the console alone", async () => {
    for (const [path, images] of [
      ["/console/mail.html", "img-src data: blob:;"],
      ["/console/mail-images.html", "img-src data: blob: http: https:;"]
    ] as const) {
      const answer = await fetch(console.base + path)
      const policy = answer.headers.get("content-security-policy")!
      expect(policy).toContain(images)
      expect(policy).toMatch(
        /^default-src 'none'; script-src 'sha256-[\w+/=]{44}'; style-src 'unsafe-inline'; .*frame-ancestors 'self'; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox$/
      )
      expect([
        answer.headers.get("x-frame-options"),
        answer.headers.get("x-dns-prefetch-control"),
        answer.headers.get("referrer-policy")
      ]).toEqual(["SAMEORIGIN", "off", "no-referrer"])
    }
    expect((await fetch(`${console.base}/console/`)).headers.get("content-security-policy")).toContain(
      "frame-ancestors 'none'"
    )
  })

  it("takes hostile mail the whole way", async () => {
    const names = [
      "handlers",
      "javascript links",
      "svg",
      "style elements",
      "meta, base",
      "frames",
      "forms",
      "links that open",
      "images of the net",
      "template"
    ]
    for (const name of names) {
      await home.deliver(
        ann,
        mail(
          { Subject: name, "Content-Type": "text/html; charset=utf-8", "Content-Transfer-Encoding": "base64" },
          base64(Buffer.from(`<p>shown</p>${armed(hostile[name]!)}`))
        )
      )
    }
    for (const name of readdirSync(folder))
      await home.deliver(ann, armed(readFileSync(join(folder, name), "latin1")).replace(/\r?\n/g, "\r\n"))
    await home.deliver(ann, newsletter)
    const user = await home.user(ann)
    const page = await console.open(user, "/mail")
    const told: Array<string> = []
    await page.exposeFunction("told", (what: string) => told.push(what))
    await page.evaluate(() =>
      addEventListener(
        "message",
        ({ data }) => typeof data === "string" && (globalThis as unknown as { told: (what: string) => void }).told(data)
      )
    )
    const { items } = await home.ask(user, "GET", "/api/v1/mail/webmail/messages/INBOX?per_page=200")
    expect(items.length).toBe(names.length + readdirSync(folder).length + 1)
    const rows = page.locator("table.mails tbody tr")
    for (let at = 0; at < items.length; at++) {
      await rows.nth(at).locator(".subject a").click()
      await page.locator(".mail-text, iframe.mail-frame").waitFor()
      if ((await page.locator("iframe.mail-frame").count()) === 1)
        await poll(() => page.locator("iframe.mail-frame").evaluate((frame) => frame.clientHeight)).not.toBe(240)
      await page.getByRole("link", { name: "Back to Inbox" }).click()
      await rows.first().waitFor()
    }
    expect(told).toEqual([])
    expect(page.url()).toBe(`${console.base}/console/mail/INBOX`)
  }, 180_000)
})
