/** Mail addresses and telephone numbers open in the program of the user's choice. */
import { describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests } from "#support/console/Console.ts"
import { callsAs } from "../telephony/Telephony.ts"

const console = consoleTests()

describe("links to people", () => {
  it("ask, remember the answer, and obey the setting", async () => {
    const user = await console.user({ role: "admin" })
    const ask = await callsAs(console, user)
    const phones = ["+4930123456"]
    await ask("POST", "/api/v1/crm/customers", { number: "L-1", name: "Linda", email: "linda@example.org", phones })
    const own = { extension: "1001", name: "Own", domain: "links.example.org", user_id: user.id }
    await ask("POST", "/api/v1/sip/extensions", own)
    const page = await console.open(user, "/customers/L-1")
    const mail = page.getByRole("link", { name: "linda@example.org" })
    const phone = page.getByRole("link", { name: "+4930123456" })
    await mail.click()
    const dialog = page.getByRole("dialog", { name: "Write to linda@example.org" })
    await dialog.waitFor()
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    await mail.press("Enter")
    await dialog.getByLabel("Always do so").check()
    await checkPage(page, "contact-link")
    // The check leaves the page in German.
    await page
      .getByRole("dialog", { name: "An linda@example.org schreiben" })
      .getByRole("button", { name: "Hier in Signalbox" })
      .click()
    await page.waitForURL("**/console/mail/compose?to=linda%40example.org")
    await page.goBack()
    await expect.poll(() => mail.getAttribute("href")).toBe("/console/mail/compose?to=linda%40example.org")
    // The telephone still asks; the setting turns that off.
    await page.goto(`${console.base}/console/settings`)
    const setting = page.getByLabel("Telefonnummern öffnen sich")
    await setting.selectOption("system")
    await page.getByText("Gespeichert.").waitFor()
    await page.goto(`${console.base}/console/customers/L-1`)
    await expect.poll(() => phone.getAttribute("href")).toBe("tel:+4930123456")
    await page.goto(`${console.base}/console/settings`)
    await expect.poll(() => setting.inputValue()).toBe("system")
    await setting.selectOption("internal")
    await page.getByText("Gespeichert.").waitFor()
    await page.goto(`${console.base}/console/customers/L-1`)
    await expect.poll(() => phone.getAttribute("href")).toBe("/console/phone?number=%2B4930123456")
    await phone.click()
    await page.waitForURL("**/console/phone?number=%2B4930123456")
    await page.getByLabel("Nummer oder Nebenstelle").waitFor()
    expect(await page.getByLabel("Nummer oder Nebenstelle").inputValue()).toBe("+4930123456")
  }, 120_000)
})
