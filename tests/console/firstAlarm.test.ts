/** The first webhook alarm of a newcomer, from the sign-in link to its delivery, in the browser alone. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { consoleTests } from "#support/console/Console.ts"
import { countSteps } from "#support/console/Steps.ts"
import { sendMail } from "#support/AlarmSender.ts"
import { WebhookSink } from "#support/WebhookSink.ts"

/** Maximum number of clicks, filled fields and keys, and of pages. */
const mostInputs = 10
const mostPages = 3

const sink = new WebhookSink()
const console = consoleTests()
let url = ""
beforeAll(async () => {
  url = await sink.start()
})
afterAll(() => sink.stop())

it("takes at most ten inputs on at most three pages", async () => {
  const place = { base: console.base, gateway: true }
  const lines = await console.run(console.suite.suite.daemon("identity")!.greeting(place))
  const link = /\/console(\/#token=\S+)/.exec(lines.find(({ kind }) => kind === "sign-in link")!.text)![1]!
  const page = await console.open(undefined, link)
  const { click, fill, inputs, pages, press } = countSteps(page)
  await page.getByText("The link signed you in as admin@localhost.").waitFor()

  await click(page.getByRole("link", { name: "Set up: Who may raise alarms" }))
  await fill(page.getByLabel("Allowed sender domains"), "example.org")
  await press("Enter")
  await page.locator("#group-alarms").getByText("Saved.").waitFor()
  // The receiver of this test is in a private network; a public one needs no setting.
  await fill(page.getByLabel("Private networks for webhooks"), "127.0.0.0/8")
  await press("Enter")
  await page.locator("#group-webhooks").getByText("Saved.").waitFor()
  await click(page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Overview" }))
  await click(page.getByRole("button", { name: "Send a test alarm", exact: true }))
  const dialog = page.getByRole("dialog", { name: "Send a test alarm" })
  await fill(dialog.getByLabel("Further target 1"), `${url}/pager`)
  await press("Enter")

  await dialog.getByText("The alarm has arrived in this browser.").waitFor()
  await dialog.locator(".chip.success", { hasText: "/pager" }).getByText("reached").waitFor()
  expect(sink.requests.map(({ path }) => path)).toEqual(["/pager"])
  expect(inputs().length, inputs().join("\n")).toBeLessThanOrEqual(mostInputs)
  expect(pages().length, pages().join("\n")).toBeLessThanOrEqual(mostPages)

  // The settings hold for alarms by mail too, and the open overview shows such an alarm without another input.
  await click(dialog.getByRole("button", { name: "Close" }).last())
  expect(inputs().length, inputs().join("\n")).toBeLessThanOrEqual(mostInputs)
  const listener = (await console.run(console.suite.suite.daemon("alarm-bridge")!.greeting(place))).find(
    ({ kind }) => kind === "SMTP"
  )!.text
  const code = await console.run(
    sendMail({
      port: Number(/:(\d+)/.exec(listener)![1]),
      sender: "guard@example.org",
      subject: `INFO:WEBHOOK+${url}/mailed`,
      body: "Cold room at 9 °C",
      messageId: "first@example.org",
      replyTimeout: 20_000
    })
  )
  expect(code).toBe(250)
  await page.getByRole("link", { name: /Cold room at 9 °C.*delivered/ }).waitFor()
  expect(sink.requests.map(({ path }) => path)).toEqual(["/pager", "/mailed"])
}, 120_000)
