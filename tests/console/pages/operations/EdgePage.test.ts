/** Edge-auth in the console: hosts, protected routes, and its users. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { consoleTests } from "#support/console/Console.ts"
import { until } from "#support/Frame.ts"
import { checkWhole } from "../people/CheckWhole.ts"

const console = consoleTests({ daemons: [identity, commDispatcher, edgeAuth] })

/** Asks edge-auth as a proxy does. */
const verify = (host: string) =>
  console.run(
    console.suite.call("GET", "/verify?mode=status", {
      of: "edge-auth",
      headers: { "x-forwarded-host": host, "x-forwarded-uri": "/" }
    })
  )

/** Waits for the answer to a proxy. A change of routes takes effect within a second. */
const answersSoon = (host: string, status: number) => expect.poll(async () => (await verify(host)).status).toBe(status)

it("protects a host, turns the route off and deletes it", async () => {
  const page = await console.open(await console.user({ role: "admin" }), "/operations/edge")
  await page.getByText("No hosts yet").waitFor()
  await page.getByText("No routes yet").waitFor()
  await page.getByText("No users yet").waitFor()
  await checkWhole(page, "edge-empty")

  console.expecting(/status of 4(09|22) /)
  await page.getByRole("button", { name: "Protect a host" }).click()
  const form = page.getByRole("form", { name: "Protect a host" })
  await form.getByLabel("Host").fill("not a host")
  await form.getByRole("button", { name: "Save" }).click()
  await form.getByText(/must be a host such as/).waitFor()
  await form.getByLabel("Host").fill("app.example.org")
  await form.getByRole("button", { name: "Save" }).click()
  await page.getByRole("region", { name: "Protected routes" }).first().getByText("app.example.org").waitFor()
  await answersSoon("app.example.org", 401)
  await console.run(
    until(
      "the question is written down",
      Effect.map(console.suite.sql`select 1 from edge_auth.seen_hosts`, (rows) => rows.length === 1),
      60
    )
  )
  await page.reload()
  await page.getByRole("region", { name: "Hosts" }).first().getByText("protected", { exact: true }).waitFor()
  await checkWhole(page, "edge-routes")

  await page.getByRole("button", { name: "Actions: app.example.org" }).click()
  await page.getByRole("menuitem", { name: "Turn off" }).click()
  const asked = page.getByRole("dialog", { name: "Turn app.example.org off" })
  await asked.getByText("without signing in").waitFor()
  await asked.getByRole("button", { name: "Turn off" }).click()
  await page.getByText("open: no route is on").waitFor()
  await answersSoon("app.example.org", 200)

  await page.getByRole("button", { name: "Actions: app.example.org" }).click()
  await page.getByRole("menuitem", { name: "Delete" }).click()
  await page.getByRole("dialog", { name: "Delete app.example.org" }).getByRole("button", { name: "Delete" }).click()
  await page.getByText("No routes yet").waitFor()
}, 240_000)

/** Signs in at the page of edge-auth; whether it worked. */
const signsIn = async (email: string, password: string): Promise<boolean> => {
  const { suite } = console
  const form = await console.run(suite.call("GET", "/login", { of: "edge-auth" }))
  const token = /name="form_token" value="([^"]+)"/.exec(form.text)![1]!
  const cookie = form.headers.get("set-cookie")!.split(";")[0]!
  const answer = await console.run(
    suite.call("POST", "/login", {
      of: "edge-auth",
      headers: { "content-type": "application/x-www-form-urlencoded", cookie },
      body: new URLSearchParams({ form_token: token, email, password }).toString()
    })
  )
  return answer.status === 303
}

it("adds a user who signs in, resets the password, signs out, blocks and deletes the user", async () => {
  const page = await console.open(await console.user({ role: "admin" }), "/operations/edge")
  await page.getByRole("button", { name: "Add a user" }).click()
  const form = page.getByRole("form", { name: "Add a user" })
  await form.getByLabel("Name").fill("Edda Rand")
  await form.getByLabel("E-mail address").fill("edda@example.org")
  await form.getByRole("button", { name: "Save" }).click()
  const shown = page.getByRole("region", { name: "Password of Edda Rand" })
  const first = await shown.getByLabel("Password", { exact: true }).inputValue()
  await checkWhole(page, "edge-users")
  await shown.getByRole("button", { name: "Done" }).click()
  expect(await signsIn("edda@example.org", first)).toBe(true)

  const choose = async (action: string, dialog: string, loss: string) => {
    await page.getByRole("button", { name: "Actions: Edda Rand" }).click()
    await page.getByRole("menuitem", { name: action, exact: true }).click()
    const asked = page.getByRole("dialog", { name: dialog })
    await asked.getByText(loss).waitFor()
    await asked.getByRole("button", { name: action, exact: true }).click()
    await asked.waitFor({ state: "detached" })
  }
  await choose("Reset the password", "Reset the password of Edda Rand", "old password stops working")
  const second = await shown.getByLabel("Password", { exact: true }).inputValue()
  await shown.getByRole("button", { name: "Done" }).click()
  expect(await signsIn("edda@example.org", first)).toBe(false)
  expect(await signsIn("edda@example.org", second)).toBe(true)

  const open = Effect.map(
    Effect.suspend(() => console.suite.sql`select 1 from edge_auth.sessions where ended_at is null`),
    (rows) => rows.length
  )
  expect(await console.run(open)).toBe(1)
  await choose("Sign out everywhere", "Sign Edda Rand out everywhere", "sessions of the user end")
  expect(await console.run(open)).toBe(0)
  await choose("Block", "Block Edda Rand", "cannot sign in")
  await page.getByText("blocked", { exact: true }).waitFor()
  expect(await signsIn("edda@example.org", second)).toBe(false)
  await choose("Delete", "Delete Edda Rand", "cannot be brought back")
  await page.getByText("No users yet").waitFor()
  const left = await console.run(console.suite.sql`select email, name, password from edge_auth.users`)
  expect(left).toMatchObject([{ name: "", password: "" }])
  expect(JSON.stringify(left)).not.toContain("edda")
}, 240_000)

it("is not for administrators of customers, nor for those who only read", async () => {
  const customer = await console.user({ role: "admin", tenant: await console.tenant() })
  const page = await console.open(customer, "/operations/edge")
  expect(await page.getByText("Users of edge-auth").count()).toBe(0)
  const reader = await console.open(await console.user({ role: "support" }), "/operations/edge")
  await reader.getByText("No users yet").waitFor()
  expect(await reader.getByRole("button", { name: "Add a user" }).count()).toBe(0)
}, 120_000)
