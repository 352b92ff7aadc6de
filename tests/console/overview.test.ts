/** The overview page shows the current state and updates live. */
import { describe, expect, it } from "vitest"
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
    await console.emit("alarm.finished", {}, { tenantId: 1 })
    await card("Last alarms").getByRole("link", { name: "Disk full on db1" }).waitFor()
    expect(await card("Last alarms").locator(".badge").textContent()).toBe("rejected")
  }, 60_000)

  it("shows nobody what they may not see", async () => {
    const page = await console.open(await console.user())
    await page.getByRole("region", { name: "Unread" }).waitFor()
    expect(await page.getByRole("region").count()).toBe(2)
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).not.toContain("Daemons")
  }, 60_000)
})
