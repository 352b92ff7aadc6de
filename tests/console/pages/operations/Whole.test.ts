/** The pages of operations before a real watchdog: a check fails, its alert is acknowledged, and a ban is lifted. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { statusChecker } from "#daemons/status-checker/Daemon.ts"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import { consoleTests } from "#support/console/Console.ts"

const folder = mkdtempSync(join(tmpdir(), "operations-"))
const services = join(folder, "services.json")
writeFileSync(
  services,
  JSON.stringify([{ id: "web", name: "Web", checks: [{ type: "tcp", host: "127.0.0.1", port: 9 }] }])
)
afterAll(() => rmSync(folder, { recursive: true }))

const console = consoleTests({
  daemons: [identity, commDispatcher, statusChecker, watchdog],
  env: { SERVICES_FILE: services }
})

/** Value of a time field: so many hours after the same time in three weeks, in the time zone of the browser. */
const local = (hours: number) => new Date(Date.now() + 21 * 86_400_000 + hours * 3_600_000).toISOString().slice(0, 16)

it("leads from a failed check to its alert, and from a ban to its lift", async () => {
  const page = await console.open(await console.user({ role: "admin" }), "/operations/checks")

  // A check of a port that nobody listens on fails at its first run.
  await page.getByRole("button", { name: "Add a check" }).click()
  await page.getByLabel("What is checked").selectOption({ label: "TCP" })
  const form = page.getByRole("form", { name: "Add a check" })
  await form.getByLabel("Name", { exact: true }).fill("discard")
  await form.getByLabel("Host", { exact: true }).fill("not a host")
  await form.getByLabel("Port").fill("9")
  await form.getByLabel("Interval in seconds").fill("10")
  await form.getByLabel("Failures in a row").fill("1")
  console.expecting(/status of 422 .*\/monitoring\/checks/)
  await form.getByRole("button", { name: "Save" }).click()
  await form.getByRole("alert").filter({ hasText: /\S/ }).waitFor()
  await form.getByLabel("Host", { exact: true }).fill("127.0.0.1")
  await form.getByRole("button", { name: "Save" }).click()
  await page.getByRole("heading", { level: 1, name: "discard" }).waitFor()
  await page.getByText("critical", { exact: true }).first().waitFor()
  await page.getByRole("img", { name: /History: .*discard.*critical/ }).waitFor()

  // Maintenance of the status page, which listens on a port of its own as well.
  await page.getByRole("link", { name: "Alerts" }).click()
  const maintenance = page.getByRole("region", { name: "Maintenance" })
  await maintenance.getByText("No maintenance is planned.").waitFor()
  await maintenance.getByRole("button", { name: "Announce maintenance" }).click()
  const window = page.getByRole("dialog", { name: "Announce maintenance" })
  await window.getByLabel("Title in German").fill("Umzug")
  await window.getByLabel("Title in English").fill("Move")
  await window.getByLabel("From").fill(local(1))
  await window.getByLabel("To", { exact: true }).fill(local(2))
  await window.getByLabel("Web").check()
  await window.getByRole("button", { name: "Announce" }).click()
  await maintenance.getByText("Move", { exact: true }).waitFor()
  await maintenance.getByRole("button", { name: /^Cancel it.*Move/ }).click()
  await maintenance.getByRole("button", { name: "Really cancel it?" }).click()
  await maintenance.getByText("No maintenance is planned.").waitFor()
  await page
    .getByRole("region", { name: "Open alerts" })
    .getByRole("button", { name: /^Acknowledge.*discard/ })
    .click()
  await page.getByLabel("Note for the others").fill("I look at it")
  await page.getByRole("dialog").getByRole("button", { name: "Acknowledge" }).click()
  await page.getByText("I look at it").waitFor()

  await page.getByRole("button", { name: "Silence alerts" }).click()
  const silence = page.getByRole("dialog", { name: "Silence alerts" })
  await silence.getByLabel("Alert", { exact: true }).fill("*discard*")
  await silence.getByLabel("Reason").fill("new firewall")
  await silence.getByRole("button", { name: "Silence" }).click()
  await page.getByRole("list", { name: "Silences" }).getByText("new firewall").waitFor()

  await page.getByRole("link", { name: "Bans" }).click()
  await page.getByRole("button", { name: "Ban an address" }).click()
  const ban = page.getByRole("form", { name: "Ban an address" })
  await ban.getByLabel("Address or range").fill("198.51.100.9")
  await ban.getByLabel("Reason").fill("scans")
  await ban.getByRole("button", { name: "Save" }).click()
  const bans = page.getByRole("region", { name: "Active bans" }).first()
  await bans.getByRole("button", { name: /^Lift.*198\.51\.100\.9/ }).click()
  await page.getByRole("button", { name: "Lift the ban" }).click()
  await page.getByText("The ban of 198.51.100.9 is lifted.").waitFor()
  await page
    .getByRole("region", { name: "Exemptions" })
    .getByRole("row", { name: /198\.51\.100\.9/ })
    .waitFor()

  // Without a repository the page says what is missing, and schedules can be prepared.
  console.expecting(/status of (409|503) .*\/api\/v1\/backups/)
  await page.getByRole("link", { name: "Backups" }).click()
  await page.getByRole("region", { name: "Schedules" }).first().waitFor()
  await page.getByRole("button", { name: "Add a schedule" }).click()
  const schedule = page.getByRole("form", { name: "Add a schedule" })
  await schedule.getByLabel("Name").fill("weekly")
  await schedule.getByLabel("Times").fill("* * * * *")
  console.expecting(/status of 422 .*\/backups\/schedules/)
  await schedule.getByRole("button", { name: "Save" }).click()
  await schedule.getByLabel("Times").and(page.locator("[aria-invalid=true]")).waitFor()
  await schedule.getByLabel("Times").fill("0 4 * * 0")
  await schedule.getByRole("button", { name: "Save" }).click()
  await page.getByRole("row", { name: /weekly.*not run yet/ }).waitFor()

  // The list of services contains the daemons of Signalbox.
  await page.getByRole("link", { name: "Services" }).click()
  await page.getByLabel("Kind").selectOption({ label: "own daemon" })
  await page.getByRole("link", { name: "watchdog" }).click()
  await page.getByRole("heading", { level: 1, name: "watchdog" }).waitFor()
  await page.getByRole("region", { name: "State" }).getByText("own daemon").waitFor()
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("watchdog")
}, 120_000)
