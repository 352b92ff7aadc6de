/** The page of a link in an alarm message: without a sign-in, by keyboard only. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Effect } from "effect"
import { BotApiDouble } from "#support/BotApiDouble.ts"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests } from "#support/console/Console.ts"
import { until } from "#support/Frame.ts"

const bot = new BotApiDouble()
const botUrl = await bot.start()
afterAll(() => bot.stop())
const console = consoleTests({
  env: {
    SIGNALBOX_ALARM_ALLOWED_DOMAINS: "example.org",
    SIGNALBOX_MESSENGER_URL: botUrl,
    SIGNALBOX_MESSENGER_TOKEN: bot.token,
    SIGNALBOX_PUBLIC_URL: "https://box.example.org"
  }
})
let token = ""
beforeAll(async () => {
  const sent = await console.run(
    Effect.flatMap(console.suite.token, (token) =>
      console.suite.call("POST", "/api/v1/workflows/trigger", {
        token,
        body: {
          event_type: "email.alarm.received",
          payload: {
            email_subject: "CRITICAL:MESSENGER+4711",
            email_body: "Cold room at 9 °C\nCheck the door.",
            email_from: "guard@example.org"
          }
        }
      })
    )
  )
  expect(sent.status, sent.text).toBe(202)
  await console.run(
    until(
      "the message was sent",
      Effect.sync(() => bot.messages.length > 0)
    )
  )
  token = /acknowledge#([\w-]+)$/.exec(bot.messages[0]!.text)?.[1] ?? ""
}, 120_000)

describe("the link of an alarm message", () => {
  it("acknowledges by its button, and opening it changes nothing", async () => {
    const page = await console.open(undefined, `/acknowledge#${token}`)
    await page.getByText("Cold room at 9 °C").waitFor()
    await expect.poll(() => page.title()).toBe("Cold room at 9 °C · Signalbox")
    const other = await console.open(undefined, `/acknowledge#${token}`)
    const button = other.getByRole("button", { name: "Acknowledge" })
    await button.waitFor()
    await checkPage(page, "acknowledge-link")
    await button.focus()
    await other.keyboard.press("Enter")
    await other.getByText("link to messenger 4711").waitFor()
    expect(await button.count()).toBe(0)
    await page.reload()
    await page.getByText("link to messenger 4711").waitFor()
    await checkPage(page, "acknowledge-link-done")
  }, 120_000)

  it("says that a changed link is not valid", async () => {
    console.expecting(/status of 404/)
    const page = await console.open(undefined, `/acknowledge#${token.slice(0, -2)}AA`)
    await page.getByText("This link is not valid").waitFor()
    await checkPage(page, "acknowledge-link-gone")
  }, 120_000)
})
