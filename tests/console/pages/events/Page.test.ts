/** The event log in the console: filter by pattern and time, live updates, counts. */
import { describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests } from "#support/console/Console.ts"

const console = consoleTests()

describe("events in the console", () => {
  it("shows what happens as it happens, filtered by pattern and time, each with all that it says", async () => {
    const anna = await console.user({ role: "admin" })
    for (let number = 1; number <= 3; number++)
      await console.emit("order.created", { order: number, note: "<b>bold</b>" }, { tenantId: 1 })
    await console.emit("order.paid", { order: 1 }, { tenantId: 1, userId: anna.id })
    await console.emit("order.paid", { order: 77 }, { tenantId: await console.tenant() })
    const page = await console.open(anna, "/events")
    const rows = page.locator("ol.events > li")
    await rows.filter({ hasText: "order.created" }).nth(2).waitFor()

    // By keyboard: focus the pattern, type and submit.
    await page.locator("input[name=pattern]").focus()
    await page.keyboard.type("order.*")
    await page.keyboard.press("Enter")
    await page.waitForFunction(() =>
      [...document.querySelectorAll("ol.events > li strong")].every(({ textContent }) =>
        textContent!.startsWith("order.")
      )
    )
    expect(await rows.locator("strong").allTextContents()).toEqual([
      "order.paid",
      "order.created",
      "order.created",
      "order.created"
    ])
    expect(page.url()).toMatch(/\?pattern=order\.\*$/)

    // A matching new event appears without a reload; others do not.
    await console.emit("invoice.sent", { invoice: 1 }, { tenantId: 1 })
    await console.emit("order.shipped", { order: 1 }, { tenantId: 1 })
    await rows.filter({ hasText: "order.shipped" }).waitFor()
    expect(await rows.count()).toBe(5)

    const first = rows.filter({ hasText: "order.created" }).first()
    await first.locator("summary").focus()
    await page.keyboard.press("Enter")
    // Markup is shown as text.
    await first.getByText('"note": "<b>bold</b>"').waitFor()
    expect(await first.locator("pre b").count()).toBe(0)

    const table = page.locator("figure.chart details")
    await table.locator("summary").click()
    expect(await table.locator("thead th").allTextContents()).toContain("order.created")
    const totals = (await table.locator("tbody td:last-child").allTextContents()).map(Number)
    expect(totals.reduce((all, one) => all + one, 0)).toBeGreaterThanOrEqual(4)
    await table.locator("summary").click()
    await checkPage(page, "events")

    // Live updates can be switched off.
    await page.locator("input[name=live]").uncheck()
    await console.emit("order.held", { order: 1 }, { tenantId: 1 })
    await console.emit("system.notification", { title: "x" }, { userId: anna.id })
    await page.locator("select[name=range]").selectOption("custom")
    await page.locator("input[name=until]").fill("2026-01-01T00:00")
    await page.getByText("Keine Ereignisse.").waitFor()
    await page.locator("input[name=until]").fill("")
    await rows.filter({ hasText: "order.held" }).waitFor()

    await page.locator("input[name=pattern]").fill("no such*")
    await page.getByText("Ein Typ wie order.created").waitFor()
    expect(await page.locator("input[name=pattern]").getAttribute("aria-invalid")).toBe("true")
  }, 120_000)

  it("leads to older ones and back", async () => {
    const anna = await console.user({ role: "admin" })
    for (let number = 1; number <= 55; number++)
      await console.emit("step.done", { number }, { userId: anna.id, tenantId: 1 })
    const page = await console.open(anna, "/events?pattern=step.done")
    const rows = page.locator("ol.events > li")
    await page.waitForFunction(() => document.querySelectorAll("ol.events > li").length === 50)
    await page.getByRole("button", { name: "Older" }).click()
    await page.waitForFunction(() => document.querySelectorAll("ol.events > li").length === 5)
    await rows.last().locator("summary").click()
    await rows.last().getByText('"number": 1').waitFor()
    await page.getByRole("button", { name: "Newer" }).click()
    await page.waitForFunction(() => document.querySelectorAll("ol.events > li").length === 50)
  }, 120_000)
})
