/** Actions that can be taken back, in a real browser: the notice, its keys and its time. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { checkPage, choose } from "#support/console/CheckPage.ts"
import { consoleTests } from "#support/console/Console.ts"
import { makeCustomer } from "#support/console/Customers.ts"
import { undoSeconds } from "../../console/lib/UndoState.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"

const console = consoleTests({ daemons: [identity, commDispatcher, mailAdmin, sipConfig] })

const notice = (page: Page) => page.locator(".undo-notice")

/** Domain of its own with a mailbox and an alias. Returns its id. */
const domain = async (name: string): Promise<number> => {
  const token = await console.run(console.suite.token)
  const ask = async (path: string, body: object) => {
    const answer = await console.run(console.suite.call("POST", path, { token, body }))
    expect(answer.status, answer.text).toBe(201)
    return answer.json
  }
  const { id } = await ask("/api/v1/mail/domains", { domain: name, customer_id: 1 })
  await ask(`/api/v1/mail/domains/${id}/accounts`, { local_part: "info", password: "four words in a row" })
  await ask(`/api/v1/mail/domains/${id}/aliases`, { source: "office", destination: "anna@example.net" })
  return id
}

it("takes back a deletion, a switch and a changed field, by button and by key, on the next page too", async () => {
  const user = await console.user({ role: "admin" })
  await makeCustomer(console, "K-5", "Post & Söhne")
  const id = await domain("undo.example.org")
  const page = await console.open(user, `/mail-domains/${id}`)
  const alias = page.getByRole("row", { name: /office@undo\.example\.org/ })
  await alias.waitFor()
  expect(await notice(page).getByRole("button").count()).toBe(0)

  // A deletion without a question.
  await alias.getByRole("button", { name: /^Delete: office@/ }).click()
  await notice(page).getByRole("status").getByText("office@undo.example.org → anna@example.net is deleted.").waitFor()
  await alias.waitFor({ state: "detached" })
  await notice(page).getByRole("button", { name: "Undo" }).focus()
  await checkPage(page, "undo")
  await choose(page, "language", "en")
  await page.keyboard.press("Enter")
  await notice(page)
    .getByText(/^Undone\./)
    .waitFor()
  await alias.waitFor()

  // A field: the form sends back what differs.
  await page.getByRole("button", { name: "Change: info@undo.example.org" }).click()
  const form = page.getByRole("form", { name: "Change info@undo.example.org" })
  await form.getByLabel("Space in MiB").fill("64")
  await form.getByRole("button", { name: "Save" }).click()
  await page.getByRole("row", { name: /info@.* 64 MiB active/ }).waitFor()
  await notice(page).getByText("info@undo.example.org is saved.").waitFor()
  await notice(page).getByRole("button", { name: "Undo" }).click()
  await page.getByRole("row", { name: /info@.* no limit active/ }).waitFor()

  // A switch, taken back from another page by the keyboard.
  await page.getByRole("button", { name: /^Suspend.*info@/ }).click()
  await notice(page).getByText("info@undo.example.org is suspended.").waitFor()
  await page.getByRole("link", { name: "Mail domains" }).first().click()
  await page.getByRole("heading", { level: 1, name: "Mail domains" }).waitFor()
  await page.keyboard.press("Control+z")
  await notice(page)
    .getByText(/^Undone\./)
    .waitFor()
  const states = await console.run(console.suite.sql`select state from mail_admin.mailbox where domain_id = ${id}`)
  expect(states).toEqual([{ state: "active" }])
}, 120_000)

it("offers the last action only, for its seconds, and longer while the notice has the focus", async () => {
  const user = await console.user({ role: "admin" })
  const id = await domain("seconds.example.org")
  const page = await console.open(user, `/mail-domains/${id}`, { before: (page) => page.clock.install() })
  const turn = (name: RegExp) => page.getByRole("button", { name }).click()
  await turn(/^Suspend.*info@/)
  await notice(page).getByText("is suspended.").waitFor()
  await turn(/^Let in again.*info@/)
  await notice(page).getByText("is in use again.").waitFor()
  expect(await notice(page).getByRole("button", { name: "Undo" }).count()).toBe(1)

  await notice(page).getByRole("button", { name: "Undo" }).focus()
  await page.clock.runFor((undoSeconds + 5) * 1_000)
  expect(await notice(page).getAttribute("data-undo")).toBe("offered")
  await page.getByRole("heading", { level: 1 }).focus()
  await page.clock.runFor((undoSeconds + 5) * 1_000)
  expect(await notice(page).getAttribute("data-undo")).toBe("none")
  await page.keyboard.press("Control+z")
  await page.getByRole("row", { name: /info@.* active/ }).waitFor()
}, 120_000)

it("says why an action could not be taken back, until it is closed", async () => {
  const user = await console.user({ role: "admin" })
  const id = await domain("refused.example.org")
  const page = await console.open(user, `/mail-domains/${id}`)
  await page.getByRole("button", { name: /^Delete: office@/ }).click()
  // Somebody takes the address meanwhile.
  const token = await console.run(console.suite.token)
  const taken = { local_part: "office", password: "four words in a row" }
  await notice(page).getByText("is deleted.").waitFor()
  await console.run(console.suite.call("POST", `/api/v1/mail/domains/${id}/accounts`, { token, body: taken }))
  console.expecting(/status of 409 .*\/aliases/)
  await notice(page).getByRole("button", { name: "Undo" }).click()
  await notice(page).getByText("This could not be undone:").waitFor()
  // The page shows what is stored now.
  await page.getByRole("row", { name: /office@refused\.example\.org .* active/ }).waitFor()
  await notice(page).getByRole("button", { name: "Close this notice" }).click()
  expect(await notice(page).getAttribute("data-undo")).toBe("none")
}, 120_000)
