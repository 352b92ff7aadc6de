/** Alarms in the console: a real one grows on its page while its webhook refuses it, and is taken on by keyboard alone. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Effect } from "effect"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests, type ConsoleUser } from "#support/console/Console.ts"
import { WebhookSink } from "#support/WebhookSink.ts"

const sink = new WebhookSink()
const console = consoleTests({
  env: {
    SIGNALBOX_ALARM_ALLOWED_DOMAINS: "example.org",
    SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    // A minute of RETRY. Unit: milliseconds.
    SIGNALBOX_ALARM_MINUTE_MS: "2000"
  }
})
let url = ""
beforeAll(async () => {
  url = await sink.start()
})
afterAll(() => sink.stop())

const send = async (user: ConsoleUser, subject: string): Promise<string> => {
  const answer = await console.run(Effect.flatMap(console.suite.token, (token) =>
    console.suite.call("POST", "/api/v1/workflows/trigger", {
      token,
      body: { event_type: "email.alarm.received", payload: { email_subject: subject, email_body: "Disk full on db1\nFree some space.", email_from: user.email } }
    })))
  expect(answer.status, answer.text).toBe(202)
  return answer.json.run_id
}

describe("alarms in the console", () => {
  it("shows an alarm as it comes, its time line as it grows, and who took it on", async () => {
    const anna = await console.user({ role: "admin" })
    const page = await console.open(anna, "/alarms")
    await page.getByText("No runs.").waitFor()
    // Refused until somebody says otherwise: so it goes on and on.
    sink.behaviour = { status: 503 }
    const id = await send(anna, `CRITICAL:WEBHOOK+${url}/pager;RETRY:20x1m`)
    const row = page.getByRole("row").filter({ hasText: "/pager" })
    await row.getByText("CRITICAL", { exact: true }).waitFor()
    await row.getByText("running").waitFor()

    await row.getByRole("link").focus()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Time line" }).waitFor()
    expect(page.url()).toContain(id)
    const story = page.getByRole("list").filter({ hasText: "Came in by" })
    await story.getByText("Attempt 1 at webhook").waitFor()
    await story.getByText(/503/).first().waitFor()
    await story.getByText(/is tried again/).waitFor()
    const spans = page.locator(".time-line .span.error")
    const before = await spans.count()
    await story.getByText("Attempt 3 at webhook").waitFor()
    expect(await spans.count()).toBeGreaterThan(before)
    await checkPage(page, "alarm-running")

    // By keyboard alone.
    await page.locator("h1").focus()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor()
    await checkPage(page, "alarm-acknowledge")
    await page.keyboard.type("On my way")
    await page.keyboard.press("Enter")
    await page.getByText("Quittiert von Ihnen: On my way").waitFor()
    await page.locator(".run-head .badge", { hasText: "quittiert" }).waitFor()
    expect(await page.getByRole("button", { name: "Quittieren" }).count()).toBe(0)
    expect(await page.getByRole("dialog").count()).toBe(0)
    await checkPage(page, "alarm-acknowledged")
  }, 90_000)

})
