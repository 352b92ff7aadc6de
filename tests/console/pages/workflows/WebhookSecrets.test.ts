/** Secrets of webhooks in the console: a new one is shown once, the old one retires, and any can be deleted. */
import { describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests } from "#support/console/Console.ts"

const console = consoleTests()

describe("webhook secrets", () => {
  it("are shown once, rotated and deleted", async () => {
    const user = await console.user({ role: "admin" })
    const page = await console.open(user, "/workflows")
    const card = page.getByRole("region", { name: "Webhook secrets" }).first()
    const rows = card.locator("tbody tr")
    await card.getByText("None yet: webhooks are not signed.").waitFor()
    // There is no former secret that could go on signing.
    expect(await card.getByRole("combobox").count()).toBe(0)
    await card.getByRole("button", { name: "New secret" }).click()
    const shown = await card.getByRole("status").locator("code").textContent()
    expect(shown).toMatch(/^whsec_[\w-]{43}$/)
    await expect.poll(() => rows.count()).toBe(1)
    await card.getByRole("combobox", { name: "The old one signs for" }).waitFor()
    await card.getByRole("button", { name: "New secret" }).press("Enter")
    await expect.poll(() => rows.count()).toBe(2)
    expect(await card.getByRole("status").locator("code").textContent()).not.toBe(shown)
    await checkPage(page, "workflows-secrets")

    await page.reload()
    // The check leaves the page in German.
    const german = page.getByRole("region", { name: "Geheimnisse für Webhooks" }).first().locator("tbody tr")
    await german.first().getByText("aktuell").waitFor()
    expect(await page.getByText("whsec_").count()).toBe(0)
    await german
      .nth(1)
      .getByRole("button", { name: /^Geheimnis \d+ löschen/ })
      .click()
    await page.getByRole("dialog").getByText("Empfänger, die nur dieses kennen").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Löschen", exact: true }).click()
    await expect.poll(() => german.count()).toBe(1)
  }, 120_000)
})
