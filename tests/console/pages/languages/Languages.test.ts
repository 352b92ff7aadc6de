/** The pages of languages before a real daemon: overrides, automatic translation, files, a third language. */
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { localization } from "#daemons/localization/Daemon.ts"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests } from "#support/console/Console.ts"
import { LibreTranslateDouble } from "#support/LibreTranslateDouble.ts"

const engine = new LibreTranslateDouble()
const env: Record<string, string> = {}
beforeAll(async () => {
  env["SIGNALBOX_TRANSLATE_URL"] = await engine.start()
})
afterAll(() => engine.stop())

const console = consoleTests({ daemons: [identity, commDispatcher, localization], env })

const hostile = `<img src=x onerror="alert(1)"> {name}`

it("overrides a text of the console itself, without a restart", async () => {
  const user = await console.user({ role: "admin" })
  const page = await console.open(user, "/languages")
  await page.getByRole("heading", { level: 1, name: "Languages" }).waitFor()
  await page.getByRole("link", { name: "English" }).click()
  await page.getByLabel("Search").fill("console.app.Pages.languages")
  const field = page.getByLabel("Text of console.app.Pages.languages")
  await field.fill("Wordings")
  const row = page.getByRole("listitem").filter({ has: field })
  await row.getByRole("button", { name: "Save" }).click()
  await page.getByRole("navigation").getByRole("link", { name: "Wordings" }).waitFor()
  await row.getByRole("button", { name: /^History/ }).click()
  await row.getByText(/, written \(/).waitFor()
  // Another tab has it after a load.
  const other = await console.open(user, "/languages/de")
  await other.getByRole("navigation").getByRole("link", { name: "Wordings" }).waitFor()
  await row.getByRole("button", { name: "Remove the change" }).click()
  await page.getByRole("navigation").getByRole("link", { name: "Languages" }).waitFor()
  await checkPage(page, "language-english")
}, 120_000)

it("offers a third language, translates it, and shows hostile texts as text", async () => {
  const user = await console.user({ role: "admin" })
  const page = await console.open(user, "/languages")
  // A text with an unknown placeholder.
  console.expecting(/status of 422 /)
  await page.getByLabel("Code").fill("fr")
  await page.getByLabel("Name in this language").fill("Français")
  await page.getByRole("button", { name: "Add", exact: true }).click()
  await page.getByText("Added. Its texts are English").waitFor()
  await page.getByRole("button", { name: "Add", exact: true }).waitFor()
  engine.options = { apiKey: "a key that the daemon lacks" }
  await page.getByRole("button", { name: "Translate stale texts" }).click()
  await page.getByText("The translation server refuses access.").waitFor({ timeout: 60_000 })
  await page.locator("select[name=language]").selectOption("de")
  await page.getByText("Der Übersetzungsserver verweigert den Zugriff.").waitFor()
  await page.locator("select[name=language]").selectOption("en")
  engine.options = {}
  engine.refusals.length = 0
  await page.getByRole("button", { name: "Translate stale texts" }).click()
  await page.getByText(/: done/).waitFor({ timeout: 60_000 })
  expect(engine.refusals).toEqual([])

  await page.locator("select[name=language]").selectOption("fr")
  await page.getByRole("heading", { level: 1, name: "fr:Languages" }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("fr")
  await page.locator("select[name=language]").selectOption("en")

  await page.getByRole("link", { name: "Français" }).click()
  await page.getByLabel("Search").fill("pages.languages.Refusals.unknown")
  const key = "console.pages.languages.Refusals.unknown"
  const field = page.getByLabel(`Text of ${key}`)
  const row = page.getByRole("listitem").filter({ has: field })
  // The found texts replace the list.
  await vi.waitUntil(async () => (await page.getByLabel(/^Text of /).count()) === 1, { timeout: 30_000 })
  await field.fill(hostile)
  await row.getByText("Not in the English text: name").waitFor()
  await row.getByRole("button", { name: "Save" }).click()
  await row.getByText("The English text does not have: name.").waitFor()
  await field.fill(hostile.replace("name", "names"))
  await row.getByRole("button", { name: "Save" }).click()
  await row.getByText("Saved.").waitFor()
  expect(await page.locator("img[src=x]").count()).toBe(0)
  expect(await row.locator("mark", { hasText: "{names}" }).count()).toBeGreaterThan(0)
  await page.getByLabel("State").selectOption("manual")
  await page.getByLabel("Search").fill("Refusals.unknown")
  await field.waitFor()

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export as XLIFF" }).click()
  ])
  expect(download.suggestedFilename()).toBe("texts-fr.xlf")
  await page
    .getByLabel("Import a CSV or XLIFF file")
    .setInputFiles({
      name: "texts.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`key,translation\n${key},Inconnu : {names}\nno.such.key,x\n`)
    })
  await page.getByText("1 text stored, 0 unchanged, 1 refused.").waitFor()
  await page.getByText("the key does not exist").waitFor()
  await checkPage(page, "language-french")
  await page.locator("select[name=language]").selectOption("en")

  await page.getByRole("link", { name: "All languages" }).click()
  const actions = page.getByRole("button", { name: /^(Actions|Aktionen): Français/ })
  await actions.waitFor()
  await checkPage(page, "languages")
  await page.locator("select[name=language]").selectOption("en")
  await actions.click()
  await page.getByRole("menuitem", { name: "Rename" }).click()
  const renaming = page.getByRole("dialog", { name: "Rename Français" })
  await renaming.getByLabel("Name in this language").fill("Le français")
  await renaming.getByRole("button", { name: "Save" }).click()
  await page.getByRole("link", { name: "Le français" }).waitFor()
  await page.getByRole("button", { name: "Actions: Le français" }).click()
  await page.getByRole("menuitem", { name: "Rename" }).click()
  const back = page.getByRole("dialog").getByLabel("Name in this language")
  await back.fill("Français")
  await back.press("Enter")
  await actions.waitFor()
  // By keyboard: the menu, its last entry, and the dialog.
  await actions.focus()
  await page.keyboard.press("Enter")
  // The keys go to the menu when its first entry has the focus.
  await page.locator('[role="menuitem"]:focus').waitFor()
  await page.keyboard.press("End")
  await page.getByRole("menuitem", { name: "Remove" }).and(page.locator(":focus")).waitFor()
  await page.keyboard.press("Enter")
  await page.getByRole("dialog", { name: "Remove Français" }).getByText("offered to nobody").waitFor()
  await page.keyboard.press("Tab")
  await page.keyboard.press("Enter")
  await page.getByRole("link", { name: "Français" }).waitFor({ state: "detached" })
}, 240_000)

it("is the provider's", async () => {
  const customer = await console.user({ role: "admin", tenant: await console.tenant() })
  const page = await console.open(customer, "/languages")
  await page
    .getByText(/provider/i)
    .first()
    .waitFor()
  expect(await page.getByRole("navigation").getByRole("link", { name: "Languages" }).count()).toBe(0)
}, 120_000)
