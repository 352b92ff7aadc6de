/** The status page in the console: a component that is tried before it is saved, an incident, a subscriber. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { statusChecker } from "#daemons/status-checker/Daemon.ts"
import { consoleTests } from "#support/console/Console.ts"
import { until } from "#support/Frame.ts"
import { checkWhole } from "../people/CheckWhole.ts"

const console = consoleTests({ daemons: [identity, commDispatcher, statusChecker] })

/** A web server that is up. */
const server = createServer((_, answer) => void answer.end("well"))
let address = ""
beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => void server.close())

/** Waits until the public page shows exactly these components, as id, English name and status. */
const shows = (...wanted: ReadonlyArray<string>) =>
  console.run(
    until(
      `the public page shows ${wanted.join()}`,
      Effect.map(
        Effect.suspend(() => console.suite.call("GET", "/api/v1/components", { of: "status-checker" })),
        ({ json }) =>
          json.components.map(({ id, name_en, status }: any) => `${id} ${name_en} ${status}`).join() === wanted.join()
      )
    )
  )

it("adds a component after a try, changes it and deletes it", async () => {
  const page = await console.open(await console.user({ role: "admin" }), "/operations/status")
  await page.getByText("No components yet").waitFor()
  await page.getByText("No incidents yet").waitFor()
  await page.getByText("No subscribers yet").waitFor()
  await checkWhole(page, "status-page-empty")

  // An address that the server refuses, and one where nothing listens.
  console.expecting(/status of 422 /)
  await page.getByRole("button", { name: "Add a component" }).click()
  const form = page.getByRole("form", { name: "Add a component" })
  await form.getByLabel("Name in German").fill("Webmail")
  await form.getByLabel("Name in English").fill("Web mail")
  await form.getByLabel("Address").fill("ftp://example.org")
  await form.getByRole("button", { name: "Try it now" }).click()
  await form.getByText(/must be an http/).waitFor()
  await form.getByLabel("Address").fill("http://127.0.0.1:1/")
  await form.getByRole("button", { name: "Try it now" }).click()
  await form.getByRole("status").getByText("down", { exact: true }).waitFor()
  await form.getByLabel("Address").fill(address)
  await form.getByRole("button", { name: "Try it now" }).click()
  await form.getByRole("status").getByText("up", { exact: true }).waitFor()
  await checkWhole(page, "status-page-component")
  await shows()
  await form.getByRole("button", { name: "Save" }).click()

  const row = page.getByRole("row", { name: /Web mail/ })
  await row.getByText("operational").waitFor()
  await shows("web-mail Web mail operational")

  await page.getByRole("button", { name: "Actions: Web mail" }).click()
  await page.getByRole("menuitem", { name: "Change" }).click()
  const change = page.getByRole("form", { name: "Change Web mail" })
  expect(await change.getByLabel("Address").inputValue()).toBe(address)
  await change.getByLabel("Name in English").fill("Mail in the browser")
  await change.getByRole("button", { name: "Save" }).click()
  await page.getByRole("row", { name: /Mail in the browser/ }).waitFor()
  await checkWhole(page, "status-page")

  await page.getByRole("button", { name: "Actions: Mail in the browser" }).click()
  await page.getByRole("menuitem", { name: "Delete" }).click()
  const asked = page.getByRole("dialog", { name: "Delete Mail in the browser" })
  await asked.getByText("leaves the status page at once").waitFor()
  await asked.getByRole("button", { name: "Delete" }).click()
  await page.getByText("No components yet").waitFor()
  await shows()
}, 240_000)

