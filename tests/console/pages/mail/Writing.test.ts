/** The writing part of the webmail in a real browser, over a real Dovecot and a submission server. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { mailHome, poll } from "#support/console/MailHome.ts"
import { mail } from "../../../daemons/mail-watcher/webmail-reading/Mails.ts"

const addresses = ["ann", "bob", "cat", "dan"].map((name) => `${name}@example.test`)
const home = mailHome(addresses)
const { console } = home
const [ann, bob, cat, dan] = addresses as [string, string, string, string]

const to = (page: Page) => page.getByRole("combobox", { name: "To", exact: true })
const text = (page: Page) => page.getByRole("textbox", { name: "Text of the mail" })
const drafts = async (
  user: Parameters<typeof home.ask>[0]
): Promise<ReadonlyArray<{ uid: number; subject: string }>> => {
  const { items } = await home.ask(user, "GET", "/api/v1/mail/webmail/folders")
  const folder = items.find(({ special_use }: { special_use: string | null }) => special_use === "\\Drafts")
  return folder === undefined
    ? []
    : (await home.ask(user, "GET", `/api/v1/mail/webmail/messages/${encodeURIComponent(folder.name)}`)).items
}

describe("writing mail", () => {
  it("answers a mail with its quote, and marks it answered", async () => {
    await home.deliver(
      ann,
      mail(
        {
          Subject: "A question",
          From: "Eve Far <eve@far.test>",
          To: `Ann <${ann}>, Otto <otto@far.test>`,
          Cc: '"Far, Pia" <pia@far.test>',
          "Message-ID": "<question@far.test>"
        },
        "Would Monday do?\r\n> It was said before."
      )
    )
    const user = await home.user(ann)
    await home.ask(user, "POST", "/api/v1/mail/signatures/", {
      name: "Far people",
      html: "<p>Ann Example<br><b>Signalbox</b></p>",
      rules: [{ match_type: "domain", match_value: "far.test" }]
    })
    const page = await console.open(user, "/mail/INBOX/1")
    await page.getByRole("link", { name: "Reply to all" }).click()
    await page.getByRole("heading", { level: 1, name: "Reply" }).waitFor()
    await poll(() => to(page).inputValue()).toBe("Eve Far <eve@far.test>")
    expect(await page.getByRole("combobox", { name: "Cc", exact: true }).inputValue()).toBe(
      'Otto <otto@far.test>, "Far, Pia" <pia@far.test>'
    )
    expect(await page.getByRole("textbox", { name: "Subject" }).inputValue()).toBe("Re: A question")
    expect(await text(page).inputValue()).toMatch(
      /^\n\nOn .+, Eve Far <eve@far.test> wrote:\n> Would Monday do\?\n>> It was said before\.\n$/
    )
    await page.getByText("Signature “Far people”").waitFor()
    await text(page).press("Control+Home")
    await text(page).pressSequentially("Monday <it> is.")
    await checkPage(page, "mail-compose")
    await page.evaluate(() => localStorage.setItem("signalbox.language", "en"))
    await page.getByRole("button", { name: /^(Send|Senden)$/ }).click()
    await page.getByText(/The mail is sent\.|Die Mail ist gesendet\./).waitFor()
    const [taken] = home.submission().mails
    expect(taken!.to).toEqual(["eve@far.test", "otto@far.test", "pia@far.test"])
    for (const piece of [
      /^In-Reply-To: <question@far\.test>$/m,
      /^From: Ann Example <ann@example\.test>$/m,
      /^Monday <it> is\.$/m,
      /^> Would Monday do\?$/m,
      /Monday &lt;it&gt; is\./,
      /<b>Signalbox<\/b>/,
      /^Signalbox$/m
    ]) {
      expect(taken!.raw.replace(/=\r\n/g, "").replace(/\r\n/g, "\n").replace(/=3D/g, "=")).toMatch(piece)
    }
    expect((await home.ask(user, "GET", "/api/v1/mail/webmail/messages/INBOX")).items[0].answered).toBe(true)
    // No draft of it remains.
    expect(await drafts(user)).toEqual([])
  }, 120_000)

  it("keeps what is typed among the drafts, and goes on with it, files and all", async () => {
    const user = await home.user(bob)
    const page = await console.open(user, "/mail/compose")
    await page.getByRole("textbox", { name: "Subject" }).fill("Half a thought")
    await text(page).fill("It began")
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("the plan") })
    await page.getByRole("button", { name: "Remove plan.txt" }).waitFor()
    await page.getByText(/Saved as a draft/).waitFor()
    // The next save is held back until the test has seen what the page says before it.
    const held = Promise.withResolvers<void>()
    await page.route(/\/webmail\/drafts/, async (route) => {
      await held.promise
      await route.fallback()
    })
    await text(page).fill("It began with a word")
    await page.getByText("Not saved yet").waitFor()
    held.resolve()
    await page.getByText(/Saved as a draft/).waitFor()
    expect((await drafts(user)).map(({ subject }) => subject)).toEqual(["Half a thought"])
    // The page is left before the next automatic save, so leaving saves the draft.
    await text(page).fill("It began with a word and an end")
    await page.getByRole("link", { name: "Mail", exact: true }).click()
    await page.getByRole("link", { name: "Drafts" }).click()
    await page.getByRole("link", { name: "Half a thought" }).click()
    await page.getByRole("heading", { level: 1, name: "Draft" }).waitFor()
    await poll(() => text(page).inputValue()).toBe("It began with a word and an end")
    await page.getByRole("button", { name: "Remove plan.txt" }).waitFor()
    await to(page).fill("eve@far.test")
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByText("The mail is sent.").waitFor()
    const taken = home.submission().mails.find(({ raw }) => raw.includes("Half a thought"))
    expect(taken!.raw).toContain(Buffer.from("the plan").toString("base64"))
    expect(await drafts(user)).toEqual([])
  }, 120_000)

  it("offers people, and loses nothing when sending fails", async () => {
    const user = await home.user(cat)
    await home.ask(user, "POST", "/api/v1/mail/contacts", { name: "Pia Far", emails: ["pia@far.test"] })
    const page = await console.open(user, "/mail/compose?to=eve%40far.test&subject=Lunch&body=Soup%20%26%20bread%3F")
    await poll(() => text(page).inputValue()).toBe("Soup & bread?")
    expect(await to(page).inputValue()).toBe("eve@far.test")
    await to(page).press("End")
    await to(page).pressSequentially(", pi")
    await page.getByRole("option", { name: /Pia Far/ }).waitFor()
    await to(page).press("ArrowDown")
    await to(page).press("Enter")
    expect(await to(page).inputValue()).toBe("eve@far.test, Pia Far <pia@far.test>, ")

    console.expecting(/status of (503|409|422) .*\/webmail\/send/)
    home.submission().behave({ data: 550 })
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByRole("alert").filter({ hasText: "It was not sent" }).waitFor()
    expect(await text(page).inputValue()).toBe("Soup & bread?")

    // The answer to the request is lost. The retry uses the same key, so the mail is sent once.
    home.submission().behave({})
    const keys: Array<string> = []
    await page.route("**/webmail/send*", async (route) => {
      keys.push(route.request().headers()["idempotency-key"]!)
      if (keys.length > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    console.expecting(/net::ERR_FAILED/)
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByRole("alert").filter({ hasText: "No answer came" }).waitFor()
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByText("The mail is sent.").waitFor()
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
    expect(home.submission().mails.filter(({ raw }) => raw.includes("Lunch"))).toHaveLength(1)
  }, 120_000)

  it("has what was typed still there after the sign-in ran out", async () => {
    const user = await home.user(dan)
    const page = await console.open(user, "/mail/compose")
    console.expecting(/status of 401/)
    await page.getByRole("textbox", { name: "Subject" }).fill("Not to be lost")
    // From now on the session is invalid, which the next automatic save detects.
    const out = /\/api\/v1\/(mail\/webmail\/drafts|auth\/refresh)/
    await page.route(out, (route) =>
      route.fulfill({ status: 401, contentType: "application/problem+json", body: "{}" })
    )
    await text(page).fill("Very long work")
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    await page.unroute(out)
    await page.getByLabel("E-mail address").fill(user.email)
    await page.getByLabel("Password").fill("correct horse battery")
    await page.getByRole("button", { name: "Sign in" }).click()
    await poll(() => text(page).inputValue()).toBe("Very long work")
    expect(await page.getByRole("textbox", { name: "Subject" }).inputValue()).toBe("Not to be lost")
    await page.getByText(/Saved as a draft/).waitFor()
  }, 120_000)
})
