/** The time zone of the account, chosen in the settings. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests, type ConsoleUser } from "#support/console/Console.ts"

const console = consoleTests()

const stored = async (user: ConsoleUser) =>
  (
    await console.run(console.suite.sql<{ time_zone: string | null }>`select time_zone from identity.account
    where id = ${user.id}`)
  )[0]?.time_zone

/** Whether the first time of the page's table of sessions is the one of the zone's clock. */
const isIn = async (page: Page, timeZone: string): Promise<boolean> => {
  const time = page.locator("table time").first()
  const form = { dateStyle: "medium", timeStyle: "medium", timeZone } as const
  const at = new Date((await time.getAttribute("datetime"))!)
  const texts = [await time.innerText(), (await time.getAttribute("title")) ?? ""]
  return texts.some((text) => text.includes(new Intl.DateTimeFormat("en-GB", form).format(at)))
}

it("is found by city or by its German name, holds for all times at once, and goes back to the device's", async () => {
  const user = await console.user()
  const page = await console.open(user, "/settings")
  const main = page.getByRole("main")
  const card = main.getByRole("region", { name: /^(?:Time zone|Zeitzone)$/ })
  await page.locator("table time").first().waitFor()
  expect(await isIn(page, "Asia/Tokyo")).toBe(false)
  await card.getByRole("checkbox", { name: /^As on this device/ }).uncheck()
  const field = card.getByRole("combobox", { name: "Times in" })
  await field.fill("tokyo")
  await card.getByRole("option", { name: /^Asia\/Tokyo/ }).waitFor()
  await field.press("Enter")
  await card.getByText("Saved.").waitFor()
  expect(await stored(user)).toBe("Asia/Tokyo")
  await expect.poll(() => isIn(page, "Asia/Tokyo"), { timeout: 20_000 }).toBe(true)
  await page.reload()
  await expect.poll(() => isIn(page, "Asia/Tokyo"), { timeout: 20_000 }).toBe(true)

  await main.getByLabel("Language").selectOption("de")
  await card.getByRole("button", { name: "Anderes wählen: Asia/Tokyo" }).click()
  await card.getByRole("combobox", { name: "Zeiten in" }).fill("mitteleuropaische berlin")
  // Chooses again at the moment at which the page enables the box. The request is held back; until then the page must
  // show the new choice.
  const device = card.getByRole("checkbox", { name: /^Wie auf diesem Gerät/ })
  const choosing = device.evaluate(
    (box: HTMLInputElement) =>
      new Promise<void>((resolve) =>
        new MutationObserver((_, observer) => {
          if (box.disabled) return
          observer.disconnect()
          box.click()
          resolve()
        }).observe(box, { attributes: true, attributeFilter: ["disabled"] })
      )
  )
  const held = Promise.withResolvers<void>()
  await page.route("**/api/v1/**", async (route) => {
    if (route.request().postDataJSON()?.time_zone === null) await held.promise
    await route.fallback()
  })
  await card.getByRole("option", { name: /^Europe\/Berlin Mitteleuropäische Zeit/ }).click()
  await choosing
  await page.waitForTimeout(500)
  expect([await stored(user), await device.isChecked()]).toEqual(["Europe/Berlin", true])
  held.resolve()
  await expect.poll(() => stored(user), { timeout: 20_000 }).toBe(null)
  await card.getByRole("checkbox", { name: /^Wie auf diesem Gerät/ }).uncheck()
  await checkPage(page, "settings-time-zone")
}, 120_000)
