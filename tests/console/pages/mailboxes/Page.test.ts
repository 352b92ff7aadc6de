/** The page of watched mailboxes in a real browser, over a real Dovecot. */
import { describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { mailHome, poll } from "#support/console/MailHome.ts"
import { password as mailPassword } from "../../../daemons/mail-watcher/Watcher.ts"
import { mail } from "../../../daemons/mail-watcher/webmail-reading/Mails.ts"

const [ann, bob] = ["ann@example.test", "bob@example.test"] as const
const home = mailHome([ann, bob])
const { console } = home

describe("mailboxes", () => {
  it("shows how each is watched, live, and lets accounts be added, changed and forgotten", async () => {
    const user = await home.user(ann)
    const page = await console.open(user, "/mailboxes")
    const watched = page.getByRole("region", { name: "Watched mailboxes" })
    const accounts = page.getByRole("region", { name: "Mail accounts" })
    await watched
      .getByRole("row", {
        name: /ann@example\.test all folders, at once \(NOTIFY\)|ann@example\.test inbox at once \(IDLE\)/
      })
      .waitFor()
    await watched.getByRole("row", { name: /ann@.*none yet/ }).waitFor()
    await home.deliver(ann, mail({ Subject: "News" }, "News"))
    await watched.getByRole("row", { name: /ann@.*none yet/ }).waitFor({ state: "detached" })

    await page.getByRole("button", { name: "Add an account" }).click()
    await page.getByLabel("E-mail address").fill(bob)
    await page.getByLabel("Password").fill("none of theirs")
    await page.getByLabel("IMAP server").fill("127.0.0.1")
    await page.getByLabel("Port").first().fill(String(home.dovecot().imapsPort))
    console.expecting(/status of 409 .*\/webmail\/accounts/)
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("alert").filter({ hasText: "does not take this password" }).waitFor()
    await checkPage(page, "mailboxes-add")
    await page.locator("select[name=language]").first().selectOption("en", { force: true })
    await page.getByLabel("Password").fill(mailPassword)
    await page.getByRole("button", { name: "Save" }).click()
    await accounts.getByRole("row", { name: /bob@example\.test/ }).waitFor()
    await watched.getByRole("row", { name: /bob@example\.test (all folders|inbox at once)/ }).waitFor()
    await checkPage(page, "mailboxes")
    await page.locator("select[name=language]").first().selectOption("en", { force: true })

    await accounts.getByRole("button", { name: "Change: bob@example.test" }).click()
    await page.getByLabel("Name that mail goes out under").fill("Bob B.")
    await page.getByRole("button", { name: "Save" }).click()
    await accounts.getByText("Bob B.").waitFor()
    const row = accounts.getByRole("row", { name: /bob@example\.test/ })
    await row.getByRole("button", { name: "Make default: bob@example.test" }).click()
    await row.getByText("default", { exact: true }).waitFor()

    // The mail page opens the default mailbox and can switch to the other one.
    await page.getByRole("link", { name: "Mail", exact: true }).click()
    await page.getByText("No mail here.").waitFor()
    const switcher = page.getByRole("combobox", { name: "Account" })
    expect(await switcher.evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]!.text)).toBe(bob)
    await switcher.selectOption({ label: ann })
    await page.getByRole("link", { name: "News" }).waitFor()

    await page.getByRole("link", { name: "Mailboxes" }).click()
    await row.getByRole("button", { name: "Forget" }).click()
    await row.getByRole("button", { name: "Really forget?" }).click()
    await row.waitFor({ state: "detached" })
    await poll(() => watched.getByRole("row").count()).toBe(2)

    await home.dovecot().setPassword(ann, "another one now").pipe(console.run)
    await console.run(home.dovecot().kick(ann))
    await watched.getByRole("row", { name: /cannot be watched/ }).waitFor({ timeout: 60_000 })
  }, 180_000)
})
