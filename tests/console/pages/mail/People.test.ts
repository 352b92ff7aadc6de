/** Contacts, signatures, folders and conversations of the webmail in a real browser, over a real Dovecot. */
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { checkPage, choose } from "#support/console/CheckPage.ts"
import { mailHome, poll } from "#support/console/MailHome.ts"
import { mail } from "../../../daemons/mail-watcher/webmail-reading/Mails.ts"

const [ann, bob] = ["ann@example.test", "bob@example.test"] as const
const home = mailHome([ann, bob])
const { console } = home

const inEnglish = (page: Page) => choose(page, "language", "en")

describe("webmail", () => {
  it("keeps contacts: adds, finds, changes, imports, exports and deletes them", async () => {
    const user = await home.user(ann)
    const page = await console.open(user, "/contacts")
    await page.getByText("No contacts yet").waitFor()
    await checkPage(page, "contacts-empty")
    await inEnglish(page)
    await page.getByRole("button", { name: "Add a contact" }).click()
    const form = page.getByRole("form", { name: "Add a contact" })
    await form.getByLabel("Name", { exact: true }).fill("Eve Far")
    await form.getByLabel("Company").fill("Far & Away")
    await form.getByRole("button", { name: "Add an address" }).click()
    await form.getByLabel("E-mail addresses 1").fill("nobody")
    console.expecting(/status of 422 .*\/contacts/)
    await form.getByRole("button", { name: "Save" }).click()
    await form.getByText("Entry 1: must be a whole mail address").waitFor()
    await form.getByLabel("E-mail addresses 1").fill("eve@far.test")
    await form.getByRole("button", { name: "Save" }).click()
    const row = page.getByRole("row", { name: /Eve Far/ })
    await row.waitFor()
    await row.getByRole("link", { name: "eve@far.test" }).waitFor()

    const card = (name: string, email: string) =>
      `BEGIN:VCARD\r\nVERSION:4.0\r\nFN:${name}\r\nEMAIL:${email}\r\nEND:VCARD\r\n`
    const cards = card("Otto Near", "otto@near.test") + card("Otto Near", "otto@near.test")
    await page
      .getByLabel("Import a .vcf file")
      .setInputFiles({ name: "contacts.vcf", mimeType: "text/vcard", buffer: Buffer.from(cards) })
    await page.getByText("1 imported, 1 skipped.").waitFor()
    await page.getByRole("row", { name: /Otto Near/ }).waitFor()
    await checkPage(page, "contacts")
    await inEnglish(page)

    await page.getByLabel("Search").fill("otto")
    await row.waitFor({ state: "detached" })
    await page.getByLabel("Search").fill("")
    await row.waitFor()
    await page.getByRole("button", { name: "Change: Eve Far" }).click()
    const change = page.getByRole("form", { name: "Change Eve Far" })
    await change.getByLabel("Company").fill("")
    await change.getByLabel("Note").fill("Two\nlines")
    await change.getByRole("button", { name: "Save" }).click()
    await page.getByText("Eve Far is saved.").waitFor()
    await page.getByText("Far & Away").waitFor({ state: "detached" })

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export all as .vcf" }).click()
    ])
    expect(download.suggestedFilename()).toBe("contacts.vcf")
    expect(readFileSync(await download.path(), "utf8")).toContain("NOTE:Two\\nlines")

    await row.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("dialog").getByText("cannot be restored").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Really delete?" }).click()
    await row.waitFor({ state: "detached" })
  }, 120_000)

  it("keeps signatures, and says which one a recipient gets", async () => {
    const user = await home.user(ann)
    const page = await console.open(user, "/signatures")
    await page.getByText("No signatures yet").waitFor()
    await checkPage(page, "signatures-empty")
    await inEnglish(page)
    const add = async (name: string, text: string, more: (form: ReturnType<Page["getByRole"]>) => Promise<void>) => {
      await page.getByRole("button", { name: "Add a signature" }).click()
      const form = page.getByRole("form", { name: "Add a signature" })
      await form.getByLabel("Name", { exact: true }).fill(name)
      await form.getByLabel("Text", { exact: true }).fill(text)
      await more(form)
      await form.getByRole("button", { name: "Save" }).click()
      await page.getByText(`${name} is saved.`).waitFor()
    }
    await add("Usual", "Ann <Example>\n& Co", (form) =>
      form.getByLabel("Default for recipients without a rule").check()
    )
    await add("Far", "<p>Yours <b>faithfully</b></p>", async (form) => {
      await form.getByRole("button", { name: "Add a recipient" }).click()
      await form.getByLabel("Only for these recipients 1").fill("*.far.test")
    })
    await page.frameLocator("iframe[title='Signature: Usual']").getByText("Ann <Example>").waitFor()
    await page.frameLocator("iframe[title='Signature: Far']").locator("b").waitFor()
    await checkPage(page, "signatures")
    await inEnglish(page)

    const match = async (to: string, text: string) => {
      await page.getByLabel("Address of the recipient").fill(to)
      await page.getByRole("button", { name: "Look" }).click()
      await page.getByText(text).waitFor()
    }
    await match("eve@shop.far.test", "gets “Far”")
    await match("eve@near.test", "gets “Usual”")

    // What was typed as lines is lines again, and stays as it is.
    await page.getByRole("button", { name: "Change: Usual" }).click()
    const change = page.getByRole("form", { name: "Change Usual" })
    expect(await change.getByLabel("Text", { exact: true }).inputValue()).toBe("Ann <Example>\n& Co")
    await change.getByLabel("Default for recipients without a rule").uncheck()
    await change.getByRole("button", { name: "Save" }).click()
    await page.getByText("Usual is saved.").waitFor()
    console.expecting(/status of 404 .*\/match/)
    await match("eve@near.test", "gets no signature")

    const far = page.getByRole("row", { name: /Far/ })
    await far.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("dialog").getByText("Sent mails keep it").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Really delete?" }).click()
    await far.waitFor({ state: "detached" })
  }, 120_000)

  it("makes, renames, empties and deletes folders, and shows conversations", async () => {
    const threaded = (subject: string, id: string, more: Readonly<Record<string, string>> = {}) =>
      home.deliver(bob, mail({ Subject: subject, "Message-ID": `<${id}@far.test>`, ...more }, subject))
    await threaded("Lunch", "one")
    await threaded("Re: Lunch", "two", { "In-Reply-To": "<one@far.test>", References: "<one@far.test>" })
    await threaded("Alone", "three")
    const user = await home.user(bob)
    const page = await console.open(user, "/mail")
    await page.getByRole("combobox", { name: "Show" }).selectOption({ label: "Conversations" })
    const conversations = page.getByRole("list", { name: "Conversations" })
    await conversations.getByText("2 mails").click()
    await poll(() => conversations.locator("ol li").count()).toBe(2)
    await checkPage(page, "mail-conversations")
    await inEnglish(page)
    await conversations.getByRole("link", { name: "Alone" }).click()
    await page.getByRole("heading", { level: 1, name: "Alone" }).waitFor()
    await page.getByRole("link", { name: "Back to Inbox" }).click()
    await conversations.waitFor()

    const menu = async (of: string, item: string) => {
      await page.getByRole("button", { name: `Actions: ${of}` }).click()
      await page.getByRole("menuitem", { name: item }).click()
    }
    const named = async (name: string) => {
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Name of the folder").fill(name)
      await dialog.getByRole("button", { name: "Save" }).click()
    }
    await menu("Inbox", "New folder")
    await named("Projects")
    await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor()
    await menu("Projects", "New folder")
    console.expecting(/status of 409 .*\/folders/)
    await named("Projects")
    await page.getByRole("dialog").getByRole("alert").filter({ hasText: "A folder has this name already" }).waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
    // When the event of the change comes before the answer, the page loads the list once more under the former name of
    // the folder, and does not find it.
    console.expecting(/status of 404 .*\/messages\/(Projects|Old%20projects)\?/)
    await menu("Projects", "Rename the folder")
    await named("Old projects")
    await page.getByRole("heading", { level: 1, name: "Old projects" }).waitFor()

    // A message goes there, and is lost with the folder.
    await page.getByRole("link", { name: /^Inbox/ }).click()
    const row = (subject: string) => page.locator("table.mails tbody tr", { hasText: subject })
    await row("Alone").getByRole("checkbox").check()
    await page.getByRole("combobox", { name: "Move to" }).selectOption({ label: "Old projects" })
    await row("Alone").waitFor({ state: "detached" })
    await page.getByRole("link", { name: /^Old projects/ }).click()
    await row("Alone").waitFor()
    await menu("Old projects", "Delete the folder")
    await page.getByRole("dialog").getByText("The one message in it is deleted for good").waitFor()
    await checkPage(page, "mail-folder-delete")
    await inEnglish(page)
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor()
    await page.getByRole("link", { name: /^Old projects/ }).waitFor({ state: "detached" })

    await row("Re: Lunch").getByRole("checkbox").check()
    await page.getByRole("button", { name: "Delete" }).click()
    await row("Re: Lunch").waitFor({ state: "detached" })
    await page.getByRole("link", { name: /^Trash/ }).click()
    await row("Re: Lunch").waitFor()
    await menu("Trash", "Empty the folder")
    await page.getByRole("dialog").getByRole("button", { name: "Empty" }).click()
    await row("Re: Lunch").waitFor({ state: "detached" })
  }, 180_000)
})
