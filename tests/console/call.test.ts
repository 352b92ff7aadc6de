/** An incoming call on the screen: it rings, is shown, can be dismissed by keyboard, and ends by itself after 30 s. */
import type { Page } from "playwright-core"
import { describe, expect, it, vi } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests, type ConsoleUser, type OpenOptions } from "#support/console/Console.ts"

const console = consoleTests()

const anna = { name: "Anna Beispiel", number: "K-1007", locale: "de-DE" }
let calls = 0
const incoming = (given: object = {}) => ({
  call_id: `call-${++calls}`,
  caller_id: "+493012345678",
  did_number: "+4930999100",
  customer: anna,
  at: new Date().toISOString(),
  ...given
})

/** Calls of the sound and speech functions, in order. No audio device is needed. */
interface Heard {
  readonly what: "start" | "stop" | "say" | "hush"
  readonly frequency?: number
  readonly text?: string
  readonly lang?: string
}

/** Time of the call. Unit: milliseconds. */
interface At {
  readonly at: number
}

const spy = () => {
  const all: Array<Heard & At> = []
  const heard = { push: (one: Heard) => all.push({ ...one, at: Date.now() }) }
  Object.assign(globalThis, { heard: all })
  const { start, stop } = OscillatorNode.prototype
  OscillatorNode.prototype.start = function (when) {
    heard.push({ what: "start", frequency: this.frequency.value })
    start.call(this, when)
  }
  OscillatorNode.prototype.stop = function (when) {
    // A stop with a time is scheduled in advance; a stop without one ends the sound now.
    if (when === undefined) heard.push({ what: "stop" })
    stop.call(this, when)
  }
  Object.assign(speechSynthesis, {
    speak: ({ lang, text }: SpeechSynthesisUtterance) => heard.push({ what: "say", lang, text }),
    cancel: () => heard.push({ what: "hush" })
  })
}

const heardAt = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { heard: ReadonlyArray<Heard & At> }).heard)
const heardBy = async (page: Page): Promise<ReadonlyArray<Heard>> =>
  (await heardAt(page)).map(
    (one) => Object.fromEntries(Object.entries(one).filter(([name]) => name !== "at")) as unknown as Heard
  )
const modal = (page: Page) => page.getByRole("alertdialog")

/** Waits for the ring while the page's clock is stopped. */
const rung = (page: Page) =>
  vi.waitFor(
    async () => {
      await page.clock.runFor(20)
      expect((await heardBy(page)).length).toBe(1)
    },
    { timeout: 20_000 }
  )

const opened = async (
  user: ConsoleUser,
  {
    clock = false,
    preferences,
    ...options
  }: OpenOptions & { readonly clock?: boolean; readonly preferences?: ReadonlyArray<object> } = {}
) => {
  const page = await console.open(user, "/notifications", {
    ...options,
    before: async (page) => {
      await page.addInitScript(spy)
      if (clock) await page.clock.install()
      if (preferences !== undefined)
        await page.route("**/api/v1/notifications/preferences", (route) =>
          route.fulfill({ json: { items: preferences } })
        )
    }
  })
  await page.locator(".shell[data-live=open]").waitFor()
  await page.waitForLoadState("networkidle")
  // From now on the test controls the page's clock.
  if (clock) await page.clock.pauseAt(Date.now() + 5_000)
  return page
}

