/** The reading part of the webmail in a real browser, over a real Dovecot. */
import { describe, expect, it } from "vitest"
import { mailHome, poll } from "#support/console/MailHome.ts"
import { checkPage } from "#support/console/CheckPage.ts"
import { base64, mail, multipart } from "../../../daemons/mail-watcher/webmail-reading/Mails.ts"
import { newsletter, pictures } from "./Letters.ts"

const home = mailHome(["ann@example.test", "bob@example.test", "cat@example.test"])
const { console } = home
const ann = "ann@example.test"

describe("reading mail", () => {
  it("lists, reads and changes mail, and shows new mail as it comes", async () => {
    await home.deliver(
      ann,
      mail({ Subject: "First words", From: "Eve Far <eve@far.test>" }, "Just text.\r\n<b>not bold</b>")
    )
    await home.deliver(ann, mail({ Subject: "The minutes", From: "Otto <otto@far.test>" }, "Minutes"))
    const user = await home.user(ann)
    const page = await console.open(user, "/mail")
    const row = (subject: string) => page.locator("table.mails tbody tr", { hasText: subject })
    await row("First words").waitFor()
    expect(await row("First words").getAttribute("class")).toContain("unread")
    const inbox = page.getByRole("link", { name: /Inbox/ })
    await inbox.filter({ hasText: "2 unread" }).waitFor()

    // Arrives while the list is open, without any user action.
    await home.deliver(ann, mail({ Subject: "Hot news", From: "Otto <otto@far.test>" }, "News"))
    await row("Hot news").waitFor()
    await inbox.filter({ hasText: "3 unread" }).waitFor()
    await checkPage(page, "mail-list")
    await page.evaluate(() => scrollTo(0, 0))

    await page.locator("select[name=language]").first().selectOption("en", { force: true })
    await row("First words").getByRole("link").click()
    await page.getByRole("heading", { level: 1, name: "First words" }).waitFor()
    expect(await page.locator(".mail-text").textContent()).toContain("<b>not bold</b>")
    expect(await page.locator(".mail-head").textContent()).toContain("eve@far.test")
    await inbox.filter({ hasText: "2 unread" }).waitFor()

    await page.getByRole("button", { name: "Star" }).click()
    await page.getByRole("link", { name: "Back to Inbox" }).click()
    await poll(() => row("First words").getByRole("button").getAttribute("aria-pressed")).toBe("true")
    expect(await row("First words").getAttribute("class")).not.toContain("unread")

    // Marks several mails as read, then deletes them.
    await row("The minutes").getByRole("checkbox").check()
    await row("Hot news").getByRole("checkbox").check()
    await page.getByText("2 chosen").waitFor()
    await page.getByRole("button", { name: "Read", exact: true }).click()
    await poll(() => page.locator("tr.unread").count()).toBe(0)
    await page.getByRole("button", { name: "Delete" }).click()
    await row("Hot news").waitFor({ state: "detached" })
    await page.getByText("2 mails are deleted.").waitFor()
    await page.getByRole("button", { name: "Undo" }).click()
    for (const subject of ["Hot news", "The minutes"]) {
      await row(subject).waitFor()
      await row(subject).getByRole("checkbox").check()
    }
    await page.getByRole("button", { name: "Delete" }).click()
    await row("Hot news").waitFor({ state: "detached" })
    await page.getByRole("link", { name: "Trash" }).click()
    await row("The minutes").waitFor()
    await row("The minutes").getByRole("checkbox").check()
    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("button", { name: "Delete for good?" }).click()
    await row("The minutes").waitFor({ state: "detached" })
    expect(await row("Hot news").count()).toBe(1)

    await page.goto(`${console.base}/console/mail`)
    await page.getByRole("searchbox").fill("nothing like this")
    await page.getByRole("button", { name: "Search" }).click()
    await page.getByText("Nothing found.").waitFor()
    await page.getByRole("searchbox").fill("First")
    await page.getByRole("button", { name: "Search", exact: true }).click()
    await row("First words").waitFor()
    await row("First words").getByRole("checkbox").check()
    await page.getByRole("combobox", { name: "Move to" }).selectOption({ label: "Trash" })
    await row("First words").waitFor({ state: "detached" })
  }, 120_000)

  it("shows a page with its pictures in a frame of no origin, and the net's when asked to", async () => {
    await home.deliver("bob@example.test", newsletter)
    const user = await home.user("bob@example.test")
    const page = await console.open(user, "/mail/INBOX/1")
    const frame = page.frameLocator("iframe.mail-frame")
    await frame.getByRole("heading", { name: "Spring offers" }).waitFor()
    await poll(() => frame.locator("img[alt=dot]").evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(
      1
    )
    expect(await frame.locator("img[alt=dot]").getAttribute("src")).toMatch(/^blob:null\//)
    const link = frame.getByRole("link", { name: "the shop" })
    expect([await link.getAttribute("target"), await link.getAttribute("rel")]).toEqual([
      "_blank",
      "noopener noreferrer"
    ])
    expect(await frame.locator("body").evaluate(() => self.origin)).toBe("null")
    // The frame is as high as its content.
    await poll(() => page.locator("iframe.mail-frame").evaluate((found) => found.clientHeight)).toBeGreaterThan(400)
    await checkPage(page, "mail-message")

    const asked: Array<string> = []
    await page.route("http://pictures.invalid/**", (route) => {
      asked.push(route.request().url())
      return route.fulfill({ contentType: "image/png", body: Buffer.from(pictures.dot, "base64") })
    })
    console.expecting(/^asked http:\/\/pictures\.invalid\/far\.png$/)
    expect(asked).toEqual([])
    await page.getByRole("button", { name: /^(Show pictures|Bilder zeigen)$/ }).click()
    await poll(() => asked).toEqual(["http://pictures.invalid/far.png"])
    await poll(() => frame.locator("img[alt=far]").evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(
      1
    )
  }, 120_000)

  it("saves a file as it was sent", async () => {
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, at) => at % 256))
    const { body, type } = multipart("mixed", [
      { type: "text/plain", body: "See the file." },
      {
        type: "application/pdf",
        headers: { "Content-Transfer-Encoding": "base64", "Content-Disposition": 'attachment; filename="offer 1.pdf"' },
        body: base64(bytes)
      }
    ])
    await home.deliver("cat@example.test", mail({ Subject: "A file", "Content-Type": type }, body))
    const user = await home.user("cat@example.test")
    const page = await console.open(user, "/mail/INBOX/1")
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /offer 1\.pdf/ }).click()
    ])
    expect(download.suggestedFilename()).toBe("offer 1.pdf")
    const chunks: Array<Buffer> = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
  }, 120_000)
})
