/**
 * The pages in a real browser: what it and axe-core find wrong with them, how they are used by keyboard and without
 * script.
 */
import { HttpServerResponse } from "effect/http"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { historyPage } from "#daemons/status-checker/publication/pages/HistoryPage.ts"
import { incidentPage } from "#daemons/status-checker/publication/pages/IncidentPage.ts"
import type { Language } from "#core/words/Language.ts"
import { statusPage, statusPageHeaders } from "#daemons/status-checker/publication/pages/StatusPage.ts"
import * as Pages from "#daemons/status-checker/subscriptions/SubscriberPages.ts"
import { graveFindings, narrow } from "#support/Axe.ts"
import { ensurePeers } from "#support/peers/install.ts"
import { screenshot, still } from "#support/Screenshots.ts"
import { sharedBrowser } from "#support/TestBrowser.ts"
import { component, everything, ninety, picture, snapshot, usual } from "./Shown.ts"

const shown = everything()
const components = shown.components.map(({ component }) => component)
/** Names as long as they get, without a place to break. */
const long = snapshot([
  picture(
    component(
      "long",
      "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
      "x".repeat(120),
      "G".repeat(80)
    ),
    "degraded_performance",
    ninety()
  )
])

const status = (of: typeof shown) => (language: Language) =>
  HttpServerResponse.text(statusPage(of, language), {
    contentType: "text/html; charset=utf-8",
    headers: statusPageHeaders
  })
const pages: Readonly<Record<string, (language: Language) => HttpServerResponse.HttpServerResponse>> = {
  "/": status(shown),
  "/good": status(usual(6)),
  "/none": status(snapshot([])),
  "/long": status(long),
  "/subscribe": (language) => Pages.subscribePage({ language, components }),
  "/wrong": (language) =>
    Pages.subscribePage({
      language,
      components,
      problem: "email",
      typed: { email: "ann", lang: "de", components: ["imap"] }
    }),
  "/mailbox": (language) => Pages.mailboxPage({ language, email: "ann@example.org", hours: 48 }),
  "/subscribe/confirm": (language) => Pages.confirmPage({ language, token: "abc" }),
  "/confirmed": (language) => Pages.confirmedPage({ language }),
  "/unsubscribe": (language) => Pages.unsubscribePage({ language, token: "abc" }),
  "/unsubscribed": (language) => Pages.unsubscribedPage({ language }),
  "/gone": (language) => Pages.linkGonePage({ language }),
  "/not-configured": (language) => Pages.notConfiguredPage({ language }),
  "/incidents/imap-2026-11-22": (language) => incidentPage(shown.incidents[0]!, shown.components, language),
  "/history": (language) => historyPage(shown, language, 1)
}

let browser: Browser | undefined
let server: Server
let base: string
const contexts: Array<BrowserContext> = []
/** What was asked for, and what forms sent. */
let asked: Array<string> = []
let problems: Array<string> = []

const answer = async (request: IncomingMessage, response: ServerResponse) => {
  const { pathname, searchParams } = new URL(request.url!, base)
  asked.push(pathname)
  const language = searchParams.get("lang") === "de" ? "de" : "en"
  let page = pages[pathname]
  if (request.method === "POST") {
    let body = ""
    for await (const chunk of request) body += chunk
    asked.push(`${request.url} ${body}`)
    page = pages["/mailbox"]!
  }
  if (page === undefined) return void response.writeHead(404).end()
  const web = HttpServerResponse.toWeb(page(language))
  response.writeHead(web.status, Object.fromEntries(web.headers)).end(await web.text())
}

/** Opens a page in a new context, which is closed after the test. */
const open = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await opened(options)
  contexts.push(page.context())
  await page.goto(base + path)
  return page
}

const opened = async (options: BrowserContextOptions = {}): Promise<Page> => {
  const context = await browser!.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  page.on(
    "console",
    (message) =>
      message.type() === "error" && !/status of (410|422|503)/.test(message.text()) && problems.push(message.text())
  )
  page.on(
    "request",
    (request) =>
      request.url().startsWith("data:") ||
      asked.push(
        `${request.resourceType()} ${new URL(request.url()).host === new URL(base).host ? "here" : request.url()}`
      )
  )
  return page
}

beforeAll(async () => {
  await ensurePeers(["browser"])
  browser = await sharedBrowser()
  if (browser === undefined) return
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}, 120_000)
afterAll(async () => {
  server?.closeAllConnections()
  server?.close()
})
beforeEach((context) => {
  if (browser === undefined) context.skip("tests need Chromium: apt install chromium-headless-shell")
  asked = []
  problems = []
})
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
  expect(problems).toEqual([])
})

