/**
 * Alarms in the console: a real alarm updates on its page while its webhook refuses it, and is acknowledged by keyboard
 * only.
 */
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Effect } from "effect"
import { checkPage, choose } from "#support/console/CheckPage.ts"
import { consoleTests, type ConsoleUser } from "#support/console/Console.ts"
import { WebhookSink } from "#support/WebhookSink.ts"

const sink = new WebhookSink()
const console = consoleTests({
  env: {
    SIGNALBOX_ALARM_ALLOWED_DOMAINS: "example.org",
    SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    // Length of a RETRY minute. Unit: milliseconds. Reason: 20 attempts last longer than the test, 3 end soon.
    SIGNALBOX_ALARM_MINUTE_MS: "3000"
  }
})
let url = ""
beforeAll(async () => {
  url = await sink.start()
})
afterAll(() => sink.stop())

const send = async (user: ConsoleUser, subject: string): Promise<string> => {
  const answer = await console.run(
    Effect.flatMap(console.suite.token, (token) =>
      console.suite.call("POST", "/api/v1/workflows/trigger", {
        token,
        body: {
          event_type: "email.alarm.received",
          payload: { email_subject: subject, email_body: "Disk full on db1\nFree some space.", email_from: user.email }
        }
      })
    )
  )
  expect(answer.status, answer.text).toBe(202)
  return answer.json.run_id
}

