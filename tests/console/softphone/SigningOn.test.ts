/** Registration of the softphone: turning it on, errors, and automatic recovery. */
import { describe, expect, it } from "vitest"
import type { Page } from "playwright-core"
import { checkPage } from "#support/console/CheckPage.ts"
import { english, poll, softphoneHome, state, traffic, until } from "./SoftphoneHome.ts"

const home = softphoneHome()
const console = home.console
const registrar = () => home.registrar()

/** Browser log of a WebSocket that closes or fails to open. */
const closedSocket = /WebSocket connection to/

/** Number of loaded script files with the SIP code. */
const loaded = (page: Page) =>
  page.evaluate(
    () => performance.getEntriesByType("resource").filter(({ name }) => /\/assets\/Line-/.test(name)).length
  )

describe("signing in with the softphone", () => {
  it("loads what speaks SIP when it is turned on, keeps no password, signs off, and comes on again by itself for the same person", async () => {
    const tenant = await console.tenant()
    const domain = "voice41.example.org"
    const ann = await home.person("1301", { name: "Ann Example", tenant, domain })
    const other = await console.user({ tenant, role: "admin" })
    const page = await home.open(ann, "/phone", false)
    await state(page).getByText("off").waitFor()
    await checkPage(page, "softphone-off")
    await english(page)
    expect(await loaded(page)).toBe(0)
    await page.getByRole("button", { name: "Turn on" }).press("Enter")
    await state(page).getByText("registered").waitFor()
    expect(await loaded(page)).toBe(1)
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
      registrar().passwords.get("1301")
    )

    await page.goto(`${console.base}/console/notifications`)
    await page.locator(".phone-mark.registered").waitFor()
    await until(() => registrar().registered.includes("1301"))
    await page.getByRole("link", { name: "Softphone", exact: true }).click()
    await page.getByRole("button", { name: "Turn off" }).press("Enter")
    await state(page).getByText("off").waitFor()
    await until(() => registrar().released.at(-1) === "1301")
    expect(registrar().registered).toEqual([])
    await page.reload()
    await state(page).getByText("off").waitFor()

    // The softphone unregisters when the user signs out.
    await page.getByRole("button", { name: "Turn on" }).press("Enter")
    await until(() => registrar().registered.includes("1301"))
    const released = registrar().released.length
    await page.getByRole("banner").getByRole("button", { name: "Sign out" }).press("Enter")
    await until(() => registrar().released.length === released + 1)
    await page.getByLabel("E-mail address").fill(other.email)
    await page.getByLabel("Password").fill("correct horse battery")
    await page.keyboard.press("Enter")
    await page.getByText("You have no extension yet.").waitFor()
    await checkPage(page, "softphone-none")
    expect(registrar().registered).toEqual([])
  }, 120_000)

  it("comes back when the socket is cut or the switch was away, and a call goes on meanwhile", async () => {
    console.expecting(closedSocket)
    const tenant = await console.tenant()
    const domain = "voice42.example.org"
    const ann = await home.person("1401", { name: "Ann Example", tenant, domain })
    const ben = await home.person("1402", { name: "Ben Example", tenant, domain })
    const [a, b] = [await home.open(ann), await home.open(ben)]
    await a.getByLabel("Number or extension").fill("1402")
    await a.keyboard.press("Enter")
    await b.getByRole("alertdialog").getByRole("button", { name: "Answer" }).press("Enter")
    const [barA, barB] = [a, b].map((page) => page.getByRole("region", { name: "Call" })) as [
      ReturnType<Page["getByRole"]>,
      ReturnType<Page["getByRole"]>
    ]
    await barA.getByText("connected").waitFor()
    registrar().cut()
    await until(() => registrar().registered.length === 0)
    await until(() => registrar().registered.join() === "1401,1402")
    for (const page of [a, b]) await state(page).getByText("registered").waitFor()
    const { received } = await traffic(b)
    await poll(async () => (await traffic(b)).received).toBeGreaterThan(received + 1_000)
    await barA.getByRole("button", { name: "Hang up" }).press("Enter")
    await barB.getByText("Call ended.").waitFor()

    const before = registrar()
    await home.restart(async () => {
      await state(a).getByText("not reachable").waitFor()
      await a.getByText("The telephone switch does not answer.").waitFor()
      await checkPage(a, "softphone-unreachable")
      await english(a)
    })
    expect(registrar()).not.toBe(before)
    await until(() => registrar().registered.join() === "1401,1402")
    await state(a).getByText("registered").waitFor()
  }, 120_000)

  it("says what to do about a wrong password, and takes a new one by itself", async () => {
    console.expecting(closedSocket)
    const tenant = await console.tenant()
    const ann = await home.person("1501", { name: "Ann Example", tenant, domain: "voice43.example.org" })
    const right = registrar().passwords.get("1501")!
    registrar().passwords.set("1501", "another")
    const page = await home.open(ann, "/phone", false)
    await page.getByRole("button", { name: "Turn on" }).press("Enter")
    await page.getByText("The switch does not take the password of this extension.").waitFor()
    await checkPage(page, "softphone-refused")
    await english(page)
    registrar().passwords.set("1501", right)
    await page.getByRole("button", { name: "Turn on again" }).press("Enter")
    await state(page).getByText("registered").waitFor()
    // The password changes while the softphone is registered.
    await ann.ask("POST", `/api/v1/sip/extensions/${ann.extensionId}/password`)
    const { password } = await ann.ask("GET", `/api/v1/sip/extensions/${ann.extensionId}/config`)
    expect(password).not.toBe(right)
    registrar().passwords.set("1501", password)
    registrar().cut()
    await until(() => registrar().registered.length === 0)
    await until(() => registrar().registered.includes("1501"))
    await state(page).getByText("registered").waitFor()
    // The extension is disabled.
    await page.getByRole("button", { name: "Turn off" }).press("Enter")
    await ann.ask("PUT", `/api/v1/sip/extensions/${ann.extensionId}`, { enabled: false })
    await page.getByRole("button", { name: "Turn on" }).press("Enter")
    await page.getByText("This extension is switched off.").waitFor()
  }, 120_000)

  it("is on in one tab of a browser, and goes to the next when that is closed", async () => {
    const tenant = await console.tenant()
    const ann = await home.person("1601", { name: "Ann Example", tenant, domain: "voice44.example.org" })
    const page = await home.open(ann)
    const second = await page.context().newPage()
    await second.goto(`${console.base}/console/phone`)
    await second.getByText("The softphone is on in another tab").waitFor()
    expect(registrar().registered).toEqual(["1601"])
    await page.close()
    await state(second).getByText("registered").waitFor()
    await until(() => registrar().registered.join() === "1601")
    expect(registrar().sockets.size).toBe(1)
  }, 120_000)

  it("says what to do where the browser gives no microphone", async () => {
    const tenant = await console.tenant()
    const ann = await home.person("1701", { name: "Ann Example", tenant, domain: "voice45.example.org" })
    const page = await home.open(ann)
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(new DOMException("Permission denied", "NotAllowedError"))
    })
    await page.getByLabel("Number or extension").fill("1702")
    await page.keyboard.press("Enter")
    await page.getByRole("region", { name: "Call" }).getByText("No microphone.").waitFor()
    expect(registrar().heard.some((line) => line.includes("1702"))).toBe(false)
  }, 120_000)
})
