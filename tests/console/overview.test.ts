/** The overview page shows the current state and updates live. */
import { describe, expect, it } from "vitest"
import { checkPage, choose } from "#support/console/CheckPage.ts"
import { consoleTests, everyDaemon } from "#support/console/Console.ts"

const console = consoleTests()

describe("the overview", () => {
  it("shows what is unread, the last alarms and every daemon, live", async () => {
    const page = await console.open(await console.user({ role: "admin" }))
    const card = (title: string) => page.getByRole("region", { name: title })
    await card("Unread").getByText("Everything is read.").waitFor()
    await card("Last alarms").getByText("No alarm so far.").waitFor()
    await page.locator(".shell[data-live=open]").waitFor()
    const rows = card("Daemons").getByRole("listitem")
    await rows.first().waitFor()
    // On a loaded machine daemons may report degraded.
    expect((await rows.allTextContents()).map((text) => text.replace(/(ok|degraded)$/, " said")).toSorted()).toEqual(
      everyDaemon.map(({ name }) => `${name} said`).toSorted()
    )

    const { sql } = console.suite
    await console.run(sql`insert into comm_dispatcher.run (id, trigger_key, tenant_id, event_type, state, reason, subject, body, sender, mode, source, steps, received_at)
      values (gen_random_uuid(), 'one', 1, 'email.alarm.received', 'rejected', 'sender_not_allowed', 'Disk full on db1', '', 'a@b.example', 'parallel', '{}', '[]', now())`)
    await console.run(sql`insert into comm_dispatcher.run (id, trigger_key, tenant_id, event_type, state, subject, body, sender, mode, source, steps, received_at, finished_at)
      values (gen_random_uuid(), 'two', 1, 'email.alarm.received', 'failed', 'ALERT:CALL+4930123456', 'Pump stopped', 'a@b.example', 'parallel', '{"kind":"smtp"}', '[]', now(), now())`)
    await console.emit("alarm.finished", {}, { tenantId: 1 })
    // A rejected alarm waits for nobody.
    const attention = card("Needs attention")
    await attention.getByRole("link", { name: /Pump stopped/ }).waitFor()
    expect(await attention.getByRole("link", { name: /Disk full/ }).count()).toBe(0)
    expect(await page.getByRole("region").first().getAttribute("aria-labelledby")).toBe(
      await attention.getAttribute("aria-labelledby")
    )
    await card("Alarms over time").locator("canvas").waitFor()
    await checkPage(page, "overview-busy")
    await choose(page, "language", "en")
    await card("Last alarms").getByRole("link", { name: "Disk full on db1" }).waitFor()
    expect((await card("Last alarms").locator(".badge").allTextContents()).toSorted()).toEqual(["failed", "rejected"])
    // The whole row is the link.
    await attention.getByRole("link", { name: /Pump stopped/ }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Pump stopped" }).waitFor()
  }, 120_000)

  it("shows nobody what they may not see", async () => {
    const page = await console.open(await console.user())
    await page.getByRole("region", { name: "Unread" }).waitFor()
    await page.getByText("Nothing needs attention.").waitFor()
    expect(await page.getByRole("region").allTextContents()).toHaveLength(4)
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).not.toContain("Daemons")
  }, 120_000)
})
