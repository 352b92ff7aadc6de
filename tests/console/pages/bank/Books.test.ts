/** Statements from files, invoices, payments and IBANs of customers in a real browser. */
import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { camt053, ownIban } from "#support/bank/StatementFiles.ts"
import { consoleTests } from "#support/console/Console.ts"
import { callsAs } from "../telephony/Telephony.ts"
import { bankConsole, cardSecret, check, day, speak } from "./Bank.ts"

const console = consoleTests(bankConsole)

const file = (name: string, text: string) => ({ name, mimeType: "application/xml", buffer: Buffer.from(text) })

/** Chooses files in the dialog of the import. */
const choose = async (page: Page, ...files: ReadonlyArray<ReturnType<typeof file>>) => {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Choose files" }).click()
  ])
  await chooser.setFiles([...files])
}

/** Sends an event of a payment provider to the daemon; only the card provider signs. */
const send = async (provider: "card" | "wallet", body: string) => {
  const { status, text } = await console.run(
    console.suite.call("POST", `/api/v1/payments/webhooks/${provider}`, {
      body,
      headers:
        provider === "card"
          ? { "x-webhook-signature": createHmac("sha256", cardSecret).update(body).digest("hex") }
          : {}
    })
  )
  expect(status, text).toBe(200)
}

const first = camt053({
  day: day(5),
  number: 17,
  opening: "1000.00",
  bookings: [{ amount: "20.00", text: "jaski und kai", name: "Kai Jansen" }]
})

