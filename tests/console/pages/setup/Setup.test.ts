/** The set-up list on the overview, the test alarm in the browser, and the test button of settings. */
import { expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests } from "#support/console/Console.ts"

const console = consoleTests({ env: { SIGNALBOX_ALARM_ALLOWED_DOMAINS: "" } })

it("sends a test alarm that arrives in the browser, and then shows the step as done", async () => {
  const admin = await console.user({ role: "admin" })
  const page = await console.open(admin, "/", { language: "de" })
  const list = page.getByRole("region", { name: "Einrichtung" })
  const step = list.getByRole("listitem").filter({ hasText: "Testalarm senden" })
  await step.getByText("Offen").waitFor()
  await checkPage(page, "setup list")
  await step.getByRole("button", { name: "Testalarm senden", exact: true }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("button", { name: "Ziel hinzufügen" }).click()
  await dialog.getByLabel("Weiteres Ziel 2").waitFor()
  await checkPage(page, "test alarm")
  await dialog.getByRole("button", { name: "Ziel 2 entfernen" }).click()
  await dialog.getByRole("button", { name: "Senden", exact: true }).click()
  await dialog.getByText("Der Alarm ist in diesem Browser angekommen.").waitFor()
  await dialog.getByRole("button", { name: "Schließen" }).first().click()
  await list.getByRole("button", { name: "Alle Schritte zeigen" }).click()
  await step.getByText("Erledigt").waitFor()
  // The notification of the arrival, in the language of the account, which is that of the page.
  await page.getByText("Der Testalarm ist angekommen").first().waitFor()
}, 120_000)

it("skips a step, and leads to the form of another", async () => {
  const admin = await console.user({ role: "admin" })
  const page = await console.open(admin, "/", { language: "en" })
  const list = page.getByRole("region", { name: "Set-up" })
  await list.getByRole("button", { name: "Skip: Telephone switch" }).click()
  await list.getByRole("button", { name: "Skip: Telephone switch" }).waitFor({ state: "detached" })
  await list.getByRole("link", { name: "Set up: Messenger" }).click()
  await page.getByLabel("Token of the bot").waitFor()
  expect(new URL(page.url()).hash).toBe("#group-messenger")
}, 120_000)

it("tries settings before they are stored, and says in words what happened", async () => {
  const admin = await console.user({ role: "admin" })
  const page = await console.open(admin, "/operations/settings", { language: "en" })
  const group = page.locator("#group-relay")
  await group.getByLabel("Relay for notifications").fill("smtp://169.254.169.254:25")
  await group.getByRole("button", { name: "Test", exact: true }).click()
  await group.getByText("The address of the host is not allowed for servers.").waitFor()
  await checkPage(page, "settings tested")
  expect(await console.run(console.suite.sql`select 1 from core.stored_setting where name like '%SMTP%'`)).toEqual([])
}, 120_000)

it("is not shown to users who may not change settings", async () => {
  const support = await console.user({ role: "support" })
  const page = await console.open(support, "/")
  await page.getByRole("heading", { level: 1 }).waitFor()
  expect(await page.getByRole("region", { name: "Set-up" }).count()).toBe(0)
}, 120_000)
