/** Settings of the installation in the console: stored, refused, removed, locked; in both languages. */
import { expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests } from "#support/console/Console.ts"

const console = consoleTests({ env: { SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "10.0.0.0/8" } })

it("stores a setting, says what is wrong in the reader's language, and removes it", async () => {
  const admin = await console.user({ role: "admin" })
  const page = await console.open(admin, "/operations/settings", { language: "de" })
  const field = page.getByLabel("Erlaubte Absender-Domains")
  await field.fill("keine Domain")
  console.expecting(/status of 422/)
  const form = page.locator("form", { has: field })
  await form.getByRole("button", { name: "Speichern" }).click()
  await form.getByRole("alert").getByText("Das ist kein gültiger Wert.").waitFor()
  await field.fill("example.org")
  await form.getByRole("button", { name: "Speichern" }).click()
  await form.getByText("Gespeichert.").waitFor()
  await form.getByText(/Geändert von Ihnen/).waitFor()
  expect(
    await console.run(
      console.suite.sql`select value from core.stored_setting where name = 'SIGNALBOX_ALARM_ALLOWED_DOMAINS'`
    )
  ).toEqual([{ value: "example.org" }])
  await page.getByText("Gesperrt: Die Umgebung gibt SIGNALBOX_WEBHOOK_ALLOW_CIDRS vor.").waitFor()
  expect(await page.getByLabel("Private Netze für Webhooks").isDisabled()).toBe(true)
  await checkPage(page, "installation")
  await form.getByRole("button", { name: "Entfernen" }).click()
  await form.getByRole("button", { name: "Entfernen" }).waitFor({ state: "detached" })
  expect(await field.inputValue()).toBe("")

  const english = await console.open(admin, "/operations/settings", { language: "en" })
  await english.getByLabel("Allowed sender domains").waitFor()
}, 120_000)

it("is closed to users of other tenants", async () => {
  const reseller = await console.user({ role: "reseller", tenant: await console.tenant() })
  const page = await console.open(reseller, "/operations/settings")
  await page.getByRole("heading", { level: 1 }).waitFor()
  expect(await page.getByLabel("Allowed senders").count()).toBe(0)
}, 120_000)
