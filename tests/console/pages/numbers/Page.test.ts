/** Numbers, call routes and trunks in a real browser. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests } from "#support/console/Console.ts"
import { telephony } from "../telephony/Telephony.ts"

const console = consoleTests()

/** Selects English, because `checkPage` leaves a different language selected. */
const inEnglish = (page: Page) =>
  page.evaluate(() => {
    const select = document.querySelector<HTMLSelectElement>("select[name=language]")!
    select.value = "en"
    select.dispatchEvent(new Event("change", { bubbles: true }))
  })

describe("numbers", () => {
  it("leads a number to what is picked, says what is refused, and names where it leads", async () => {
    const user = await console.user({ role: "admin" })
    await telephony(console, user, "voice11.example.org")
    const page = await console.open(user, "/numbers")
    const list = page.getByRole("region", { name: "Numbers" })
    await list.getByRole("row", { name: /\+493000115550 Main Menu Welcome Provider/ }).waitFor()
    await page.getByRole("button", { name: "Add a number" }).click()
    const form = page.getByRole("form", { name: "Add a number" })
    await form.getByLabel("Number", { exact: true }).fill("abc")
    await form.getByLabel("Name", { exact: true }).fill("Fax")
    await form.getByRole("combobox", { name: "Kind of destination" }).selectOption("voicemail")
    await form.getByRole("combobox", { name: "Destination", exact: true }).selectOption({ label: "1001 Ann" })
    console.expecting(/status of 422 .*\/dids/)
    await form.getByRole("button", { name: "Save" }).click()
    await form.getByText("must be a telephone number such as +49301234567").waitFor()
    await checkPage(page, "numbers-form")
    await inEnglish(page)
    await form.getByLabel("Number", { exact: true }).fill("030 1234 999")
    await form.getByRole("button", { name: "Save" }).click()
    const row = list.getByRole("row", { name: /\+49301234999 Fax Voicemail box 1001 Ann any/ })
    await row.waitFor()

    await row.getByRole("button", { name: "Change: +49301234999" }).click()
    const change = page.getByRole("form", { name: "Change +49301234999" })
    expect(
      await change
        .getByRole("combobox", { name: "Destination", exact: true })
        .evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]!.text)
    ).toBe("1001 Ann")
    await change.getByRole("combobox", { name: "Kind of destination" }).selectOption("external")
    await change
      .getByRole("combobox", { name: "Destination", exact: true })
      .selectOption({ label: "+491700115550 Ann's mobile" })
    await change.getByRole("button", { name: "Save" }).click()
    await list.getByRole("row", { name: /Fax External number \+491700115550 Ann's mobile/ }).waitFor()
  }, 120_000)

  it("makes ring groups with members in an order, and menus with keys", async () => {
    const user = await console.user({ role: "admin" })
    const { ask } = await telephony(console, user, "voice12.example.org")
    const page = await console.open(user, "/numbers")
    await page.getByRole("link", { name: "Ring groups" }).click()
    await page.getByRole("button", { name: "Add a ring group" }).click()
    const form = page.getByRole("form", { name: "Add a ring group" })
    await form.getByLabel("Name", { exact: true }).fill("Support")
    await form.getByLabel("SIP domain").fill("voice12.example.org")
    await form.getByLabel("Members 1").fill("1001")
    await form.getByRole("button", { name: "Add a member" }).click()
    await form.getByLabel("Members 2").and(page.locator(":focus")).waitFor()
    await page.keyboard.type("4711")
    console.expecting(/status of 422 .*\/ring-groups/)
    await form.getByRole("button", { name: "Save" }).click()
    await form.getByText("Entry 2: must be the number of an extension of the same SIP domain").waitFor()
    await form.getByLabel("Members 2").fill("1012")
    await form.getByRole("button", { name: "Move 1012 up" }).click()
    await form.getByRole("button", { name: "Save" }).click()
    await page.getByRole("row", { name: /Support – voice12\.example\.org all together 20 s 1012, 1001/ }).waitFor()

    await page.getByRole("link", { name: "Menus" }).click()
    await page
      .getByRole("row", { name: /Welcome voice12\.example\.org .*1 Ring group 21 Sales/ })
      .getByRole("button", { name: "Change: Welcome" })
      .click()
    const menu = page.getByRole("form", { name: "Change Welcome" })
    await menu.getByRole("button", { name: "Add an entry" }).click()
    const entry = menu.getByRole("group", { name: "Entry 2" })
    await entry.getByLabel("Keys").fill("2")
    await entry.getByRole("combobox", { name: "Destination", exact: true }).selectOption({ label: "1012 Ben" })
    await menu.getByRole("button", { name: "Save" }).click()
    await page.getByRole("row", { name: /2 Extension 1012 Ben/ }).waitFor()
    const { items } = await ask("GET", "/api/v1/sip/ivr-menus?domain=voice12.example.org")
    expect(items[0].entries.map(({ digits }: { digits: string }) => digits)).toEqual(["1", "2"])
  }, 120_000)

  it("shows every section, in both languages and themes", async () => {
    const user = await console.user({ role: "admin" })
    await telephony(console, user, "voice13.example.org")
    const page = await console.open(user, "/numbers")
    for (const [link, name] of [
      ["Voicemail", "voicemail"],
      ["Call filters", "filters"],
      ["Trunks", "trunks"],
      ["Lines", "lines"],
      ["External numbers", "external"],
      ["Menus", "menus"]
    ] as const) {
      await inEnglish(page)
      await page.getByRole("link", { name: link }).click()
      await page.getByRole("region", { name: link }).waitFor()
      await checkPage(page, `numbers-${name}`)
    }
  }, 120_000)

  it("shows the PIN of a voicemail box when asked to, and gives a new one", async () => {
    const user = await console.user({ role: "admin" })
    await telephony(console, user, "voice14.example.org")
    const page = await console.open(user, "/numbers/voicemail?domain=voice14.example.org")
    const row = page.getByRole("row", { name: /1001 Ann/ })
    const dialog = page.getByRole("dialog", { name: "PIN of 1001 Ann" })
    const pin = async () => {
      await row.getByRole("button", { name: "PIN: 1001 Ann", exact: true }).click()
      await dialog.getByRole("button", { name: "Show PIN" }).click()
      const text = await dialog.locator("code").innerText()
      await dialog.getByRole("button", { name: "Close" }).click()
      return text
    }
    const first = await pin()
    expect(first).toMatch(/^\d{6,}$/)
    await row.getByRole("button", { name: /^New PIN.*1001 Ann/ }).click()
    await row.getByRole("button", { name: "Really? The old PIN stops working." }).click()
    await page.getByText("1001 Ann has a new PIN.").waitFor()
    expect(await pin()).not.toBe(first)
  }, 120_000)
})
