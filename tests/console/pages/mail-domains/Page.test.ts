/** Mail domains, mailboxes and aliases in a real browser. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { makeCustomer, pickCustomer } from "#support/console/Customers.ts"
import { consoleTests } from "#support/console/Console.ts"

const console = consoleTests()

/** Selects English, because `checkPage` leaves a different language selected. */
const inEnglish = (page: Page) =>
  page.evaluate(() => {
    const select = document.querySelector<HTMLSelectElement>("select[name=language]")!
    select.value = "en"
    select.dispatchEvent(new Event("change", { bubbles: true }))
  })

const addDomain = async (page: Page, domain: string) => {
  await page.getByRole("button", { name: "Add a mail domain" }).click()
  const form = page.getByRole("form", { name: "Add a mail domain" })
  await form.getByLabel("Domain", { exact: true }).fill(domain)
  await pickCustomer(form, "K-5", "Post & Söhne")
  await form.getByRole("button", { name: "Save" }).click()
  await page.getByText(`${domain} is saved.`).waitFor()
}

/** Creates something as the platform. */
const make = async (path: string, body: object) => {
  const token = await console.run(console.suite.token)
  const answer = await console.run(console.suite.call("POST", path, { token, body }))
  expect(answer.status, answer.text).toBe(201)
  return answer.json
}

