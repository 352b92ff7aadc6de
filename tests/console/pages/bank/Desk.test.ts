/** The desk of transactions in a real browser: the batch, the CSV file, and what users without permissions see. */
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { camt053, ownIban } from "#support/bank/StatementFiles.ts"
import { consoleTests } from "#support/console/Console.ts"
import { until } from "#support/Frame.ts"
import { callsAs } from "../telephony/Telephony.ts"
import { bankConsole, check, day } from "./Bank.ts"

const console = consoleTests(bankConsole)

const { run } = console

/** A tenant with an account, a statement of three transactions that no invoice fits, and its admin. */
const books = async () => {
  const user = await console.user({ role: "admin", tenant: await console.tenant() })
  const ask = await callsAs(console, user)
  const account = await ask("POST", "/api/v1/crm/ebics/accounts", { name: "Savings", iban: ownIban })
  const { access_token: token } = (
    await run(
      console.suite.call("POST", "/api/v1/auth/login", {
        body: { email: user.email, password: "correct horse battery" }
      })
    )
  ).json
  const statement = camt053({
    day: day(3),
    number: 17,
    opening: "1000.00",
    bookings: [
      { amount: "119.00", text: "Rechnung RE-2026-0042", name: "Erika Muster" },
      { amount: "20.00", text: '=HYPERLINK("x"), danke', name: "Kai; Jansen" },
      { amount: "-3.90", text: "Kontoentgelt" }
    ]
  })
  await fetch(`${console.base}/api/v1/crm/ebics/statements/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/octet-stream" },
    body: statement
  })
  const { sql } = console.suite
  await run(
    until(
      "the statement is read and decided",
      Effect.map(
        sql`select 1 from bank_fetcher.transaction where tenant_id = ${user.tenant}
          and not exists (select 1 from pgboss.job where name in ('bank.parse', 'bank.reconcile')
            and state in ('created', 'retry', 'active'))`,
        (rows) => rows.length === 3
      )
    )
  )
  return { user, ask, account }
}

/** Names of all buttons in the page's content. */
const buttons = (page: Page): Promise<ReadonlyArray<string>> =>
  page
    .locator("main button:visible, main a.button:visible")
    .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? one.textContent ?? ""))

describe("the desk", () => {
  it("matches all transactions with progress, and saves the filtered ones as CSV", async () => {
    const { user } = await books()
    const page = await console.open(user, "/bank/transactions")
    const list = page.getByRole("list", { name: "Transactions" })
    await list.getByRole("button", { name: /Erika Muster.*unmatched/s }).waitFor()
    // Inserted without the job that decides after each change of an invoice.
    await run(console.suite.sql`insert into bank_fetcher.invoice
      (tenant_id, number, amount, currency, issued_on, due_on)
      values (${user.tenant}, 'RE-2026-0042', 11900, 'EUR', ${day(10)}, ${day(-4)})`)
    await page.getByRole("button", { name: "Match automatically" }).click()
    await page.getByRole("progressbar", { name: "Progress of the matching" }).waitFor()
    await page.getByText(/^Matching is finished\. 1 matched, 0 with a suggestion/).waitFor()
    await list.getByRole("button", { name: /Erika Muster.*matched automatically/s }).waitFor()
    await check(page, "bank-batch")

    await page.getByLabel("Search text, name, IBAN").fill("danke")
    await page.waitForURL(/q=danke/)
    await expect.poll(() => list.getByRole("button").count(), { timeout: 20_000 }).toBe(1)
    const [csv] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "As CSV" }).click()
    ])
    expect(csv.suggestedFilename()).toBe("transactions.csv")
    const [head, line, ...rest] = readFileSync(await csv.path(), "utf8").split("\r\n")
    expect(rest).toEqual([""])
    expect(head).toMatch(
      /^booked_on,value_on,amount,currency,booking_status,counter_name,counter_iban,counter_bic,text,/
    )
    // A text that a spreadsheet would take for a formula begins with an apostrophe.
    expect(line).toContain(
      `${day(3)},${day(3)},20.00,EUR,booked,Kai; Jansen,,,"'=HYPERLINK(""x""), danke",,,,,,166,,,false,unmatched,0.00,true,`
    )
  }, 120_000)

  it("shows nobody a button that the server would refuse", async () => {
    const { account, ask, user } = await books()
    const invoice = await ask("POST", "/api/v1/crm/invoices", { number: "RE-7", amount: "50.00", issued_on: day(9) })
    const payment = await ask("POST", "/api/v1/crm/payments", {
      amount: "5.00",
      currency: "EUR",
      paid_on: day(1),
      allocations: [{ invoice_number: "RE-7" }]
    })
    await ask("POST", "/api/v1/crm/customers", { number: "K1", name: "Erika Muster" })
    await ask("PUT", `/api/v1/crm/ebics/accounts/${account.id}`, {
      host_id: "HOST",
      partner_id: "PARTNER",
      user_id: "USER",
      server_url: "https://ebics.bank.example/ebics"
    })
    const paths = [
      "",
      "/transactions",
      "/invoices",
      `/invoices/${invoice.id}`,
      "/payments",
      `/payments/${payment.id}`,
      "/customers",
      "/statements",
      "/statements/files",
      "/accounts",
      `/accounts/${account.id}`
    ]
    const seen = async (held: ReadonlyArray<string>) => {
      const page = await console.open(user, "/bank", {
        before: (page) =>
          page.route("**/api/v1/auth/me", async (route) => {
            const answer = await route.fetch()
            await route.fulfill({ response: answer, json: { ...(await answer.json()), permissions: held } })
          })
      })
      const found = new Set<string>()
      for (const path of paths) {
        await page.goto(`${console.base}/console/bank${path}`)
        await page.getByRole("list", { name: "Sections of the bank" }).waitFor()
        await page.waitForLoadState("networkidle")
        await page.locator("main .waiting").waitFor({ state: "detached" })
        for (const name of await buttons(page)) found.add(name)
      }
      // A selected transaction, by keys that decide as well.
      await page.goto(`${console.base}/console/bank/transactions`)
      await page.getByRole("button", { name: /Kai; Jansen/ }).click()
      await page.getByRole("region", { name: "Kai; Jansen" }).getByText("Suggestions").waitFor()
      for (const name of await buttons(page)) found.add(name)
      await page.keyboard.press("i")
      await page.keyboard.press("s")
      expect(await page.locator("form:visible").count()).toBe(held.includes("ebics.reconcile") ? 1 : 0)
      return found
    }
    const deciding = [
      "Match automatically",
      "Add an invoice",
      "Record a payment",
      "Cancel the invoice",
      "Undo the payment"
    ]
    const managing = ["Add an account", "Deactivate", "Import statements", "Generate keys"]
    const everything = await seen(["ebics.view", "ebics.fetch", "ebics.manage", "ebics.reconcile"])
    for (const name of [...deciding, ...managing]) expect([...everything]).toContain(name)

    const read = await seen(["ebics.view"])
    // What is left shows, moves or downloads.
    const harmless =
      /^(Transactions|Statements|All (accounts|invoices|payments|statements)|Files( from banks)?|As CSV|Download.*|Original file|Clear|.*(Kai; Jansen|Erika Muster|without a name).*)$/s
    expect([...read].filter((name) => !harmless.test(name))).toEqual([])
  }, 120_000)
})
