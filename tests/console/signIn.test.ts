/** Sign-in by form, with and without a second factor, and the settings of the own account. */
import { TOTP } from "otpauth"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests, type ConsoleUser, password } from "#support/console/Console.ts"

const console = consoleTests()

const enter = async (page: Page, user: ConsoleUser, typed = password) => {
  await page.getByLabel("E-mail address").fill(user.email)
  await page.getByLabel("Password").fill(typed)
  await page.getByLabel("Password").press("Enter")
}
const overview = (page: Page) => page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()

describe("signing in", () => {
  it("takes a password, stays over a reload and ends by the button", async () => {
    const user = await console.user()
    const page = await console.open(undefined)
    await enter(page, user, "a wrong password")
    await page.getByRole("alert").getByText("Address, password or code is wrong.").waitFor()
    await enter(page, user)
    await overview(page)
    // No secret is stored where a script could read it.
    expect(
      await page.evaluate(() => [document.cookie, JSON.stringify({ ...localStorage, ...sessionStorage })])
    ).toEqual(["", expect.not.stringMatching(/eyJ|sb[a-z]_/)])
    await page.reload()
    await overview(page)
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    await page.reload()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
  }, 120_000)

  it("asks before a link replaces the session of somebody else", async () => {
    const [user, other] = [await console.user(), await console.user()]
    const page = await console.open(user)
    const token = await console.run(console.suite.token)
    const made = await console.run(console.suite.call("POST", `/api/v1/users/${other.id}/link`, { token }))
    const link = /[#=]([\w-]+)$/.exec(made.json.url)![1]!
    const asked: Array<string> = []
    /** Address of the account that is signed in after the link was opened and the question answered. */
    const open = async (path: string, answer: "accept" | "dismiss") => {
      page.once("dialog", (dialog) => {
        asked.push(dialog.message())
        void dialog[answer]()
      })
      const isOf = (email: string) =>
        page.waitForResponse(
          // The body is gone when the page has been left meanwhile. The next page asks again.
          async (response) =>
            response.url().endsWith("/auth/me") && (await response.json().catch(() => ({}))).email === email
        )
      const seen = isOf(answer === "accept" ? other.email : user.email)
      await page.goto(`${console.base}/console${path}#token=${link}`)
      await seen
      await page.getByRole("heading", { level: 1 }).waitFor()
      expect(page.url()).toBe(`${console.base}/console${path}`)
    }
    await open("/settings", "dismiss")
    await open("/events", "accept")
    expect(asked).toEqual(Array.from({ length: 2 }, () => expect.stringContaining("You are signed in already.")))
  }, 120_000)

  it("by a first link lands in the console, names the account, and asks for a password later", async () => {
    const token = await console.run(console.suite.token)
    const call = async (path: string, body?: unknown) =>
      (await console.run(console.suite.call("POST", path, { token, ...(body === undefined ? {} : { body }) }))).json
    const { id } = await call("/api/v1/users", {
      email: "first@example.org",
      name: "First",
      role: "admin",
      tenant_id: 1
    })
    const link = /#([\w-]+)$/.exec((await call(`/api/v1/users/${id}/link`)).url)![1]!
    const page = await console.open(undefined, `/#token=${link}`)
    await overview(page)
    expect(new URL(page.url()).hash).toBe("")
    const asked = page.getByRole("note")
    await asked.getByText("The link signed you in as first@example.org.").waitFor()
    await asked.getByRole("link", { name: "Set a password" }).click()
    await page.getByRole("heading", { level: 2, name: "Password" }).waitFor()
    expect(await page.getByLabel("Current password").count()).toBe(0)
    await checkPage(page, "first-password")
    await page.locator("select[name=language]").first().selectOption("en")
    await page.locator("input[name=fresh]").fill(password)
    await page.locator("input[name=again]").fill(password)
    await page.getByRole("button", { name: "Set password" }).click()
    await page.getByLabel("Current password").waitFor()
    expect(await asked.count()).toBe(0)

    const again = await console.open(undefined, `/#token=${link}`, { language: "de" })
    console.expecting(/status of 401 .*\/api\/v1\/auth\/link$/)
    await again.getByText("Dieser Link wurde benutzt oder ersetzt").waitFor()
  }, 120_000)

  it("renews what it signs in with, and asks nothing again for that", async () => {
    const asked: Array<string> = []
    const page = await console.open(await console.user(), "/", {
      before: async (page) => {
        page.on("request", (request) => asked.push(new URL(request.url()).pathname))
        await page.clock.install()
      }
    })
    const times = (path: string) => asked.filter((one) => one === path).length
    await page.locator(".shell[data-live=open]").waitFor()
    expect([times("/api/v1/auth/refresh"), times("/api/v1/auth/me")]).toEqual([1, 1])
    const renewed = page.waitForResponse(/\/auth\/refresh$/)
    await page.clock.fastForward("15:00")
    expect((await renewed).status()).toBe(200)
    await page.getByRole("link", { name: "Settings", exact: true }).click()
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor()
    expect(times("/api/v1/auth/me")).toBe(1)
  }, 120_000)

  it("sets up a second factor by its picture, asks for it from then on, and takes a recovery code", async () => {
    const user = await console.user()
    const page = await console.open(user, "/settings")
    await page.getByRole("button", { name: "Set up an authenticator app" }).press("Enter")
    await page.getByLabel("Your password").fill("a wrong password")
    await page.keyboard.press("Enter")
    console.expecting(/status of 4\d\d .*\/api\/v1\/auth\/totp/)
    await page.getByText("The password is wrong.").waitFor()
    await page.getByLabel("Your password").fill(password)
    await page.keyboard.press("Enter")
    const picture = page.getByRole("img", { name: "QR code with the key" })
    await picture.waitFor()
    expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth > 0))).toBe(
      true
    )
    await checkPage(page, "settings-second-factor")
    const secret = (await page.locator(".totp code").textContent())!.replace(/\s/g, "")
    const totp = new TOTP({ secret })
    await page.locator("input[name=code]").fill(totp.generate())
    await page.keyboard.press("Enter")
    const codes = page.locator(".codes li")
    await codes.first().waitFor()
    expect(await codes.count()).toBe(10)
    const recovery = (await codes.first().textContent())!
    await page.locator("select[name=language]").first().selectOption("en")
    await page.getByText("10 recovery codes left.").waitFor()

    const other = await console.open(undefined)
    await enter(other, user)
    await other.getByLabel("Code of the second factor").fill("000000")
    await other.keyboard.press("Enter")
    await other.getByRole("alert").getByText("Address, password or code is wrong.").waitFor()
    // Each code works once, and the current one was used for the setup.
    await other.getByLabel("Code of the second factor").fill(totp.generate({ timestamp: Date.now() + 30_000 }))
    await other.keyboard.press("Enter")
    await overview(other)
    const third = await console.open(undefined)
    await enter(third, user)
    await third.getByLabel("Code of the second factor").fill(recovery)
    await third.keyboard.press("Enter")
    await overview(third)
  }, 120_000)

  it("changes the password and stays signed in, ending all others", async () => {
    const user = await console.user()
    const [page, other] = [await console.open(user, "/settings"), await console.open(user, "/settings")]
    await other.locator(".shell[data-live=open]").waitFor()
    console.expecting(/status of 401/)
    console.expecting(/WebSocket/)
    await page.locator("input[name=current]").fill(password)
    await page.locator("input[name=fresh]").fill("another good phrase")
    await page.locator("input[name=again]").fill("another good phrasing")
    await page.getByText("The two are not the same.").waitFor()
    await page.locator("input[name=again]").fill("another good phrase")
    await page.keyboard.press("Enter")
    await page.getByText("Changed. All other sign-ins have ended.").waitFor()
    await other.getByRole("heading", { name: "Sign in" }).waitFor()
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor()
    await enter(other, user, "another good phrase")
    await other.getByRole("heading", { level: 1, name: "Settings" }).waitFor()
  }, 120_000)

  it("shows where one is signed in, and ends it there", async () => {
    const user = await console.user()
    const [page, other] = [await console.open(user, "/settings"), await console.open(user)]
    await other.locator(".shell[data-live=open]").waitFor()
    console.expecting(/status of 401/)
    await page.reload()
    const end = page.getByRole("button", { name: /^End the sign-in/ })
    await end.waitFor()
    expect(await page.getByText("here", { exact: true }).count()).toBe(1)
    await end.press("Enter")
    await end.waitFor({ state: "detached" })
    await other.getByRole("heading", { name: "Sign in" }).waitFor()
  }, 120_000)

  it("keeps how one wants to be told", async () => {
    const user = await console.user()
    const page = await console.open(user, "/settings")
    await page.getByLabel("E-mail: Everything").selectOption("off")
    await page.getByLabel("Type of event, or its beginning").fill("crm.task")
    await page.getByRole("button", { name: "Add a line" }).click()
    await page.getByLabel("App: crm.task").selectOption("on")
    await page.getByLabel("App: Payments").selectOption("off")
    await page.getByLabel("App: Payments").selectOption("")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Saved.").waitFor()
    const rows = await console.run(
      console.suite
        .sql`select event_type, channel, enabled from comm_dispatcher.notification_preference where user_id = ${user.id} order by event_type`
    )
    expect(rows).toEqual([
      { event_type: "*", channel: "email", enabled: false },
      { event_type: "crm.task", channel: "app", enabled: true }
    ])
    await page.reload()
    await expect.poll(() => page.getByLabel("E-mail: Everything").inputValue()).toBe("off")
    expect(await page.getByLabel("App: crm.task").inputValue()).toBe("on")
  }, 120_000)

  it("keeps quiet hours, and mails gathered", async () => {
    const page = await console.open(await console.user(), "/settings")
    await page.getByLabel("Quiet hours").check()
    await page.getByLabel("From", { exact: true }).fill("21:30")
    await page.locator("select[name=digest]").selectOption("daily")
    await page.getByRole("button", { name: "Save the times" }).click()
    await page.getByRole("status").getByText("Saved.").waitFor()
    await page.reload()
    expect(await page.getByLabel("From", { exact: true }).inputValue()).toBe("21:30")
    expect(await page.locator("select[name=digest]").inputValue()).toBe("daily")
  }, 120_000)
})

it("keeps the chosen language in the account, which answers use and other browsers follow", async () => {
  const user = await console.user({ locale: "en" })
  const page = await console.open(user, "/settings")
  const stored = page.waitForResponse((response) => response.request().method() === "PATCH" && response.ok())
  await page.getByRole("main").getByLabel("Language").selectOption("de")
  const { access_token } = await (await stored).json()
  // Without Accept-Language the answer is in the language that the token names.
  const problem = await fetch(`${console.suite.base()}/api/v1/auth/sessions/none`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${access_token}` }
  })
  expect((await problem.json()).title).toBe("Das gibt es nicht")
  // A browser that has agreed with the account once follows it.
  await console.run(console.suite.sql`update identity.account set locale = 'en-GB' where id = ${user.id}`)
  await page.reload()
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor()
}, 120_000)