describe("mail domains", () => {
  it("gets a domain, a mailbox and an alias, says what is refused, and deletes them", async () => {
    const user = await console.user({ role: "admin" })
    const page = await console.open(user, "/mail-domains")
    await page.getByText("No mail domain yet.").waitFor()
    await checkPage(page, "mail-domains-empty")
    await inEnglish(page)
    await makeCustomer(console, "K-5", "Post & Söhne")
    await addDomain(page, "console-mail.example.org")
    await page.getByRole("row", { name: /console-mail\.example\.org in use .* Post & Söhne/ }).waitFor()
    await checkPage(page, "mail-domains")
    await inEnglish(page)
    await page.getByRole("link", { name: "console-mail.example.org" }).click()

    await page.getByRole("button", { name: "Add a mailbox" }).click()
    const form = page.getByRole("form", { name: "Add a mailbox" })
    await form.getByLabel("Name before the @").fill("info")
    await form.getByLabel("Password").fill("short")
    console.expecting(/status of 422 .*\/accounts/)
    await form.getByRole("button", { name: "Save" }).click()
    await form.getByText("Use at least 10 characters").waitFor()
    await form.getByLabel("Password").fill("four words in a row")
    await form.getByLabel("Space in MiB").fill("2048")
    await form.getByRole("button", { name: "Save" }).click()
    const row = page.getByRole("row", { name: /info@console-mail\.example\.org nobody 2,048 MiB active/ })
    await row.waitFor()

    await page.getByRole("button", { name: "Change: info@console-mail.example.org" }).click()
    const change = page.getByRole("form", { name: "Change info@console-mail.example.org" })
    await change.getByLabel("Space in MiB").fill("")
    await change.getByRole("button", { name: "Save" }).click()
    await page.getByRole("row", { name: /info@.* no limit active/ }).waitFor()
    await page.getByRole("button", { name: /^Suspend.*info@/ }).click()
    await page.getByRole("row", { name: /info@.* suspended/ }).waitFor()

    await console.run(
      console.suite.sql`insert into mail_admin.app_password
        (tenant_id, mailbox_id, user_id, device_id, device_name, tag, password_hash)
        select tenant_id, id, 1, 'device-1', 'Phone of Anna', 'a1', 'x' from mail_admin.mailbox
        where address = 'info@console-mail.example.org'`
    )
    await page.getByRole("button", { name: /^App passwords.*info@/ }).click()
    const passwords = page.getByRole("dialog", { name: "App passwords of info@console-mail.example.org" })
    await passwords.getByRole("button", { name: /^End.*Phone of Anna/ }).click()
    await passwords.getByText("must be set up anew").waitFor()
    await checkPage(page, "mail-app-passwords")
    await inEnglish(page)
    await passwords.getByRole("button", { name: "End", exact: true }).click()
    await passwords.getByText("No device has a password for this mailbox.").waitFor()
    await passwords.getByRole("button", { name: "Close" }).click()

    await page.getByRole("button", { name: "Add an alias" }).click()
    const alias = page.getByRole("form", { name: "Add an alias" })
    await alias.getByLabel("Name before the @").fill("info")
    await alias.getByLabel("Passes mail to").fill("anna@example.net")
    console.expecting(/status of 409 .*\/aliases/)
    await alias.getByRole("button", { name: "Save" }).click()
    await alias.getByText("A mailbox or an alias has this address already.").waitFor()
    await alias.getByLabel("Name before the @").fill("office")
    await alias.getByRole("button", { name: "Save" }).click()
    await page.getByRole("row", { name: /office@console-mail\.example\.org anna@example\.net/ }).waitFor()
    await page.getByRole("button", { name: "Make a new key" }).click()
    await page.getByRole("button", { name: "Sign with mail2" }).waitFor()
    await checkPage(page, "mail-domain")

    await page.getByRole("button", { name: "Löschen", exact: true }).click()
    await page.getByRole("button", { name: "Wirklich mit allen Postfächern löschen?" }).click()
    await page.getByText("Noch keine Mail-Domain.").waitFor()
  }, 120_000)

  it("clears a field that is selected as soon as the form appears, however late the page's effects run", async () => {
    const user = await console.user({ role: "admin" })
    const customer = await makeCustomer(console, "K-6", "Fokus GmbH")
    const { id } = await make("/api/v1/mail/domains", { domain: "focus.example.org", customer_id: customer })
    const mailbox = { local_part: "info", password: "four words in a row", quota_mb: 2048 }
    await make(`/api/v1/mail/domains/${id}/accounts`, mailbox)
    const page = await console.open(user, `/mail-domains/${id}`)
    const change = page.getByRole("button", { name: "Change: info@focus.example.org" })
    await change.waitFor()
    const selected = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const watch = new MutationObserver(() => {
            const space = document.querySelector<HTMLInputElement>("form [name=quota_mb]")
            if (space === null) return
            watch.disconnect()
            space.focus()
            space.select()
            // Effects of the page run a timer after the next frame; theirs are requested before these.
            requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(resolve))))
          })
          watch.observe(document.body, { childList: true, subtree: true })
        })
    )
    await change.click()
    await selected
    await page.keyboard.press("Delete")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("row", { name: /info@.* no limit active/ }).waitFor()
  }, 120_000)

  it("lets a user end the app passwords of the own mailbox, without an administrator", async () => {
    const user = await console.user()
    const customer = await makeCustomer(console, "K-7", "Eigen GmbH")
    const { id } = await make("/api/v1/mail/domains", { domain: "own.example.org", customer_id: customer })
    const mailbox = { local_part: "anna", password: "four words in a row", user_id: user.id }
    await make(`/api/v1/mail/domains/${id}/accounts`, mailbox)
    await console.run(
      console.suite.sql`insert into mail_admin.app_password
        (tenant_id, mailbox_id, user_id, device_id, device_name, tag, password_hash)
        select tenant_id, id, made_by, device, device, tag, 'x' from mail_admin.mailbox,
          (values (${user.id}::int, 'Phone of Anna', 'a1'), (${user.id + 1}::int, 'Phone of a former user', 'a2'))
            as made (made_by, device, tag)
        where address = 'anna@own.example.org'`
    )
    const page = await console.open(user, "/mailboxes")
    await page.getByRole("button", { name: /^App passwords.*anna@own/ }).click()
    const passwords = page.getByRole("dialog", { name: "App passwords of anna@own.example.org" })
    await passwords.getByRole("button", { name: /^End.*Phone of Anna/ }).waitFor()
    expect(await passwords.getByText("Phone of a former user").count()).toBe(0)
    await passwords.getByRole("button", { name: /^End.*Phone of Anna/ }).click()
    await passwords.getByText("must be set up anew").waitFor()
    await passwords.getByRole("button", { name: "End", exact: true }).click()
    await passwords.getByText("No device has a password for this mailbox.").waitFor()
    const left = await console.run(
      console.suite.sql`select a.device_name from mail_admin.app_password a
        join mail_admin.mailbox m on m.id = a.mailbox_id where m.address = 'anna@own.example.org'`
    )
    expect(left).toEqual([{ device_name: "Phone of a former user" }])
  }, 120_000)

  it("shows a tenant the record that proves a domain, and lets only the provider accept it without", async () => {
    const tenant = await console.tenant()
    const customer = await console.user({ role: "customer", tenant })
    await makeCustomer(console, "K-5", "Post & Söhne", tenant)
    const page = await console.open(customer, "/mail-domains")
    await addDomain(page, "claimed.example.org")
    await page.getByRole("row", { name: /claimed\.example\.org waits for proof/ }).waitFor()
    await page.getByRole("link", { name: "claimed.example.org" }).click()
    await page.getByText("_signalbox.claimed.example.org").waitFor()
    await page.getByText(/^signalbox-verification=[0-9a-f]{32}$/).waitFor()
    await page.getByRole("button", { name: "Check now" }).click()
    await page.getByText("are asked in a moment").waitFor()
    expect(await page.getByRole("button", { name: "Add a mailbox" }).count()).toBe(0)
    expect(await page.getByRole("button", { name: "Accept without proof" }).count()).toBe(0)
    await checkPage(page, "mail-domain-pending")
    await inEnglish(page)
    const id = new URL(page.url()).pathname.split("/").at(-1)!
    const given = await console.run(
      console.suite.call("POST", `/api/v1/mail/domains/${id}/assert`, { token: await console.run(console.suite.token) })
    )
    expect(given.status, given.text).toBe(200)
    // The page of the tenant follows by itself.
    await page.getByRole("button", { name: "Add a mailbox" }).waitFor()
  }, 120_000)
})