it("opens, publishes, updates and resolves an incident", async () => {
  const page = await console.open(await console.user({ role: "admin" }), "/operations/status")
  await page.getByRole("button", { name: "Open an incident" }).click()
  const form = page.getByRole("form", { name: "Open an incident" })
  await form.getByLabel("Title in German").fill("Mail verzögert")
  await form.getByLabel("Title in English").fill("Mail is delayed")
  await form.getByLabel("Severity").selectOption("major")
  await form.getByLabel("Text in German").fill("Wir suchen die Ursache.")
  await form.getByLabel("Text in English").fill("We look for the cause.")
  await checkWhole(page, "incident-open")
  await form.getByRole("button", { name: "Save" }).click()

  await page.getByRole("heading", { level: 1, name: "Mail is delayed" }).waitFor()
  await page.getByText("draft", { exact: true }).waitFor()
  await page.getByRole("button", { name: "Publish" }).click()
  const asked = page.getByRole("dialog", { name: "Publish Mail is delayed" })
  await asked.getByText("subscribers get a mail").waitFor()
  await asked.getByRole("button", { name: "Publish" }).click()

  await page.getByRole("button", { name: "Add an update" }).click()
  const update = page.getByRole("form", { name: "Update of Mail is delayed" })
  await update.getByLabel("Status").selectOption("identified")
  await update.getByLabel("Text in German").fill("Eine Platte ist voll.")
  await update.getByLabel("Text in English").fill("A disk is full.")
  await update.getByRole("button", { name: "Save" }).click()
  await page.getByRole("listitem").filter({ hasText: "A disk is full." }).getByText("cause found").waitFor()
  await checkWhole(page, "incident")

  // Two people change the texts at once: the second one is told, and overwrites nothing.
  const other = await console.open(
    await console.user({ role: "admin" }),
    new URL(page.url()).pathname.replace(/^\/console/, "")
  )
  for (const one of [page, other]) await one.getByRole("button", { name: "Change the texts" }).click()
  const texts = (one: typeof page) => one.getByRole("form", { name: "Change Mail is delayed" })
  await texts(other).getByLabel("Text in English").fill("A disk was full.")
  await texts(other).getByRole("button", { name: "Save" }).click()
  await other.getByRole("listitem").filter({ hasText: "A disk was full." }).waitFor()
  console.expecting(/status of 409 /)
  await texts(page).getByLabel("Text in English").fill("A disk is really full.")
  await texts(page).getByRole("button", { name: "Save" }).click()
  await texts(page).getByText("Somebody changed this in the meantime").waitFor()
  await texts(page).getByRole("button", { name: "Cancel" }).click()
  await other.getByText("A disk was full.").waitFor()

  await page.getByRole("button", { name: "Resolve" }).click()
  await page.getByRole("form", { name: "Resolve Mail is delayed" }).getByRole("button", { name: "Save" }).click()
  await page.getByText("The incident is resolved.").waitFor()
  await console.run(
    until(
      "the public page shows it",
      Effect.map(
        Effect.suspend(() => console.suite.call("GET", "/api/v1/incidents", { of: "status-checker" })),
        ({ json }) => json.incidents.length === 1 && json.incidents[0].status === "resolved"
      )
    )
  )

  await page.getByRole("main").getByRole("link", { name: "Status page" }).first().click()
  await page.getByRole("link", { name: "Mail is delayed" }).waitFor()
}, 240_000)

it("lists subscribers and removes one", async () => {
  await console.run(
    console.suite.sql`insert into status_checker.subscribers (email, lang, status, unsubscribe,
      unsubscribe_envelope, confirmed_at)
      values ('reader@example.org', 'de', 'confirmed', ${"0".repeat(64)}, '', now())`
  )
  await console.run(
    console.suite
      .sql`insert into status_checker.mails (subscriber_id, kind, ref, message_id, state, attempts, last_error)
      select id, 'notice', 'mail-late', '<1@status.test>', 'failed', 9, '550 no such user'
      from status_checker.subscribers`
  )
  const page = await console.open(await console.user({ role: "admin" }), "/operations/status")
  await page.getByRole("row", { name: /reader@example\.org incident given up 9 550 no such user/ }).waitFor()
  await page.getByLabel("State").selectOption("delivered")
  await page.getByText("No mail in this state.").waitFor()
  await page.getByRole("button", { name: "Actions: reader@example.org" }).click()
  await page.getByRole("menuitem", { name: "Remove" }).click()
  const asked = page.getByRole("dialog", { name: "Remove reader@example.org" })
  await asked.getByText("all its mails are deleted").waitFor()
  await checkWhole(page, "subscriber-remove")
  await asked.getByRole("button", { name: "Remove" }).click()
  await page.getByText("No subscribers yet").waitFor()
  await console.run(
    until(
      "the row is gone",
      Effect.map(console.suite.sql`select 1 from status_checker.subscribers`, (rows) => rows.length === 0)
    )
  )
}, 120_000)

it("shows readers everything, and no action", async () => {
  const page = await console.open(await console.user({ role: "support" }), "/operations/status")
  await page.getByText("No components yet").waitFor()
  for (const name of ["Add a component", "Open an incident", "Announce maintenance"])
    expect(await page.getByRole("button", { name }).count(), name).toBe(0)
}, 120_000)
