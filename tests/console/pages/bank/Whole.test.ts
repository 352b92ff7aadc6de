/**
 * The whole way of the bank in a real browser against a bank double: account, keys, letters, activation, fetch, match,
 * payment and dashboard.
 */
import { Effect, Exit, Scope } from "effect"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { BankDouble } from "#support/bank/BankDouble.ts"
import { startBank } from "#support/bank/BankTls.ts"
import { camt053, ownIban } from "#support/bank/StatementFiles.ts"
import { consoleTests } from "#support/console/Console.ts"
import { hashOf } from "../../../daemons/bank-fetcher/accounts/Hashes.ts"
import { callsAs } from "../telephony/Telephony.ts"
import { bankConsole, check, day, speak } from "./Bank.ts"

const console = consoleTests(bankConsole)

const scope = Scope.makeUnsafe()
let bank: BankDouble
let url: string
beforeAll(async () => {
  ;({ bank, url } = await Effect.runPromise(Scope.provide(startBank(), scope)))
}, 120_000)
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

/** A statement of three days ago with money for the invoices of `books`. */
const statement = () =>
  camt053({
    day: day(3),
    number: 17,
    opening: "1000.00",
    bookings: [
      { amount: "119.00", text: "Rechnung RE-2026-0042, danke", name: "Erika Muster", iban: "DE02120300000000202051" },
      { amount: "59.50", text: "Vielen Dank", name: "Max Beispiel" },
      { amount: "150.00", text: "Sammelzahlung", name: "Bau und Boden GmbH" },
      { amount: "-3.90", text: "Kontoentgelt" }
    ]
  })

