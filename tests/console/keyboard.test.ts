/** The main tasks by keyboard only. Each control is found by its role and name in the accessibility tree. */
import type { Page } from "playwright-core"
import { beforeAll, describe, it } from "vitest"
import { type ConsoleUser, consoleTests } from "#support/console/Console.ts"
import { makeCustomer } from "#support/console/Customers.ts"
import { type Keyboard, keyboardOf } from "#support/console/Keyboard.ts"

const console = consoleTests({ env: { SIGNALBOX_ALARM_ALLOWED_DOMAINS: "example.org" } })
let admin: ConsoleUser
beforeAll(async () => {
  admin = await console.user({ role: "admin" })
})

/** Opens the overview and returns its page and its keyboard. */
const start = async (): Promise<readonly [Page, Keyboard]> => {
  const page = await console.open(admin)
  return [page, await keyboardOf(page)]
}

/** Opens a page by its entry in the navigation. */
const goTo = async (page: Page, keyboard: Keyboard, entry: string) => {
  await keyboard.tabTo("link", entry)
  await keyboard.press("Enter")
  await page.getByRole("heading", { level: 1, name: entry }).waitFor()
}

describe("by keyboard only", () => {
  it("sends a test alarm and acknowledges it", async () => {
    const [page, keyboard] = await start()
    await page.getByRole("button", { name: "Send a test alarm", exact: true }).waitFor()
    await keyboard.tabTo("button", "Send a test alarm")
    await keyboard.press("Enter")
    await page.getByRole("dialog").waitFor()
    await keyboard.tabTo("button", "Send")
    await keyboard.press("Enter")
    await page.getByText("The alarm has arrived in this browser.").waitFor()
    await keyboard.tabTo("link", "Show the alarm")
    await keyboard.press("Enter")
    await page.getByRole("heading", { name: "Time line" }).waitFor()
    await keyboard.tabTo("button", "Acknowledge")
    await keyboard.press("Enter")
    await page.getByRole("dialog").waitFor()
    await keyboard.type("Seen")
    await keyboard.press("Enter")
    await page.getByText("acknowledged by you – Seen").first().waitFor()
  }, 120_000)

  it("creates a user", async () => {
    const [page, keyboard] = await start()
    await goTo(page, keyboard, "Users")
    await keyboard.tabTo("button", "Add a user")
    await keyboard.press("Enter")
    await page.getByRole("form", { name: "Add a user" }).waitFor()
    await keyboard.tabTo("textbox", "Name")
    await keyboard.type("Carla Keys")
    await keyboard.tabTo("textbox", "E-mail address")
    await keyboard.type("carla@keys.test")
    await keyboard.tabTo("button", "Add")
    await keyboard.press("Enter")
    await page.getByRole("region", { name: "Sign-in link for Carla Keys" }).waitFor()
    await keyboard.tabTo("button", "Done")
    await keyboard.press("Enter")
    await page.getByRole("link", { name: "Carla Keys" }).waitFor()
  }, 120_000)

  it("adds a mail domain", async () => {
    await makeCustomer(console, "K-5", "Post & Söhne")
    const [page, keyboard] = await start()
    await goTo(page, keyboard, "Mail domains")
    await keyboard.tabTo("button", "Add a mail domain")
    await keyboard.press("Enter")
    await page.getByRole("form", { name: "Add a mail domain" }).waitFor()
    await keyboard.tabTo("textbox", "Domain")
    await keyboard.type("keys.example.org")
    await keyboard.tabTo("combobox", "Customer")
    await keyboard.type("K-5")
    await page.getByRole("option", { name: /K-5/ }).waitFor()
    await keyboard.press("Enter")
    await keyboard.tabTo("button", "Save")
    await keyboard.press("Enter")
    await page.getByText("keys.example.org is saved.").waitFor()
    await page.getByRole("link", { name: "keys.example.org" }).waitFor()
  }, 120_000)

  it("adds a device", async () => {
    const [page, keyboard] = await start()
    await goTo(page, keyboard, "Devices")
    await keyboard.tabTo("link", "Add a device")
    await keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Add a device" }).waitFor()
    await keyboard.tabTo("textbox", /^Name of the device/)
    await keyboard.type("My laptop")
    await keyboard.tabTo("button", "Make the link")
    await keyboard.press("Enter")
    await page.locator(".device-link code").waitFor()
  }, 120_000)
})