describe("an incoming call", () => {
  it("rings with 425 Hz, says who calls in their language, and is over after 30 s", async () => {
    const user = await console.user({ role: "admin" })
    const page = await opened(user, { clock: true })
    await console.emit("call.incoming", incoming(), { tenantId: 1 })
    await rung(page)
    expect(await heardBy(page)).toEqual([{ what: "start", frequency: 425 }])
    await page.clock.runFor(2_000)
    expect(await heardBy(page)).toEqual([
      { what: "start", frequency: 425 },
      { what: "say", lang: "de-DE", text: "Anruf von Anna Beispiel" }
    ])
    await page.clock.runFor(27_000)
    expect(await modal(page).isVisible()).toBe(true)
    await page.clock.runFor(2_000)
    await modal(page).waitFor({ state: "hidden" })
    const heard = await heardAt(page)
    expect(heard.slice(2).map(({ what }) => what)).toEqual(["stop", "hush"])
    const length = heard[2]!.at - heard[0]!.at
    // Effects of a page change take place with the next frame.
    expect([length > 29_500, length < 30_500], `${length} ms`).toEqual([true, true])
  }, 120_000)

  // Each test checks the page once while it rings. A call rings for 30 s, and on a busy machine one check takes more
  // than 10 s.
  it("shows whom it knows", async () => {
    const user = await console.user({ role: "admin" })
    const page = await opened(user)
    const other = { name: "Anton Beispiel", number: "K-1008", locale: "de-DE" }
    await console.emit("call.incoming", incoming({ more_customers: [other] }), { tenantId: 1 })
    await modal(page).waitFor()
    expect(await modal(page).getByText("Known customer").getAttribute("class")).toBe("badge success")
    expect(await modal(page).innerText()).toContain("K-1007")
    const links = await modal(page).getByRole("link").all()
    expect(await Promise.all(links.map((link) => link.getAttribute("href")))).toEqual([
      "/console/customers/K-1008",
      "/console/customers/K-1007"
    ])
    await checkPage(page, "call-known")
  }, 120_000)

  it("shows whom it does not know", async () => {
    const user = await console.user({ role: "admin" })
    const page = await opened(user)
    await console.emit("call.incoming", incoming({ customer: null }), { tenantId: 1 })
    expect(await modal(page).getByText("Unknown").getAttribute("class")).toBe("badge quiet")
    expect(await modal(page).getByRole("link").count()).toBe(0)
    await checkPage(page, "call-unknown")
  }, 120_000)

  it("lets two wait in one window, by keyboard alone", async () => {
    const user = await console.user({ role: "admin" })
    const page = await opened(user)
    const link = page.getByRole("main").getByRole("link", { name: "Settings" })
    await link.focus()
    const target = await link.getAttribute("href")
    await console.emit("call.incoming", incoming(), { tenantId: 1 })
    await modal(page).waitFor()
    await console.emit("call.incoming", incoming({ customer: null, caller_id: "+4366012345" }), { tenantId: 1 })
    await page.getByText("+4366012345").waitFor()
    await checkPage(page, "call-two")
    // The focus stays inside the dialog.
    for (let press = 0; press < 4; press++) {
      await page.keyboard.press("Tab")
      expect(
        await page.evaluate(
          () => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null
        )
      ).toBe(true)
    }
    await page.keyboard.press("Escape")
    await modal(page).getByText("Unbekannt").waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Klingeln beenden")
    await page.keyboard.press("Enter")
    await modal(page).waitFor({ state: "hidden" })
    // The focus returns to its previous element.
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("href"))).toBe(target)
    const heard = (await heardBy(page)).map(({ what }) => what).filter((what) => what === "start" || what === "stop")
    expect(heard).toEqual(["start", "stop", "start", "stop"])
  }, 120_000)

  it("ends where it was answered or given up, leads to the customer, and stays within the tenant", async () => {
    const user = await console.user({ role: "admin" })
    const page = await opened(user)
    const other = await console.tenant()
    for (const type of ["call.answered", "call.ended"]) {
      const call = incoming()
      await console.emit("call.incoming", incoming({ customer: { ...anna, name: "Somebody else's" } }), {
        tenantId: other
      })
      await console.emit("call.incoming", call, { tenantId: 1 })
      await modal(page).getByText("Anna Beispiel").waitFor()
      expect(await modal(page).getByText("Somebody else's").count()).toBe(0)
      await console.emit(type, { call_id: call.call_id }, { tenantId: 1 })
      await modal(page).waitFor({ state: "hidden" })
    }
    await console.emit("call.incoming", incoming({ customer: { ...anna, number: "K 1/2" } }), { tenantId: 1 })
    await modal(page).getByRole("link", { name: "Open customer" }).press("Enter")
    await modal(page).waitFor({ state: "hidden" })
    await page.waitForURL(/\/console\/customers\/K%201%2F2$/)
  }, 120_000)

  it("is not rung for who comes back later, and names nobody whose number is withheld", async () => {
    const user = await console.user({ role: "admin" })
    const page = await opened(user, { clock: true })
    await console.emit("call.incoming", incoming({ at: new Date(Date.now() - 10 * 60_000).toISOString() }), {
      tenantId: 1
    })
    await console.emit("call.incoming", incoming({ customer: null, caller_id: "anonymous" }), { tenantId: 1 })
    await rung(page)
    await modal(page).getByText("Number withheld").waitFor()
    await page.clock.runFor(2_000)
    expect(await heardBy(page)).toEqual([
      { what: "start", frequency: 425 },
      { what: "say", lang: "en", text: "Incoming call from an unknown number" }
    ])
  }, 120_000)

  it("is not spoken for who chose so", async () => {
    const user = await console.user({ role: "admin" })
    const page = await opened(user, {
      clock: true,
      preferences: [{ event_type: "call.*", channel: "speech", enabled: false }]
    })
    await console.emit("call.incoming", incoming(), { tenantId: 1 })
    await rung(page)
    await page.clock.runFor(5_000)
    expect(await heardBy(page)).toEqual([{ what: "start", frequency: 425 }])
  }, 120_000)
})
