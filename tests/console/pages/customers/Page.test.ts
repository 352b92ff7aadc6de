/** Customers in a real browser: search, create, change, import from a file, and open from an incoming call. */
import { describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests } from "#support/console/Console.ts"
import { callsAs } from "../telephony/Telephony.ts"

const console = consoleTests()

describe("customers", () => {
  it("finds, makes and changes them, and shows one by the address that an incoming call leads to", async () => {
    const tenant = await console.tenant()
    const user = await console.user({ role: "admin", tenant })
    const ask = await callsAs(console, user)
    await ask("POST", "/api/v1/crm/customers", { number: "K/100 1", name: "Erika Muster", phones: ["030 1234567"] })
    const page = await console.open(user, "/customers")
    const list = page.getByRole("region", { name: "Customers" })
    await list.getByRole("row", { name: /K\/100 1 Erika Muster \+49301234567/ }).waitFor()
    await page.getByRole("button", { name: "Add a customer" }).click()
    const form = page.getByRole("form", { name: "Add a customer" })
    await form.getByLabel("Customer number").fill("K/100 1")
    await form.getByLabel("Name", { exact: true }).fill("Max Beispiel")
    await form.getByLabel("Telephone numbers 1").fill("0170 7654321")
    console.expecting(/status of (409|422) .*\/crm\/customers/)
    await form.getByRole("button", { name: "Save" }).click()
    await form.getByRole("alert").filter({ hasText: "A customer has this number already." }).waitFor()
    await form.getByLabel("Customer number").fill("K2")
    await form.getByRole("button", { name: "Add a number" }).click()
    await form.getByLabel("Telephone numbers 2").fill("none")
    await form.getByRole("button", { name: "Save" }).click()
    await form.getByText("Entry 2: must be a telephone number").waitFor()
    await form.getByRole("button", { name: "Remove none" }).click()
    await form.getByRole("button", { name: "Save" }).click()
    await list.getByRole("row", { name: /K2 Max Beispiel \+491707654321/ }).waitFor()
    await page.getByRole("searchbox").fill("muster")
    await list.getByRole("row", { name: /Max Beispiel/ }).waitFor({ state: "detached" })

    await list.getByRole("link", { name: "K/100 1" }).click()
    await page.getByRole("heading", { level: 1, name: "Erika Muster" }).waitFor()
    expect(page.url()).toContain("/console/customers/K%2F100%201")
    // Changes by others appear without a reload.
    const { items } = await ask("GET", "/api/v1/crm/customers?number=K2")
    await page.goto(`${console.base}/console/customers/K2`)
    await page.getByRole("heading", { level: 1, name: "Max Beispiel" }).waitFor()
    await ask("PUT", `/api/v1/crm/customers/${items[0].id}`, { name: "Max Muster" })
    await page.getByRole("heading", { level: 1, name: "Max Muster" }).waitFor()
    await page.getByRole("button", { name: "Change" }).click()
    await page.getByLabel("E-mail address").fill("max@example.org")
    await page.getByLabel("Customer number").fill("K3")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("link", { name: "max@example.org" }).waitFor()
    await page.waitForURL(/\/customers\/K3$/)
    await checkPage(page, "customer")
  }, 120_000)

  it("says so where there is none", async () => {
    const page = await console.open(await console.user({ role: "admin" }), "/customers/none%20such")
    await page.getByRole("heading", { level: 1, name: "Customer none such" }).waitFor()
    await page.getByText("There is no customer of this number.").waitFor()
  }, 120_000)

  it("takes in a file, shows how far it came and which rows failed", async () => {
    const tenant = await console.tenant()
    const page = await console.open(await console.user({ role: "admin", tenant }), "/customers")
    await page.getByText("No customer yet.").waitFor()
    await page.getByRole("button", { name: "Import a CSV file" }).click()
    const rows = Array.from({ length: 40 }, (_, at) => `C${at},Customer ${at},030 55500${String(at).padStart(2, "0")}`)
    await page
      .getByLabel("CSV file")
      .setInputFiles({
        name: "customers.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(["number,name,phones", ...rows, "C99,Odd,no number"].join("\n"))
      })
    await page.getByRole("button", { name: "Begin" }).click()
    await page.getByText("Finished. 41 of 41 rows: 40 new, 0 changed, 0 as they were, 1 failed").waitFor()
    await page.getByText(/^Line 42: /).waitFor()
    await page.getByRole("row", { name: /C39 Customer 39/ }).waitFor()
    await checkPage(page, "customers-import")
  }, 120_000)
})
