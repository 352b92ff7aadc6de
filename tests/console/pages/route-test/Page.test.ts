/**
 * The call route test in a real browser: the steps are in the language of the page, also after a change of language.
 */
import { describe, expect, it } from "vitest"
import { consoleTests } from "#support/console/Console.ts"
import { telephony } from "../telephony/Telephony.ts"

const console = consoleTests()

describe("the route test", () => {
  it("tells each step in the language of the page", async () => {
    const user = await console.user({ role: "admin" })
    await telephony(console, user, "voice61.example.org")
    const page = await console.open(user, "/route-test?from=1001&to=1012", { language: "de" })
    const steps = page.locator("ol.way li")
    const shown = async (last: string) => {
      await steps.filter({ hasText: last }).waitFor()
      return await steps
        .allInnerTexts()
        .then((texts) => texts.map((text) => text.replace(/\s+/g, " ").replace(/tenant \d+|Mandanten \d+/, "…")))
    }
    expect(await shown("Der Anruf wird mit 404 abgelehnt.")).toEqual([
      "Herkunft Der Anruf kommt von einem Telefon des ….",
      "Nummer 1012 ist eine Nebenstelle in voice61.example.org.",
      "Ziel Die Nebenstelle 1012 ist abgeschaltet.",
      "Ergebnis Der Anruf wird mit 404 abgelehnt."
    ])
    // No text on the page has a different language.
    expect(await page.locator("main [lang]").count()).toBe(0)
    await page.locator("select[name=language]").first().selectOption("en", { force: true })
    expect(await shown("The call is refused with 404.")).toEqual([
      "Origin The call comes from a phone of ….",
      "Number 1012 is an extension of voice61.example.org.",
      "Destination The extension 1012 is switched off.",
      "Result The call is refused with 404."
    ])
    // The next request uses the selected language.
    await page.getByLabel("Who is called").fill("21")
    await page.getByRole("button", { name: "Show the route" }).click()
    expect((await shown('Ring group "Sales": 1001.')).at(-2)).toBe(
      'Destination The ring group "Sales" rings 1 of 2 extensions, sequence, 20 s.'
    )
  }, 120_000)
})