const nameOf = (path: string) => (path === "/" ? "status" : `status-${path.slice(1).split("/").join("-")}`)

/** What is wrong with a page in one language, scheme and width. */
const look = async (
  page: Page,
  path: string,
  language: Language,
  colorScheme: "light" | "dark",
  width: number
): Promise<ReadonlyArray<string>> => {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 800 })
  const address = `${base}${path}?lang=${language}`
  if (page.url() !== address) await page.goto(address)
  const name = `${nameOf(path)}.${language}.${colorScheme}`
  await still(page)
  await screenshot(page, width === narrow ? `${name}.narrow` : name, { fullPage: true })
  // Folded parts are looked at as well.
  await page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  return [...(await graveFindings(page)), ...(wide > width ? [`${wide} pixels wide on a screen of ${width}`] : [])].map(
    (finding) => `${path} ${language} ${colorScheme} ${width}: ${finding}`
  )
}

describe("axe-core finds nothing serious, and nothing is wider than the screen", () => {
  // One page for all of them: a new context needs a new process, which compiles axe-core from nothing.
  let page: Page
  beforeAll(async () => {
    if (browser !== undefined) page = await opened()
  })
  afterAll(() => page?.context().close())

  it.each(["en", "de"] as const)(
    "on the status page, in each scheme (%s)",
    async (language) => {
      const found: Array<string> = []
      for (const scheme of ["light", "dark"] as const)
        for (const width of [narrow, 1280]) found.push(...(await look(page, "/", language, scheme, width)))
      expect(found).toEqual([])
    },
    120_000
  )

  it.each(["/good", "/none", "/long", "/wrong", "/history", "/incidents/imap-2026-11-22"])(
    "on %s",
    async (path) => {
      expect([
        ...(await look(page, path, "en", "light", 1280)),
        ...(await look(page, path, "de", "dark", narrow))
      ]).toEqual([])
    },
    120_000
  )

  // They are of one frame: each is looked at once, in turn wide and light or narrow and dark.
  it("on the small pages of subscribers", async () => {
    const found: Array<string> = []
    for (const [at, path] of [
      "/subscribe",
      "/mailbox",
      "/subscribe/confirm",
      "/confirmed",
      "/unsubscribe",
      "/unsubscribed",
      "/gone",
      "/not-configured"
    ].entries()) {
      found.push(
        ...(await look(
          page,
          path,
          at % 4 < 2 ? "en" : "de",
          at % 2 === 0 ? "light" : "dark",
          at % 2 === 0 ? 1280 : narrow
        ))
      )
    }
    expect(found).toEqual([])
  }, 120_000)
})

describe("times", () => {
  const [at, from] = ["time[datetime*=T]", "[data-from]"]

  it("are in the reader's time zone, with UTC as the title", async () => {
    const page = await open("/?lang=en", { timezoneId: "America/New_York" })
    const moment = page.locator(at).first()
    const utc = new Date((await moment.getAttribute("datetime"))!)
    const options = { hour: "2-digit", minute: "2-digit" } as const
    const local = utc.toLocaleTimeString("en-GB", { ...options, timeZone: "America/New_York" })
    expect(await moment.textContent()).toContain(local)
    expect(await moment.getAttribute("title")).toContain(
      `${utc.toLocaleTimeString("en-GB", { ...options, timeZone: "UTC" })} UTC`
    )
    expect(await page.locator(from).first().textContent()).toMatch(/GMT-[45]|ES?T|EDT/)
    expect(await page.locator(from).first().getAttribute("title")).toContain("UTC")
    await page.getByText("Times are in your time zone, days in UTC.").waitFor()
  })

  it("are in UTC without script", async () => {
    const page = await open("/?lang=de", { javaScriptEnabled: false, timezoneId: "America/New_York" })
    expect(await page.locator(at).first().textContent()).toContain("UTC")
    await page.getByText("Alle Zeiten in UTC.").waitFor()
  })
})

