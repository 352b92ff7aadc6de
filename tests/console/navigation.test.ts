/** Navigation in groups, the command palette, the keys, and pages whose files cannot be loaded. By keyboard only. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests } from "#support/console/Console.ts"

const console = consoleTests()

const settledPalette = (page: Page) =>
  page.waitForFunction(
    () => !/Searching|Suche läuft/.test(document.querySelector("dialog [role=status]")?.textContent ?? "")
  )

describe("finding one's way in the console", () => {
  it("groups the pages, and names only those that the user may open", async () => {
    const admin = await console.open(await console.user({ role: "admin" }))
    const navigation = admin.getByRole("navigation", { name: "Pages" })
    expect(await navigation.locator(".group-title").allTextContents()).toEqual([
      "Alarms",
      "Mail",
      "Telephony",
      "Domains",
      "Money",
      "Status",
      "System"
    ])
    const alarms = navigation.getByRole("list", { name: "Alarms" })
    expect(await alarms.getByRole("link").allTextContents()).toEqual(["Alarms", "Workflows", "Events"])
    const user = await console.open(await console.user())
    expect(await user.locator(".group-title").allTextContents()).not.toContain("Money")
    // The navigation scrolls by itself, so the page keeps its place.
    await admin.setViewportSize({ width: 1280, height: 400 })
    expect(
      await admin
        .locator(".groups")
        .evaluate((list) => [list.scrollHeight > list.clientHeight, list.clientHeight <= 400])
    ).toEqual([true, true])
  }, 120_000)

  it("opens pages and objects by the palette, by keyboard only", async () => {
    const anna = await console.user({ role: "admin" })
    const token = await console.run(console.suite.token)
    const made = await console.run(
      console.suite.call("POST", "/api/v1/crm/customers", {
        token,
        body: { number: "K-4711", name: "Bäckerei Sommer", tenant_id: 1 }
      })
    )
    expect(made.status, made.text).toBe(201)
    const page = await console.open(anna)
    await page.keyboard.press("Control+k")
    const palette = page.getByRole("dialog", { name: "Search and go to" })
    await palette.waitFor()
    await page.keyboard.type("invoi")
    await settledPalette(page)
    expect(await palette.getByRole("option").first().textContent()).toContain("Invoices")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Invoices" }).waitFor()
    await expect.poll(() => page.title()).toBe("Invoices · Signalbox")

    await page.keyboard.press("/")
    await palette.waitFor()
    await page.keyboard.type("sommer")
    await palette.getByRole("option", { name: /Bäckerei Sommer/ }).waitFor()
    await settledPalette(page)
    await checkPage(page, "palette")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Bäckerei Sommer" }).waitFor()

    await page.keyboard.press("?")
    await page.getByRole("dialog", { name: "Tasten" }).waitFor()
    await checkPage(page, "keys")
    await page.keyboard.press("Escape")
    expect(await page.getByRole("dialog").count()).toBe(0)
  }, 120_000)

  it("leaves keys to the field with the focus", async () => {
    const page = await console.open(await console.user({ role: "admin" }), "/customers")
    await page.getByRole("searchbox").first().focus()
    await page.keyboard.type("a/?")
    expect(await page.getByRole("searchbox").first().inputValue()).toBe("a/?")
    expect(await page.getByRole("dialog").count()).toBe(0)
  }, 120_000)

  it("leaves what is typed on in the text that filters a list", async () => {
    const page = await console.open(await console.user({ role: "admin" }), "/audit")
    const field = page.getByRole("searchbox").first()
    await field.focus()
    await page.keyboard.type("anna ")
    // The field has waited for further keys, and has set the filter without the space.
    await page.waitForURL(/[?&]actor=anna$/)
    await page.waitForTimeout(200)
    await page.keyboard.type("b")
    expect(await field.inputValue()).toBe("anna b")
    await page.getByRole("button", { name: "Remove the filters" }).click()
    await expect.poll(() => field.inputValue()).toBe("")
  }, 120_000)

  it("says that a page's files cannot be loaded, and loads them once the server delivers again", async () => {
    console.expecting(/ERR_FAILED|Failed to (load|fetch)|404|net::/)
    const page = await console.open(await console.user({ role: "admin" }))
    await page.locator(".shell[data-live=open]").waitFor()
    // Files of pages, and the console itself: the server is away.
    const away = (url: URL) => url.pathname === "/console/" || /\/assets\/.*\.(js|css)$/.test(url.pathname)
    await page.route(away, (route) => route.abort())
    await page.getByRole("navigation").getByRole("link", { name: "Workflows" }).click()
    await page.getByRole("heading", { level: 1, name: "This page could not be loaded" }).waitFor()
    await page.getByText("It is tried again by itself.").waitFor()
    await page.unroute(away)
    await page.getByRole("heading", { level: 1, name: "Workflows" }).waitFor()
  }, 120_000)

  it("loads the console again once, and not forever when it stays broken", async () => {
    console.expecting(/ERR_FAILED|Failed to (load|fetch)|404|net::/)
    const page = await console.open(await console.user({ role: "admin" }))
    await page.locator(".shell[data-live=open]").waitFor()
    let loads = 0
    page.on("request", (request) => {
      if (request.isNavigationRequest()) loads++
    })
    // The files of the pages that were not opened yet are broken.
    const loaded = new Set(await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name)))
    await page.route(
      (url) => /\/assets\/.*\.js$/.test(url.pathname) && !loaded.has(url.href),
      (route) => route.fulfill({ status: 404, body: "" })
    )
    await page.getByRole("navigation").getByRole("link", { name: "Workflows" }).click()
    await page.getByText("The server answers, but this part of the console cannot be loaded.").waitFor()
    await page.getByRole("button", { name: "Try again" }).waitFor()
    expect(loads).toBe(1)
    await checkPage(page, "load-failed")
  }, 120_000)
})