describe("the bank", () => {
  it("is set up, fetches, matches and shows the day's figures, in both languages", async () => {
    const tenant = await console.tenant()
    const user = await console.user({ role: "admin", tenant })
    const agreed = bank.agree("PARTNER", "USER1")
    const page = await console.open(user, "/bank")
    await page.getByText("No bank account yet.").waitFor()
    await check(page, "bank-empty")

    // The account with the ids of the bank.
    await page.getByRole("link", { name: "Add an account" }).click()
    const form = page.getByRole("form", { name: "Add a bank account" })
    await form.getByLabel("Name", { exact: true }).fill("Business account")
    await form.getByLabel("IBAN", { exact: true }).fill("DE89 3704 0044 0532 0130 01")
    console.expecting(/status of (409|422) .*\/ebics\/accounts/)
    await form.getByRole("button", { name: "Save" }).click()
    await form.getByRole("alert").filter({ hasText: "see the marked fields" }).waitFor()
    await form.getByLabel("IBAN", { exact: true }).fill(ownIban)
    await form.getByLabel("Host ID").fill(bank.hostId)
    await form.getByLabel("Partner ID").fill("PARTNER")
    await form.getByLabel("User ID").fill("USER1")
    await form.getByLabel("Server address").fill(url)
    await form.getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { level: 1, name: "Business account" }).waitFor()

    // The keys, step by step.
    const setUp = page.getByRole("region", { name: "Set-up" })
    await setUp.getByRole("button", { name: "Generate keys" }).click()
    await setUp.getByRole("button", { name: "Send the first key" }).click()
    await setUp.getByRole("button", { name: "Send the other keys" }).click()
    const [letter] = await Promise.all([
      page.waitForEvent("download"),
      setUp.getByRole("button", { name: "Letters in German (PDF)" }).click()
    ])
    expect(letter.suggestedFilename()).toBe(`ebics-letter-${bank.hostId}-de.pdf`)
    expect(
      readFileSync(await letter.path())
        .subarray(0, 5)
        .toString()
    ).toBe("%PDF-")
    await setUp.getByRole("button", { name: "Ask the bank" }).click()
    await setUp.getByText("The bank has not activated the user yet.").waitFor()
    await check(page, "bank-account-letters")
    bank.release(agreed)
    await setUp.getByRole("button", { name: "Ask the bank" }).click()

    // The bank's keys: only equal hashes are accepted.
    const accept = setUp.getByRole("button", { name: "Accept the bank's keys" })
    await setUp.getByLabel("Hash on the bank's letter: X002").fill("00".repeat(32))
    await setUp.getByText("differs: do not accept the keys").waitFor()
    expect(await accept.isDisabled()).toBe(true)
    await check(page, "bank-account-keys")
    await setUp.getByLabel("Hash on the bank's letter: X002").fill(hashOf(bank.keys.authentication))
    await setUp.getByLabel("Hash on the bank's letter: E002").fill(hashOf(bank.keys.encryption).toLowerCase())
    await accept.click()
    await setUp.getByText("The set-up is complete.").waitFor()

    // Customers and invoices, as another program made them.
    const ask = await callsAs(console, user)
    for (const [number, name] of [
      ["K1", "Erika Muster"],
      ["K2", "Max Beispiel"],
      ["K3", "Bau und Boden GmbH"]
    ])
      await ask("POST", "/api/v1/crm/customers", { number, name })
    for (const [number, amount] of [
      ["RE-2026-0042", "119.00"],
      ["RE-2026-0043", "59.50"],
      ["RE-2026-0044", "100.00"],
      ["RE-2026-0045", "80.00"]
    ])
      await ask("POST", "/api/v1/crm/invoices", { number, amount, issued_on: day(10), due_on: day(-4) })

    // The statement comes, and the clear payment is matched by itself.
    bank.offer("C53", Buffer.from(statement()))
    const fetches = page.getByRole("region", { name: "Fetches" })
    await fetches.getByRole("button", { name: "Fetch now" }).click()
    await fetches.getByText("C53 1 new").waitFor()
    await fetches.getByText("fetched", { exact: true }).waitFor()
    await check(page, "bank-account")

    await page.getByRole("link", { name: "Transactions" }).first().click()
    const list = page.getByRole("list", { name: "Transactions" })
    const row = (name: RegExp) => list.getByRole("button", { name })
    await row(/Erika Muster.*matched automatically/s).waitFor()
    await row(/Max Beispiel.*suggestion/s).waitFor()
    await check(page, "bank-transactions")

    // One key accepts the suggestion.
    await row(/Max Beispiel/).click()
    const detail = page.getByRole("region", { name: "Max Beispiel" })
    await detail.getByText("open amount equal").waitFor()
    await check(page, "bank-transaction-suggestion")
    await row(/Max Beispiel/).focus()
    await page.keyboard.press("Enter")
    await page.getByText("Matched with RE-2026-0043.").waitFor()
    await row(/Max Beispiel.*matched by hand/s).waitFor()

    // One payment for two invoices, of which one stays open in part.
    await row(/Bau und Boden/).click()
    await page.keyboard.press("s")
    const split = page.getByRole("form", { name: "Choose invoices and split" })
    await split.getByRole("combobox", { name: "Invoice 1" }).fill("0044")
    await split.getByRole("option", { name: /RE-2026-0044/ }).waitFor()
    await page.keyboard.press("Enter")
    await split.getByText("€50.00", { exact: true }).waitFor()
    await split.getByRole("button", { name: "Another invoice" }).click()
    await split.getByRole("combobox", { name: "Invoice 2" }).fill("0045")
    await split.getByRole("option", { name: /RE-2026-0045/ }).waitFor()
    await page.keyboard.press("Enter")
    await split.getByText("€0.00", { exact: true }).waitFor()
    expect(await split.getByLabel("Amount 2").inputValue()).toBe("50.00")
    await split.getByLabel("Amount 2").fill("80")
    await split.getByText("The amounts are more than the transaction.").waitFor()
    await check(page, "bank-transaction-split")
    await split.getByLabel("Amount 2").fill("50")
    await split.getByRole("button", { name: "Match", exact: true }).click()
    await page.getByText("Matched with RE-2026-0044, RE-2026-0045; a part is still open.").waitFor()
    await row(/Bau und Boden.*matched in part/s).waitFor()

    // A fee is ignored with a reason; undo restores it.
    await row(/without a name/).click()
    await page.keyboard.press("i")
    await page.getByLabel("Reason").fill("Bank fee")
    await page.keyboard.press("Enter")
    await row(/without a name.*ignored/s).waitFor()
    await page.keyboard.press("u")
    await row(/without a name.*(unmatched|suggestion)/s).waitFor()

    // The payment and the dashboard.
    await page.getByRole("link", { name: "Payments" }).click()
    await page.getByRole("row", { name: /RE-2026-0044 RE-2026-0045.*€150\.00/ }).waitFor()
    await check(page, "bank-payments")
    await page.getByRole("link", { name: "Overview", exact: true }).last().click()
    await page.getByText("€1,324.60").first().waitFor()
    await page.getByRole("link", { name: /1 unmatched transaction/ }).waitFor()
    await page.getByText("As a table").click()
    await check(page, "bank-dashboard")
    await speak(page, "de")
    await page.getByText("1.324,60 €").first().waitFor()
    await page.getByRole("link", { name: "Umsätze", exact: true }).click()
    await page.getByRole("button", { name: /Erika Muster.*automatisch zugeordnet/s }).waitFor()
  }, 180_000)
})