describe("alarms in the console", () => {
  it("shows an alarm as it comes, its time line as it grows, and who took it on", async () => {
    const anna = await console.user({ role: "admin" })
    const page = await console.open(anna, "/alarms")
    await page.getByText("No alarms yet").waitFor()
    expect(await page.locator(".filters").count()).toBe(0)
    // The webhook refuses until further notice, so the attempts continue.
    sink.behaviour = { status: 503 }
    const id = await send(anna, `CRITICAL:WEBHOOK+${url}/pager;RETRY:20x1m`)
    const row = page.getByRole("row").filter({ hasText: "/pager" })
    await row.getByText("CRITICAL", { exact: true }).waitFor()
    await row.locator(".badge", { hasText: "running" }).waitFor()
    await row.getByText("unacknowledged").waitFor()
    expect(await row.getByRole("link").textContent()).toBe("Disk full on db1")

    await row.getByRole("link").focus()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Time line" }).waitFor()
    expect(page.url()).toContain(id)
    await page.getByRole("heading", { level: 1, name: "Disk full on db1" }).waitFor()
    await expect.poll(() => page.title()).toBe("Disk full on db1 · Signalbox")
    const story = page.locator("ol.story")
    await story.getByText("Attempt 1 at webhook").waitFor()
    await story.getByText(/503/).first().waitFor()
    await story.getByText(/is tried again/).waitFor()
    const spans = page.locator(".time-line .span.error")
    const before = await spans.count()
    await story.getByText("Attempt 3 at webhook").waitFor()
    await expect.poll(() => spans.count()).toBeGreaterThan(before)
    await checkPage(page, "alarm-running")

    // By keyboard only.
    await page.locator("h1").focus()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor()
    await checkPage(page, "alarm-acknowledge")
    await page.keyboard.type("On my way")
    await page.keyboard.press("Enter")
    await story.getByText("Quittiert von Ihnen – On my way").waitFor()
    await page.locator(".run-head .badge", { hasText: "quittiert" }).waitFor()
    expect(await page.getByRole("button", { name: "Quittieren" }).count()).toBe(0)
    expect(await page.getByRole("dialog").count()).toBe(0)
    await checkPage(page, "alarm-acknowledged")
  }, 120_000)

  it("lists runs, counts them over time, and finds those that are looked for", async () => {
    const anna = await console.user({ role: "admin" })
    sink.behaviour = ({ path }) => ({ status: path === "/gone" ? 410 : 200 })
    await send(anna, `ALERT:WEBHOOK+${url}/siren;WEBHOOK+${url}/gone`)
    await send(anna, `WARNING:WEBHOOK+${url}/gone`)
    await send(anna, `INFO:WEBHOOK+${url}/fine`)
    await send({ ...anna, email: "stranger@elsewhere.test" }, `CRITICAL:WEBHOOK+${url}/fine`)
    const page = await console.open(anna, "/alarms")
    const rows = page.locator("table.runs tbody tr")
    const state = (row: string, text: string) =>
      rows
        .filter({ hasText: row })
        .locator(".badge", { hasText: new RegExp(`^${text}$`) })
        .waitFor()
    await state("/siren", "partly delivered")
    await state("WARNING", "failed")
    await state("INFO", "delivered")
    await state("stranger@elsewhere.test", "rejected")
    await rows.filter({ hasText: "/siren" }).locator(".chip.error", { hasText: "/gone" }).waitFor()
    await rows.filter({ hasText: "/siren" }).locator(".chip.success", { hasText: "/siren" }).waitFor()
    const all = await rows.count()

    // The table contains the same numbers as the bars. The list and the chart are loaded one by one.
    const chart = page.locator("figure.chart")
    await chart.getByText("As a table").click()
    const total = async () =>
      (await chart.locator("tbody tr td:last-child").allTextContents()).reduce((sum, text) => sum + Number(text), 0)
    await expect.poll(total).toBe(all)
    await chart.getByText("As a table").click()
    expect(await drawnColours(page)).toBeGreaterThan(3)
    await checkPage(page, "alarms")

    await page.locator("select[name=state]").selectOption("failed")
    await page.waitForFunction(() => document.querySelectorAll("table.runs tbody tr").length === 1)
    expect(page.url()).toMatch(/\?state=failed$/)
    await page.reload()
    await page.waitForFunction(() => document.querySelectorAll("table.runs tbody tr").length === 1)
    await page.locator("select[name=severity]").selectOption("ALERT")
    await page.getByText("Kein Alarm passt zu den Filtern.").waitFor()
    await page.locator("select[name=state]").selectOption("")
    await rows.filter({ hasText: "/siren" }).waitFor()
    expect(await rows.count()).toBe(1)
  }, 120_000)

  it("acknowledges from the list by keyboard, and filters by acknowledgement", async () => {
    const anna = await console.user({ role: "admin", name: "Anna Operator" })
    sink.behaviour = { status: 200 }
    const id = await send(anna, `INFO:WEBHOOK+${url}/listed`)
    const page = await console.open(anna, "/alarms?acknowledged=false&q=listed")
    const row = page.locator("table.runs tbody tr")
    await row.getByText("unacknowledged").waitFor()
    const button = row.getByRole("button", { name: "Acknowledge: Disk full on db1" })
    await button.focus()
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor()
    await page.keyboard.type("Seen")
    await page.keyboard.press("Enter")
    // The list shows only open ones.
    await page.getByText("No alarm matches the filters.").waitFor()
    await page.locator("select[name=acknowledged]").selectOption("true")
    await row.getByText("acknowledged by you – Seen").waitFor()
    const bert = await console.open(await console.user({ role: "admin", name: "Bert" }), `/alarms/${id}`)
    await bert.locator(".run-head").getByText("acknowledged by Anna Operator – Seen").first().waitFor()
  }, 120_000)

  it("names what failed first", async () => {
    const anna = await console.user({ role: "admin" })
    sink.behaviour = ({ path }) => ({ status: path === "/gone" ? 410 : 200 })
    const id = await send(anna, `INFO:WEBHOOK+${url}/here;WEBHOOK+${url}/gone`)
    const page = await console.open(anna, `/alarms/${id}`)
    const failures = page.getByRole("region", { name: "Not reached" })
    await failures.getByText(/410/).waitFor()
    expect(await failures.getByRole("listitem").count()).toBe(1)
    expect(await page.locator(".run-head .failures + .chips").count()).toBe(1)
    await checkPage(page, "alarm-partly")
  }, 120_000)

  it("sends a test alarm and leads to its run", async () => {
    const anna = await console.user({ role: "admin" })
    sink.behaviour = { status: 200 }
    const page = await console.open(anna, "/alarms")
    await page.getByRole("button", { name: "Send a test alarm" }).first().click()
    await page.getByRole("dialog").getByLabel("Target").fill(`${url}/by-hand`)
    await checkPage(page, "alarm-send")
    await page.keyboard.press("Escape")
    expect(await page.getByRole("dialog").count()).toBe(0)
    await page.getByRole("button", { name: "Testalarm senden" }).first().click()
    await page.getByRole("dialog").getByLabel("Ziel").fill(`${url}/by-hand`)
    await page.keyboard.press("Enter")
    // A webhook that a person asks for reaches no private network, and the sink is in one.
    await page.locator(".run-head .badges .badge", { hasText: "fehlgeschlagen" }).waitFor()
    await page
      .getByText(/nicht öffentlich/)
      .first()
      .waitFor()
    expect(sink.requests.filter(({ path }) => path === "/by-hand").length).toBe(0)
  }, 120_000)

  it("shows nothing of alarms to those who may not see them", async () => {
    const page = await console.open(await console.user({ role: "user" }), "/alarms")
    await page.getByRole("heading", { name: "Nothing here" }).waitFor()
    expect(await page.getByRole("link", { name: "Alarms" }).count()).toBe(0)
  }, 120_000)

  it("says of an alarm and of a workflow that do not exist that they are gone, with the list and without a retry", async () => {
    const page = await console.open(await console.user({ role: "admin" }), "/alarms/1")
    console.expecting(/status of 404 /)
    const main = page.getByRole("main")
    await main.getByText("It does not exist, or no longer exists.").waitFor()
    await main.getByRole("link", { name: "To the list" }).waitFor()
    expect(await main.getByRole("button", { name: "Try again" }).count()).toBe(0)
    await checkPage(page, "alarm-gone")
    await choose(page, "language", "de")
    await main.getByText("Das gibt es nicht oder nicht mehr.").waitFor()
    await main.getByRole("link", { name: "Zur Liste" }).click()
    await page.getByRole("heading", { level: 1, name: "Alarme" }).waitFor()
    await page.goto(`${console.base}/console/workflows/nothing`)
    await main.getByText("Diesen Workflow gibt es nicht.").waitFor()
    expect(await main.getByRole("alert").count()).toBe(1)
    await main.getByRole("link", { name: "Zur Liste" }).click()
    await main.getByRole("link", { name: "Alarm nicht zugestellt" }).waitFor()
    await main.getByText("Betreff lesen").waitFor()
  }, 120_000)

  it("lists workflows and their runs", async () => {
    const page = await console.open(await console.user({ role: "admin" }), "/workflows")
    const alarm = page
      .locator("ul.workflows > li")
      .filter({ has: page.getByRole("link", { name: "Alarm", exact: true }) })
    await alarm.getByText("Read the subject").waitFor()
    await alarm.getByText("rejected").waitFor()
    await checkPage(page, "workflows")
    await alarm.getByRole("link").click()
    await page.getByRole("heading", { level: 1, name: "Workflow: Alarm" }).waitFor()
    await page.locator("table.runs tbody tr").first().waitFor()
    await checkPage(page, "workflow")
  }, 120_000)
})

/**
 * Number of colours on a chart's canvas; none when it was not drawn, or drawn with colour names that a canvas does not
 * know.
 */
const drawnColours = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".chart canvas")!
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height)
    const seen = new Map<string, number>()
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] === 255)
        seen.set(
          `${data[at]} ${data[at + 1]} ${data[at + 2]}`,
          (seen.get(`${data[at]} ${data[at + 1]} ${data[at + 2]}`) ?? 0) + 1
        )
    }
    return [...seen.values()].filter((pixels) => pixels > 20).length
  })