describe("the books of the bank", () => {
  it("take in files, name duplicates, gaps and broken files, and search transactions by typing", async () => {
    const user = await console.user({ role: "admin", tenant: await console.tenant() })
    const ask = await callsAs(console, user)
    await ask("POST", "/api/v1/crm/ebics/accounts", { name: "Savings", iban: ownIban })
    const page = await console.open(user, "/bank/statements")
    await page.getByText("No statement yet.").waitFor()
    await page.getByRole("button", { name: "Import statements" }).click()
    const results = page.getByRole("list", { name: "Imported files" })
    await choose(page, file("first.xml", first))
    await results.getByRole("link", { name: "1 statement", exact: true }).waitFor()
    await choose(page, file("again.xml", first))
    await results.getByText("known already").waitFor()
    // A dropped file, of the statement after the next.
    const later = camt053({ day: day(3), number: 19, opening: "900.00", bookings: [] })
    await page.locator(".bank-drop").evaluate((target, text) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([text], "later.xml", { type: "application/xml" }))
      target.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }))
    }, later)
    await page.getByText("Statement 18 is missing. Fetch these days once more.").waitFor()
    console.expecting(/status of 422 .*\/statements\/import/)
    await choose(page, file("cut.xml", first.slice(0, 900)), file("letter.txt", "Dear Sir or Madam"))
    await results.getByText("The file is damaged").waitFor()
    await results
      .getByText("This is no file with bank statements.")
      .or(results.getByText("The format is unknown."))
      .waitFor()
    await check(page, "bank-statements")

    await page.getByRole("button", { name: "Close" }).click()
    const statements = page.getByRole("region", { name: "Statements" })
    await statements
      .getByRole("row", { name: /no\. 17.*Savings.*€1,020\.00/s })
      .getByRole("link")
      .click()
    await page.getByRole("row", { name: /Kai Jansen/ }).waitFor()
    const [raw] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Original file" }).click()
    ])
    expect(readFileSync(await raw.path(), "utf8")).toBe(first)
    await check(page, "bank-statement")

    await page.goto(`${console.base}/console/bank/statements/files?state=failed`)
    await page.getByRole("row", { name: /cut\.xml.*not readable/s }).waitFor()
    await check(page, "bank-files")

    // Keys move and search, but belong to the field while somebody types.
    await page.getByRole("link", { name: "Transactions" }).click()
    const row = page.getByRole("button", { name: /Kai Jansen/ })
    await row.waitFor()
    await page.keyboard.press("j")
    await page.locator("button[data-row][aria-current=true]:focus").waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("jaski")
    expect(await page.getByLabel("Search text, name, IBAN").inputValue()).toBe("jaski")
    await page.waitForURL(/q=jaski/)
    await row.waitFor()
    await page.getByLabel("Search text, name, IBAN").fill("nobody")
    await page.getByText("No transaction matches the filters.").waitFor()
  }, 120_000)

  it("have invoices, payments and IBANs of customers", async () => {
    const user = await console.user({ role: "admin", tenant: await console.tenant() })
    const ask = await callsAs(console, user)
    await ask("POST", "/api/v1/crm/customers", { number: "K1", name: "Erika Muster" })
    const page = await console.open(user, "/bank/customers")
    await page.getByRole("button", { name: "Change IBANs: Erika Muster" }).click()
    const ibans = page.getByRole("form", { name: "IBANs of Erika Muster" })
    await ibans.getByRole("button", { name: "Add an IBAN" }).click()
    await ibans.getByLabel("IBANs 1").fill("DE03120300000000202051")
    console.expecting(/status of (409|422) .*\/crm\//)
    await ibans.getByRole("button", { name: "Save" }).click()
    await ibans.getByText(/Entry 1: must be an IBAN with correct check digits/).waitFor()
    await ibans.getByLabel("IBANs 1").fill("DE02 1203 0000 0000 2020 51")
    await ibans.getByRole("button", { name: "Save" }).click()
    await page.getByRole("row", { name: /Erika Muster.*DE02 1203 0000 0000 2020 51/s }).waitFor()
    await check(page, "bank-customers")

    await page.getByRole("link", { name: "Invoices" }).click()
    await page.getByText("No invoice yet.").waitFor()
    await page.getByRole("button", { name: "Add an invoice" }).click()
    const form = page.getByRole("form", { name: "Add an invoice" })
    await form.getByLabel("Number", { exact: true }).fill("RE-7")
    await form.getByRole("combobox", { name: "Customer" }).fill("Erika")
    await form.getByRole("option", { name: /Erika Muster/ }).waitFor()
    await page.keyboard.press("Enter")
    await form.getByLabel("Amount", { exact: true }).fill("1.190,5x")
    await form.getByLabel("Issued on").fill(day(40))
    await form.getByRole("button", { name: "Save" }).click()
    await form.getByText("must be a decimal number").waitFor()
    await form.getByLabel("Amount", { exact: true }).fill("1.190,50")
    await form.getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { level: 1, name: "Invoice RE-7" }).waitFor()
    await page.getByText("overdue").waitFor()
    await page.getByRole("button", { name: "Change" }).click()
    const change = page.getByRole("form", { name: "Change invoice RE-7" })
    await change.getByLabel("Cash discount until").fill(day(-9))
    await change.getByLabel("Cash discount, amount").fill("20")
    await change.getByRole("button", { name: "Save" }).click()
    await page.getByText("€20.00 until").waitFor()

    await page.getByRole("link", { name: "All invoices" }).click()
    await page.getByRole("button", { name: "Import a CSV file" }).click()
    await page
      .getByLabel("CSV file")
      .setInputFiles(
        file(
          "invoices.csv",
          `number;amount;issued_on\nRE-8;100,00;${day(1)}\nRE-9;-20,00;${day(1)}\nRE-10;much;${day(1)}`
        )
      )
    await page.getByRole("button", { name: "Begin" }).click()
    await page.getByText("Finished. 3 of 3 rows: 2 new, 0 changed, 0 as they were, 1 failed").waitFor()
    await page.getByText(/^Line 4: /).waitFor()
    await page.getByRole("row", { name: /RE-9 credit note/ }).waitFor()
    await check(page, "bank-invoices")

    await page.getByRole("link", { name: "Payments" }).click()
    await page.getByRole("button", { name: "Record a payment" }).click()
    const payment = page.getByRole("form", { name: "Record a payment" })
    await payment.getByLabel("Amount", { exact: true }).fill("200")
    await payment.getByLabel("Invoice number 1").fill("RE-77")
    await payment.getByRole("button", { name: "Save" }).click()
    await payment
      .getByRole("alert")
      .filter({ hasText: /RE-77|no invoice/i })
      .waitFor()
    await payment.getByLabel("Invoice number 1").fill("RE-7")
    await payment.getByRole("button", { name: "Save" }).click()
    await page.getByRole("link", { name: "RE-7" }).click()
    await page.getByText("paid in part").waitFor()
    await check(page, "bank-invoice")
    await page.getByRole("region", { name: "Payments" }).getByRole("link").click()
    await page.getByRole("button", { name: "Undo the payment" }).click()
    await page.getByRole("button", { name: "Really? Its invoices are open again." }).click()
    await page.getByText("undone", { exact: true }).waitFor()
    await check(page, "bank-payment")
  }, 120_000)

  it("show the events of payment providers, what came of them, and their bodies as text", async () => {
    const user = await console.user({ role: "admin" })
    const ask = await callsAs(console, user)
    await ask("POST", "/api/v1/crm/invoices", { number: "RE-11", amount: "119.00", issued_on: day(3) })
    const page = await console.open(user, "/bank/payments")
    await page.getByRole("link", { name: "Payment events" }).click()
    await page.getByText(/^No event yet\./).waitFor()
    const paid = (id: string, data: object) => ({ id, type: "payment.succeeded", data: { currency: "EUR", ...data } })
    const hostile = '{"id":"evt_3","type":"<b>dispute</b>","data":"<img src=x onerror=alert(1)>\\u202e"}'
    await send("card", JSON.stringify(paid("evt_1", { amount: "119.00", invoice_number: "RE-11" })))
    // The list follows the payments.
    await page.getByRole("row", { name: /payment.*card, evt_1.* signed.*applied/s }).waitFor()
    await send("card", JSON.stringify(paid("evt_2", { amount: "20.00", invoice_number: "RE-404" })))
    await send("card", hostile)
    await send("wallet", JSON.stringify(paid("evt_4", { amount: "-1.00" })))
    await page.reload()
    await page.getByRole("row", { name: /wallet, evt_4.*not signed.*failed.*data\.amount must be above 0/s }).waitFor()
    await page
      .getByRole("row", { name: /evt_2.*applied.*The invoice does not exist\. The payment is unassigned/s })
      .waitFor()
    await check(page, "bank-payment-events")
    await speak(page, "de")
    await page
      .getByRole("row", { name: /evt_2.*Die Rechnung gibt es nicht\. Die Zahlung ist nicht zugewiesen/s })
      .waitFor()
    await speak(page, "en")

    // Each filter alone.
    const shows = async (...ids: ReadonlyArray<string>) => {
      const cells = page.getByRole("rowheader")
      await expect
        .poll(async () => (await cells.allInnerTexts()).map((text) => /evt_\d/.exec(text)?.[0]), { timeout: 20_000 })
        .toEqual(ids)
    }
    await page.getByRole("combobox", { name: "Provider" }).selectOption("wallet")
    await shows("evt_4")
    await page.getByRole("combobox", { name: "Provider" }).selectOption("card")
    await shows("evt_3", "evt_2", "evt_1")
    await page.getByRole("combobox", { name: "Provider" }).selectOption("")
    await page.getByRole("combobox", { name: "Signature" }).selectOption("true")
    await shows("evt_3", "evt_2", "evt_1")
    await page.getByRole("combobox", { name: "Signature" }).selectOption("false")
    await shows("evt_4")
    await page.getByRole("combobox", { name: "Signature" }).selectOption("")
    await page.getByRole("combobox", { name: "State" }).selectOption("applied")
    await shows("evt_2", "evt_1")
    await page.getByRole("combobox", { name: "State" }).selectOption("unknown")
    await shows("evt_3")
    await page.getByRole("combobox", { name: "State" }).selectOption("")
    await page.getByLabel("Id of the event").fill("VT_1")
    await shows("evt_1")
    await page.getByLabel("Id of the event").fill("evt_9")
    await page.getByText("No event matches the filters.").waitFor()
    await page.getByLabel("Id of the event").fill("")

    // The body is text, whatever it has.
    await page.getByRole("row", { name: /evt_3/ }).getByRole("link").click()
    const body = page.getByRole("group", { name: "Body as received" })
    await body.waitFor()
    expect(await body.textContent()).toBe(hostile)
    expect(await page.locator("main img, main b").count()).toBe(0)
    await check(page, "bank-payment-event")

    // From the event to its payment and back.
    await page.goBack()
    await page.getByRole("row", { name: /evt_1/ }).getByRole("link", { name: "payment", exact: true }).click()
    await page.getByRole("link", { name: /^Payment of/ }).click()
    await page.getByRole("link", { name: "RE-11", exact: true }).waitFor()
    await page.getByRole("link", { name: "Payment events" }).click()
    await shows("evt_1")
    await page.getByRole("button", { name: "Show all events" }).click()
    await shows("evt_4", "evt_3", "evt_2", "evt_1")

    const other = await console.open(
      await console.user({ role: "admin", tenant: await console.tenant() }),
      "/bank/payments/events"
    )
    await other.getByText("Payment providers send their events to the provider's own tenant only.").waitFor()
    await other.getByRole("link", { name: "All payments" }).click()
    await other.getByText("No payment yet.").waitFor()
    expect(await other.getByRole("link", { name: "Payment events" }).count()).toBe(0)
  }, 120_000)

  it("are hidden from users without the permission", async () => {
    const page = await console.open(await console.user(), "/notifications")
    expect(await page.getByRole("link", { name: "Bank", exact: true }).count()).toBe(0)
    await page.goto(`${console.base}/console/bank`)
    await page.getByRole("heading", { level: 1, name: "Nothing here" }).waitFor()
  }, 120_000)
})