describe("without script", () => {
  it("the page unfolds, selects and subscribes", async () => {
    const page = await open("/?lang=de", { javaScriptEnabled: false })
    await page.getByRole("link", { name: "Abonnieren" }).click()
    await page.getByLabel("E-Mail-Adresse").fill("ann+a@example.org")
    await page.getByLabel("Sprache der E-Mails").selectOption("en")
    await page.getByText("Nur bestimmte Systeme").click()
    await page.getByRole("checkbox", { name: "Webmail" }).check()
    await page.getByRole("checkbox", { name: "Postfächer (IMAP)" }).check()
    await page.getByRole("button", { name: "Abonnieren" }).click()
    await page.getByRole("heading", { name: "Bitte sehen Sie in Ihr Postfach" }).waitFor()
    expect(asked).toContain("/subscribe?lang=de email=ann%2Ba%40example.org&lang=en&components=webmail&components=imap")
  })

  it("one button confirms", async () => {
    const page = await open("/subscribe/confirm?token=abc&lang=en", { javaScriptEnabled: false })
    await page.getByRole("button", { name: "Confirm subscription" }).click()
    await page.getByRole("heading", { level: 1, name: "Please check your mailbox" }).waitFor()
    expect(asked.some((one) => one.startsWith("/subscribe/confirm?token=abc&lang=en"))).toBe(true)
  })

  it("the page shows the days of a component in a table, and each bar on hover", async () => {
    const page = await open("/?lang=en", { javaScriptEnabled: false })
    const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Sending mail (SMTP)" }) })
    const table = row.getByRole("table", { name: "Sending mail (SMTP): Day by day" })
    expect(await table.isVisible()).toBe(false)
    await row.locator("summary").click()
    await table.waitFor()
    expect(await table.getByRole("row").nth(1).innerText()).toMatch(/21.*22 Nov\s+Degraded performance\s+100%/)
    // The tooltip of SVG is its title.
    const box = (await row.locator("svg.bars").boundingBox())!
    const title = await page.evaluate(
      ([x, y]) => document.elementFromPoint(x!, y!)?.querySelector("title")?.textContent ?? "",
      [box.x + box.width - 2, box.y + box.height - 4]
    )
    expect(title).toMatch(/^21.*22 Nov: Degraded performance, 100% uptime$/)
  })

  it("the page loads no other resource", async () => {
    const page = await open("/?lang=en")
    await page.waitForLoadState("networkidle")
    expect(asked.toSorted()).toEqual(["/", "document here"])
  })
})

describe("by keyboard", () => {
  it("every control is reached in order, visible, and no focus trap exists", async () => {
    const page = await open("/?lang=en")
    const stops: Array<string> = []
    for (let presses = 0; presses < 80; presses++) {
      await page.keyboard.press("Tab")
      const stop = await page.evaluate(() => {
        const one = document.activeElement!
        const { outlineStyle, outlineWidth } = getComputedStyle(one)
        const box = one.getBoundingClientRect()
        const seen = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2 && box.width > 0 && box.left >= 0
        return one === document.body
          ? ""
          : `${one.tagName} ${(one.textContent || one.getAttribute("name") || "").slice(0, 24)}${seen ? "" : " (unseen)"}`
      })
      if (stop === "") break
      stops.push(stop)
    }
    expect(stops.filter((one) => one.endsWith("(unseen)"))).toEqual([])
    expect(stops[0]).toBe("A Skip to content")
    const order = [
      "A Deutsch",
      "A Subscribe",
      "A Mailboxes unreachable",
      "SUMMARY 99.39% uptime",
      "A Sending mail disrupted",
      "SUMMARY How it went",
      "INPUT email",
      "SELECT",
      "SUMMARY Only certain systems",
      "BUTTON Subscribe",
      "A API documentation"
    ]
    const at = order.map((wanted) => stops.findIndex((stop) => stop.replace(/[\u00a0\u202f]/g, " ").startsWith(wanted)))
    expect(at).not.toContain(-1)
    expect(at).toEqual(at.toSorted((a, b) => a - b))
  })

  it("the page skips to the content and unfolds the days", async () => {
    const page = await open("/?lang=en")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main")
    const summary = page.locator(".history summary").first()
    await summary.focus()
    await page.keyboard.press("Enter")
    expect(await page.locator(".history details").first().getAttribute("open")).not.toBeNull()
  })
})

describe("on paper", () => {
  it("the page omits controls and is light", async () => {
    const page = await open("/?lang=de", { colorScheme: "dark" })
    await page.emulateMedia({ media: "print" })
    expect(
      await page
        .locator("nav, #subscribe, footer ul")
        .evaluateAll((all) => all.filter((one) => one.getClientRects().length > 0).length)
    ).toBe(0)
    expect(await page.evaluate(() => getComputedStyle(document.querySelector(".card")!).backgroundColor)).toBe(
      "rgb(255, 255, 255)"
    )
    await screenshot(page, "status.print", { fullPage: true })
  })
})
