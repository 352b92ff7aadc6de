/** The guide in a real browser: themes, filter, copies, policy and accessibility. */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { before } from "#core/lane/FastLane.ts"
import { guidePath } from "#core/gateway/FrontPage.ts"
import { lane, read } from "#daemons/comm-dispatcher/console-host/ConsoleFiles.ts"
import { graveFindings, narrow } from "#support/Axe.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { sharedBrowser } from "#support/TestBrowser.ts"
import { buildGuide } from "../../scripts/buildGuide.ts"

describePeers(["chromium"], "the guide in a browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-guide-"))
  let server: Server
  let base = ""
  beforeAll(async () => {
    buildGuide(join(folder, "guide"))
    server = createServer(
      before(
        { lane: lane(read(folder)), daemon: "test" },
        () => {},
        (_, response) => response.end()
      )
    )
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })

  /** Opens a page; the test fails when the browser reports an error, such as something that the policy forbids. */
  const visit = async (path: string, test: (page: Page) => Promise<void>) => {
    const browser = await sharedBrowser()
    const context = await browser!.newContext()
    try {
      const problems: Array<string> = []
      const page = await context.newPage()
      page.on("console", (message) => message.type() === "error" && problems.push(message.text()))
      page.on("pageerror", (error) => void problems.push(String(error)))
      await page.goto(`${base}${guidePath}${path}`)
      await test(page)
      expect(problems.filter((text) => !text.includes("icon.svg") && !text.includes("404"))).toEqual([])
    } finally {
      await context.close()
    }
  }

  it("filters pages by title, on the first page also by heading, and opens the first by Enter", () =>
    visit("", async (page) => {
      const entries = page.locator("#pages li:visible")
      const all = await entries.count()
      await page.getByRole("searchbox").fill("quick")
      expect(await entries.allInnerTexts()).toEqual(["Quick start"])
      await page.getByRole("searchbox").fill("sign in")
      expect(await entries.allInnerTexts()).toContain("Quick start")
      await page.getByRole("searchbox").fill("no such words")
      await page.getByText("No page has these words").waitFor()
      await page.getByRole("searchbox").fill("")
      expect(await entries.count()).toBe(all)
      await page.getByRole("searchbox").fill("troubleshooting")
      await page.keyboard.press("Enter")
      await page.waitForURL(/\/troubleshooting\.html$/)
      expect(await page.locator("h1").innerText()).toMatch(/^Troubleshooting/)
    }))

  it("tells a German reader in German that the pages are English", () =>
    visit("", async (page) => {
      const note = page.getByText("Diese Anleitung gibt es nur auf Englisch.")
      expect(await note.isVisible()).toBe(false)
      await page.evaluate(() => localStorage.setItem("signalbox.language", "de"))
      await page.reload()
      await note.waitFor()
      expect(await graveFindings(page)).toEqual([])
    }))

  it("follows a link between documents, and a folder without its slash", () =>
    visit("", async (page) => {
      await page.locator("main").getByRole("link", { name: "Quick start" }).click()
      await page.waitForURL(/\/quick-start\.html$/)
      expect((await page.request.get(`${base}/console/guide`)).status()).toBe(200)
      expect((await page.request.get(`${base}/console/guide/no-such-page.html`)).status()).toBe(404)
    }))

  it("copies a block", () =>
    visit("quick-start.html", async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      // The button says so for two seconds, so the wait for it begins before.
      await Promise.all([
        page.getByRole("button", { name: "Copied" }).waitFor(),
        page.getByRole("button", { name: "Copy" }).first().click()
      ])
      expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("signalbox alarm send --demo")
    }))

  it("has the theme of the system, or the one that the console stored", () =>
    visit("", async (page) => {
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      await page.emulateMedia({ colorScheme: "light" })
      expect(await background()).toBe("rgb(255, 255, 255)")
      await page.emulateMedia({ colorScheme: "dark" })
      expect(await background()).toBe("rgb(18, 22, 28)")
      await page.evaluate(() => localStorage.setItem("signalbox.theme", "light"))
      await page.reload()
      expect(await background()).toBe("rgb(255, 255, 255)")
    }))

  it.each([
    ["", "light", narrow],
    ["architecture.html", "dark", 1280],
    ["troubleshooting.html", "dark", narrow]
  ] as const)("%s is accessible and fits the screen: %s, %d pixels", (path, colorScheme, width) =>
    visit(path, async (page) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      expect(await graveFindings(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    })
  )
})
