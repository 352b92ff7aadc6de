/** Tenants, service tokens and the audit log in the browser, for the provider and for others. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { consoleTests } from "#support/console/Console.ts"
import { choose } from "#support/console/CheckPage.ts"
import { holdsAfter } from "#support/Frame.ts"
import { checkWhole, chooseLast } from "./CheckWhole.ts"

const console = consoleTests({ daemons: [identity, commDispatcher] })

it("adds, renames, suspends and restores a tenant", async () => {
  const admin = await console.user({ role: "admin" })
  const page = await console.open(admin, "/tenants")
  console.expecting(/status of 409 /)
  await page.getByRole("button", { name: "Add a tenant" }).click()
  await page.getByLabel("Name", { exact: true }).fill("Winter AG")
  await page.getByRole("button", { name: "Add", exact: true }).click()
  await page.getByRole("link", { name: "Winter AG" }).waitFor()
  await page.getByRole("button", { name: "Add a tenant" }).click()
  await page.getByLabel("Name", { exact: true }).fill("winter ag")
  await page.getByRole("button", { name: "Add", exact: true }).click()
  await page.getByText("A tenant has this name already.").waitFor()
  await page.getByRole("button", { name: "Cancel" }).click()

  const menu = page.getByRole("button", { name: "Actions: Winter AG" })
  await menu.click()
  await page.getByRole("menuitem", { name: "Rename" }).click()
  await page.getByLabel("Name", { exact: true }).fill("Winter SE")
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByRole("link", { name: "Winter SE" }).waitFor()

  const renamed = page.getByRole("button", { name: "Actions: Winter SE" })
  const row = page.getByRole("row").filter({ has: renamed })
  await renamed.focus()
  await page.keyboard.press("Enter")
  await chooseLast(page)
  await page.getByRole("dialog", { name: "Suspend Winter SE" }).getByText("Nothing is deleted").waitFor()
  await page.keyboard.press("Tab")
  await page.keyboard.press("Enter")
  await row.getByText("suspended").waitFor()
  await checkWhole(page, "tenants")
  await renamed.click()
  await page.getByRole("menuitem", { name: "Restore" }).click()
  await row.getByText("active").waitFor()
  await page.getByRole("link", { name: "Winter SE" }).click()
  await page.getByText("No users yet").waitFor()
  await checkWhole(page, "users-empty")
}, 180_000)

it("creates a service token, which works until it is revoked", async () => {
  const admin = await console.user({ role: "admin" })
  const page = await console.open(admin, "/service-tokens")
  await page.getByRole("button", { name: "Create a service token" }).first().click()
  await page.getByLabel("Name", { exact: true }).fill("Backup <script>")
  await page.getByRole("button", { name: "Create", exact: true }).click()
  await page.getByText("Choose at least one.").waitFor()
  await page.getByLabel("see tenants").check()
  await checkWhole(page, "service-tokens-create")
  await page.getByRole("button", { name: "Create", exact: true }).click()
  const made = page.getByRole("region", { name: "New token: Backup <script>" })
  const secret = await made.getByLabel("Service token", { exact: true }).inputValue()
  const ask = async (): Promise<number> => {
    const { status } = await fetch(`${console.base}/api/v1/tenants`, { headers: { "x-service-token": secret } })
    // A daemon that does not hear from its database in time can tell nothing about a token.
    return status === 503 ? ask() : status
  }
  expect(await ask()).toBe(200)
  await made.getByRole("button", { name: "Done" }).click()
  await made.waitFor({ state: "detached" })
  await page.getByRole("button", { name: "Actions: Backup <script>" }).click()
  await page.getByRole("menuitem", { name: "Revoke" }).click()
  const dialog = page.getByRole("dialog", { name: "Revoke Backup <script>" })
  await dialog.getByText("never becomes valid again").waitFor()
  await dialog.getByRole("button", { name: "Revoke" }).click()
  await page.getByRole("row").filter({ hasText: "Backup <script>" }).getByText("revoked").waitFor()
  await console.run(
    holdsAfter(
      1_000,
      "the token is refused",
      Effect.map(Effect.promise(ask), (status) => status === 401)
    )
  )
  await checkWhole(page, "service-tokens")
}, 120_000)

it("shows the audit log with filters, and page by page", async () => {
  const tenant = await console.tenant("Herbst KG")
  const admin = await console.user({ role: "admin", tenant, name: "Emil Admin" })
  await console.run(console.suite.sql`insert into core.audit (tenant_id, actor, action, entity_type, entity_id, detail)
    select ${tenant}, ${`user:${admin.id}`}, 'thing.changed', 'thing', n::text, '{"note": "<img src=x>"}'
      from generate_series(1, 60) n`)
  const page = await console.open(admin, "/audit")
  await page.getByRole("link", { name: "thing 60", exact: true }).waitFor()
  await page.getByText("<img src=x>").first().waitFor()
  await checkWhole(page, "audit")
  await page.getByRole("button", { name: "Older" }).click()
  await page.getByRole("link", { name: "thing 1", exact: true }).waitFor()
  await page.getByRole("link", { name: "thing 1", exact: true }).click()
  await page.getByRole("link", { name: "thing 2", exact: true }).waitFor({ state: "detached" })
  expect(await page.getByRole("link", { name: /^thing / }).count()).toBe(1)
  expect(new URL(page.url()).search).toBe("?entity_type=thing&entity_id=1")
  await page.getByRole("button", { name: "Remove the filters" }).click()
  await page.getByLabel("Action").fill("user.*")
  // Words in both languages; the codes stay in the tooltips and the filter.
  await page.getByRole("link", { name: "User created", exact: true }).waitFor()
  await choose(page, "language", "de")
  await page.getByRole("link", { name: "Benutzer angelegt", exact: true }).waitFor()
  await page.getByTitle("Nur Einträge von user.created").waitFor()
  await choose(page, "language", "en")
  await page
    .getByRole("link", { name: /^thing / })
    .first()
    .waitFor({ state: "detached" })
  await page.getByLabel("Action").fill("")
  await page.getByRole("main").getByRole("link", { name: "Emil Admin" }).first().click()
  await page.getByText("User created").waitFor({ state: "detached" })
  await page.getByLabel("To", { exact: true }).fill("2001-01-01")
  await page.getByText("No entry matches the filters.").waitFor()
}, 120_000)

it("shows tenants and tokens to the provider only, and the log to its readers only", async () => {
  const tenant = await console.tenant()
  const boss = await console.user({ role: "admin", tenant })
  const page = await console.open(boss, "/tenants")
  await page
    .getByText(/provider/i)
    .first()
    .waitFor()
  const navigation = page.getByRole("navigation")
  await navigation.getByRole("link", { name: "Audit log" }).waitFor()
  expect(await navigation.getByRole("link", { name: /^(Tenants|Service tokens)$/ }).count()).toBe(0)
  const user = await console.user({ role: "user", tenant })
  const theirs = await console.open(user, "/audit")
  expect(await theirs.getByRole("heading", { level: 1, name: "Audit log" }).count()).toBe(0)
  expect(await theirs.getByRole("navigation").getByRole("link", { name: "Audit log" }).count()).toBe(0)
}, 120_000)
