/** The pages about devices in a real browser: a link is made, opened in another browser, and the device revoked. */
import { Effect, Exit, Scope } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { consoleTests, everyDaemon } from "#support/console/Console.ts"
import * as MailSink from "#support/MailSink.ts"
import { requirePeer } from "#support/peers/install.ts"
import { readPicture } from "#support/peers/Zbarimg.ts"
import { untilWithin } from "#support/Within.ts"
import { callsAs } from "../telephony/Telephony.ts"

const sinks = Scope.makeUnsafe()
const sink = await Effect.runPromise(Scope.provide(MailSink.make(), sinks))
afterAll(() => Effect.runPromise(Scope.close(sinks, Exit.void)))
const console = consoleTests({
  daemons: everyDaemon,
  env: { SIGNALBOX_PROVISIONING_SMTP_URL: `smtp://127.0.0.1:${sink.port}` }
})

/** Selects the language, which the checks of a page change. */
const english = (page: Awaited<ReturnType<typeof console.open>>) =>
  page.locator("select[name=language]").first().selectOption("en", { force: true })

describe("devices", () => {
  it("are added in three steps, live, and revoked", async () => {
    const anna = await console.user({ role: "admin", name: "Anna Admin" })
    const ben = await console.user({ role: "user", name: "Ben User" })
    const ask = await callsAs(console, anna)
    for (const [number, user] of [["1001", ben]] as const)
      await ask("POST", "/api/v1/sip/extensions", {
        extension: number,
        name: "Ben",
        domain: "voice.devices.test",
        user_id: user.id
      })
    await console.run(
      untilWithin(
        30,
        "provisioning knows the extension",
        Effect.map(console.suite.sql`select 1 from provisioning.known_extension`, (rows) => rows.length === 1)
      )
    )
    const page = await console.open(anna, "/devices")
    await page.getByText("No device is set up yet.").waitFor()
    await checkPage(page, "devices-empty")
    await english(page)

    await page.getByRole("link", { name: "Add a device" }).click()
    await page.getByLabel("Somebody else").check()
    await page.getByRole("combobox", { name: "Person" }).fill("Ben")
    await page.getByRole("option", { name: /Ben User/ }).click()
    await page.getByLabel("Name of the device (optional)").fill("Ben's phone")
    await checkPage(page, "devices-add-choose")
    await english(page)
    await page.getByRole("button", { name: "Make the link" }).click()
    const link = (await page.locator(".device-link code").textContent())!
    expect(link).toMatch(/\/provision\/sbp_[0-9a-f]{8}_[\w-]{64}$/)
    const code = page.getByRole("img", { name: "QR code of the link" })
    if (requirePeer("zbarimg").available) expect(readPicture(await code.screenshot())).toBe(link)
    await page.getByText("Waiting for the device …").waitFor()
    await checkPage(page, "devices-add-share")
    await english(page)

    await page.getByRole("button", { name: `Send by mail to ${ben.email}` }).click()
    await page.getByText(`The link is on its way to ${ben.email}.`).waitFor()
    expect(sink.mails.map(({ to }) => to)).toEqual([[ben.email]])

    const other = await console.open(undefined, "/", {})
    await other.goto(link)
    await other.getByRole("button", { name: "Set up this device" }).click()
    await other.getByRole("heading", { name: "Your device is set up" }).waitFor()
    await other.getByRole("img", { name: "QR code for Linphone" }).waitFor()
    await page.getByText("Ben's phone is set up.").waitFor()
    await checkPage(page, "devices-add-done")
    await english(page)

    // A second device of the same person shares the extension.
    const second = await ask("POST", "/api/v1/provisioning/client-tokens", { user_id: ben.id, label: "Ben's laptop" })
    await console.run(console.suite.call("GET", new URL(second.link).pathname))
    await ask("POST", "/api/v1/provisioning/client-tokens", { user_id: ben.id, label: "Tablet" })
    await page.getByRole("link", { name: "All devices" }).click()
    await page.getByRole("row", { name: /Ben's laptop Ben User/ }).waitFor()
    await page.getByRole("row", { name: /Tablet Ben User/ }).waitFor()
    await checkPage(page, "devices")
    await english(page)
    await page
      .getByRole("row", { name: /Ben's phone/ })
      .getByRole("button", { name: /^Revoke.*Ben's phone/ })
      .click()
    const dialog = page.getByRole("dialog", { name: "Revoke Ben's phone" })
    await dialog.getByRole("listitem").filter({ hasText: "Ben's laptop" }).waitFor()
    await checkPage(page, "devices-revoke")
    await english(page)
    await dialog.getByRole("button", { name: "Revoke" }).click()
    await page.getByText("Ben's phone is revoked.").waitFor()
    await page.getByRole("row", { name: /Ben's phone/ }).waitFor({ state: "detached" })
    await page.getByRole("button", { name: /^Revoke.*[0-9a-f]{8}$/ }).click()
    await page.getByText("No link waits for use.").waitFor()
  }, 120_000)

  it("show the catalog, which only the provider changes", async () => {
    const anna = await console.user({ role: "admin" })
    const page = await console.open(anna, "/devices/services")
    await page.getByRole("button", { name: /^Actions: .*Mail/ }).click()
    await page.getByRole("menuitem", { name: "Change" }).click()
    await page.getByLabel("Configuration (JSON)").fill("[]")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("The configuration is not a JSON object.").waitFor()
    await checkPage(page, "devices-services-change")
    await english(page)
    await page.getByLabel("Configuration (JSON)").fill('{"url_template": "mx.{base_url}:993/587"}')
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("mx.{base_url}:993/587").waitFor()
    await page.getByLabel("Module").fill("office")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByRole("row", { name: /office/ }).waitFor()
    await checkPage(page, "devices-services")
    await english(page)
    await page
      .getByRole("row", { name: /office/ })
      .getByRole("button", { name: /Delete/ })
      .click()
    await page.getByRole("row", { name: /office/ }).waitFor({ state: "detached" })

    await page.getByText("No packages yet").waitFor()
    await page.getByRole("button", { name: "Add a package" }).click()
    const paket = page.getByRole("form", { name: "Add a package" })
    await paket.getByLabel("Name", { exact: true }).fill("Large office")
    await paket.getByLabel("Short name").fill("office-large")
    await paket.getByLabel("Type").fill("office")
    await paket.getByRole("button", { name: "Save" }).click()
    await page.getByRole("rowheader", { name: /Large office/ }).waitFor()
    await page.getByRole("button", { name: "Add a service" }).click()
    const service = page.getByRole("form", { name: "Add a service" })
    for (const [label, text] of [
      ["Short name", "wiki"],
      ["Name in English", "Knowledge"],
      ["Name in German", "Wissen"],
      ["Description in English", "Pages of the team"],
      ["Description in German", "Seiten des Teams"],
      ["Feature", "wiki"]
    ] as const)
      await service.getByLabel(label).fill(text)
    await checkPage(page, "devices-services-add")
    await english(page)
    await service.getByRole("button", { name: "Save" }).click()
    await page.getByRole("rowheader", { name: /Knowledge/ }).waitFor()
    // Rules offer both at once.
    const rule = page.getByRole("form", { name: "Add" })
    await rule.getByLabel("Service").selectOption({ label: "Knowledge" })
    await rule.getByRole("combobox", { name: "Package" }).selectOption({ label: "Large office" })
    await rule.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByRole("row", { name: /Knowledge.*Large office/ }).waitFor()
    const remove = async (name: string) => {
      await page.getByRole("button", { name: `Actions: ${name}` }).click()
      await page.getByRole("menuitem", { name: "Delete" }).click()
      await page.getByRole("dialog").getByText("cannot be restored").waitFor()
      await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click()
    }
    console.expecting(/status of 409 .*\/packages/)
    await remove("Large office")
    await page.getByRole("dialog").getByText("A subscription or a rule names this package").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
    await remove("Knowledge")
    await page
      .getByRole("rowheader", { name: /Knowledge/ })
      .first()
      .waitFor({ state: "detached" })
    await remove("Large office")
    await page.getByText("No packages yet").waitFor()

    const tenant = await console.tenant()
    const reader = await console.open(await console.user({ role: "admin", tenant }), "/devices/services")
    await reader.getByRole("heading", { name: "What your tenant has booked" }).waitFor()
    expect(await reader.getByRole("button", { name: /Change|Delete|Add|Actions/ }).count()).toBe(0)
  }, 120_000)
})
