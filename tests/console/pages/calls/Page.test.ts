/** Call records in a real browser, with live updates. */
import { describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests } from "#support/console/Console.ts"
import { callsAs } from "../telephony/Telephony.ts"

const console = consoleTests()

describe("calls", () => {
  it("shows who called whom and how it ended, by itself, and finds by number and direction", async () => {
    const tenant = await console.tenant()
    const user = await console.user({ role: "admin", tenant })
    const customer = await (
      await callsAs(console, user)
    )("POST", "/api/v1/crm/customers", { number: "K7", name: "Erika Muster", phones: ["030 1234567"] })
    const page = await console.open(user, "/calls")
    await page.getByText("No call yet.").waitFor()
    const { sql } = console.suite
    const call = (row: object) =>
      console.run(
        sql`insert into sip_config.call ${sql.insert({ tenant_id: tenant, direction: "inbound", state: "ended", did_number: "+4930999", started_at: new Date("2026-05-04T08:00:00Z"), ...row } as never)}`
      )
    await call({
      id: "00000000-0000-4000-8000-000000000001",
      caller_id: "+49301234567",
      customer_id: customer.id,
      extension: "1001",
      answered_at: new Date("2026-05-04T08:00:05Z"),
      ended_at: new Date("2026-05-04T08:01:35Z"),
      cause: "NORMAL_CLEARING"
    })
    await call({
      id: "00000000-0000-4000-8000-000000000002",
      caller_id: "anonymous",
      ended_at: new Date("2026-05-04T08:00:20Z"),
      cause: "ORIGINATOR_CANCEL"
    })
    await call({
      id: "00000000-0000-4000-8000-000000000003",
      caller_id: "1001",
      direction: "outbound",
      did_number: null,
      destination: "+4989777",
      state: "ringing"
    })
    await console.emit(
      "call.ended",
      {
        call_id: "00000000-0000-4000-8000-000000000002",
        answered: false,
        cause: "ORIGINATOR_CANCEL",
        duration: 0,
        at: new Date().toISOString()
      },
      { tenantId: tenant }
    )
    const list = page.getByRole("region", { name: "Calls" })
    await list.getByRole("row", { name: /inbound Erika Muster \+49301234567 \+4930999 1001 taken 1\.5 min/ }).waitFor()
    await list.getByRole("row", { name: /inbound number withheld \+4930999 – missed ORIGINATOR_CANCEL/ }).waitFor()
    await list.getByRole("row", { name: /outbound 1001 \+4989777 – rings –/ }).waitFor()
    await checkPage(page, "calls")
    await page.evaluate(() => {
      const select = document.querySelector<HTMLSelectElement>("select[name=language]")!
      select.value = "en"
      select.dispatchEvent(new Event("change", { bubbles: true }))
    })
    await page.getByRole("combobox", { name: "Direction" }).selectOption({ label: "outbound" })
    await list.getByRole("row", { name: /withheld/ }).waitFor({ state: "detached" })
    expect(await list.getByRole("row").count()).toBe(2)
    await page.getByRole("combobox", { name: "Direction" }).selectOption("")
    await page.getByRole("searchbox").fill("+49 30 1234567")
    await list.getByRole("row", { name: /outbound/ }).waitFor({ state: "detached" })
    await list.getByRole("link", { name: "Erika Muster" }).click()
    await page.getByRole("heading", { level: 1, name: "Erika Muster" }).waitFor()
  }, 120_000)
})
