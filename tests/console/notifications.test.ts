/** Notifications appear without a reload, can be read, and link to their targets. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { consoleTests, type ConsoleUser } from "#support/console/Console.ts"
import { undoSeconds } from "../../console/lib/UndoState.ts"

const console = consoleTests()

/** Titles of the stored notifications of a user, and whether they are read; oldest first. */
const stored = async ({ id }: ConsoleUser): Promise<ReadonlyArray<string>> => {
  const rows = await console.run(
    console.suite.sql<{ text: string }>`select title || case when read_at is null then '' else ' read' end as text
      from comm_dispatcher.notification where user_id = ${id} order by id`
  )
  return rows.map(({ text }) => text)
}

describe("notifications", () => {
  it("arrive live, are read one by one and all at once", async () => {
    const user = await console.user()
    const page = await console.open(user, "/notifications")
    const bell = page.locator(".bell")
    await page.getByText("Nothing yet.").waitFor()
    await page.locator(".shell[data-live=open]").waitFor()
    await console.notify(user, { title: "Disk full", severity: "error" })
    const first = page.getByRole("listitem").filter({ hasText: "Disk full" })
    await first.waitFor()
    await bell.getByText("1 unread").waitFor()
    await page.getByText("New notification: Disk full").waitFor()
    expect(await first.getAttribute("class")).toBe("notice error fresh")
    expect(await first.locator(".badge").textContent()).toBe("Error")
    for (const title of ["Second", "Third"]) await console.notify(user, { title })
    await bell.getByText("3 unread").waitFor()
    // The newest comes first. The page first shows the new number of unread ones, and then reads the list again.
    const titles = expect.poll(() => page.locator(".notice h2").allTextContents())
    await titles.toEqual(["Third", "Second", "Disk full"])

    await page.getByRole("button", { name: "Mark as read: Second" }).press("Enter")
    await bell.getByText("2 unread").waitFor()
    await page.getByLabel("Unread only").check()
    await page.getByText("Second", { exact: true }).waitFor({ state: "detached" })
    expect(await page.locator(".notice h2").allTextContents()).toEqual(["Third", "Disk full"])
    await page.getByRole("button", { name: "Remove: Third" }).click()
    await bell.getByText("1 unread").waitFor()
    await page.getByRole("button", { name: "Mark all as read" }).click()
    await page.getByText("Everything is read.").waitFor()
    await bell.locator(".bell-count").waitFor({ state: "detached" })
    // The removal was held back until the next undo was offered.
    await expect.poll(() => stored(user)).toEqual(["Disk full read", "Second read"])
  }, 120_000)

  it("are unread again and are not removed after an undo; a removal waits until the page is left", async () => {
    const user = await console.user()
    const page = await console.open(user, "/notifications")
    const bell = page.locator(".bell")
    const undo = async (done: string) => {
      const notice = page.locator(".undo-notice")
      await notice.getByText(done, { exact: true }).waitFor()
      await notice.getByRole("button", { name: "Undo" }).click()
      await notice.getByText(/^Undone\./).waitFor()
    }
    for (const title of ["One", "Two", "Three"]) await console.notify(user, { title })
    await bell.getByText("3 unread").waitFor()
    await page.getByRole("button", { name: "Mark as read: One" }).click()
    await bell.getByText("2 unread").waitFor()
    await undo("Marked as read: One")
    await bell.getByText("3 unread").waitFor()

    await page.getByRole("button", { name: "Mark as read: Two" }).click()
    await bell.getByText("2 unread").waitFor()
    await page.getByRole("button", { name: "Mark all as read" }).click()
    await bell.locator(".bell-count").waitFor({ state: "detached" })
    await undo("All are marked as read.")
    await bell.getByText("2 unread").waitFor()
    expect(await stored(user)).toEqual(["One", "Two read", "Three"])

    const three = page.getByRole("listitem").filter({ hasText: "Three" })
    await page.getByRole("button", { name: "Remove: Three" }).click()
    await three.waitFor({ state: "detached" })
    await bell.getByText("1 unread").waitFor()
    expect(await stored(user)).toEqual(["One", "Two read", "Three"])
    await undo("Removed: Three")
    await three.waitFor()
    await bell.getByText("2 unread").waitFor()

    await page.getByRole("button", { name: "Remove: Three" }).click()
    await three.waitFor({ state: "detached" })
    await page.goto("about:blank")
    await expect.poll(() => stored(user), { timeout: 20_000 }).toEqual(["One", "Two read"])
  }, 120_000)

  it("are removed when the undo is over, and before the user signs out", async () => {
    const user = await console.user()
    const page = await console.open(user, "/notifications", { before: (page) => page.clock.install() })
    for (const title of ["Pump", "Valve"]) await console.notify(user, { title })
    await page.locator(".notice").nth(1).waitFor()
    // The time for the undo must not pass while the test looks.
    await page.clock.pauseAt(Date.now() + 5_000)
    await page.getByRole("button", { name: "Remove: Pump" }).press("Enter")
    await page.getByRole("listitem").filter({ hasText: "Pump" }).waitFor({ state: "detached" })
    await page.clock.runFor((undoSeconds - 2) * 1_000)
    expect(await stored(user)).toEqual(["Pump", "Valve"])
    await page.clock.runFor(3_000)
    await expect.poll(() => stored(user), { timeout: 20_000 }).toEqual(["Valve"])
    await page.clock.resume()

    await page.getByRole("button", { name: "Remove: Valve" }).click()
    await page.getByRole("listitem").filter({ hasText: "Valve" }).waitFor({ state: "detached" })
    // After the removal the page loads the count and the list again, and may meet the ended session.
    console.expecting(/status of 401 .*\/api\/v1\/notifications/)
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByLabel("Password").waitFor()
    expect(await stored(user)).toEqual([])
  }, 120_000)

  it("are told in every tab, and read in every tab", async () => {
    const user = await console.user()
    const page = await console.open(user)
    const other = await page.context().newPage()
    await other.goto(`${console.base}/console/notifications`)
    await other.locator(".shell[data-live=open]").waitFor()
    await console.notify(user, { title: "For both" })
    await page.locator(".bell").getByText("1 unread").waitFor()
    await other.getByRole("button", { name: "Mark all as read" }).click()
    await page.locator(".bell-count").waitFor({ state: "detached" })
  }, 120_000)

  it("are spoken by one tab, when the reader wants it", async () => {
    const user = await console.user()
    const page = await console.open(user, "/notifications")
    const other = await page.context().newPage()
    await other.goto(`${console.base}/console/notifications`)
    const tabs = [page, other]
    for (const tab of tabs) {
      await tab.locator(".shell[data-live=open]").waitFor()
      await tab.evaluate(() => {
        Object.assign(globalThis, { said: [] })
        speechSynthesis.speak = ({ lang, text }) => void (globalThis as any).said.push([lang, text])
      })
    }
    const said = async () => (await Promise.all(tabs.map((tab) => tab.evaluate(() => (globalThis as any).said)))).flat()
    await console.notify(user, { title: "Silent", body: "Nothing" })
    await console.run(console.suite.sql`insert into comm_dispatcher.notification_preference
      (user_id, tenant_id, event_type, channel, enabled) values (${user.id}, 1, '*', 'speech', true)`)
    await console.notify(user, { title: "Pump 3", body: "It stands still." })
    for (const tab of tabs) await tab.locator(".bell").getByText("2 unread").waitFor()
    await expect.poll(said).toEqual([["en", "Pump 3. It stands still."]])
  }, 120_000)

  it("are filtered and paged", async () => {
    const user = await console.user()
    await console.run(
      Effect.gen(function* () {
        yield* console.suite
          .sql`insert into comm_dispatcher.notification (user_id, tenant_id, type, category, severity, title, body)
        select ${user.id}, 1, 'walk.one', case when n % 3 = 0 then 'payment' else 'system' end, 'info', 'Number ' || n, 'Body' from generate_series(1, 30) n`
      })
    )
    const page = await console.open(user, "/notifications")
    const titles = () => page.locator(".notice h2").allTextContents()
    await page.getByText("Number 30", { exact: true }).waitFor()
    expect((await titles()).length).toBe(25)
    await page.getByRole("button", { name: "Older" }).click()
    await page.getByText("Number 1", { exact: true }).waitFor()
    expect(await titles()).toEqual(["Number 5", "Number 4", "Number 3", "Number 2", "Number 1"])
    await page.getByRole("button", { name: "Newer" }).click()
    await page.getByText("Number 30", { exact: true }).waitFor()
    await page.getByLabel("Category").selectOption("payment")
    await page.getByText("Number 29", { exact: true }).waitFor({ state: "detached" })
    expect((await titles()).length).toBe(10)
    expect(new URL(page.url()).search).toBe("?category=payment")
    // Only notifications of this category are marked.
    await page.getByRole("button", { name: "Mark all as read: Payment" }).click()
    await page.locator(".bell").getByText("20 unread").waitFor()
  }, 120_000)

  it("lead where they say: our pages here, others apart and without a word of us", async () => {
    const user = await console.user()
    const page = await console.open(user, "/notifications")
    await console.notify(user, { title: "Elsewhere", action_url: "https://example.org/runbook" })
    await console.notify(user, { title: "Here", action_url: "/console/settings" })
    await page.locator(".notice").nth(1).waitFor()
    const elsewhere = page.getByRole("link", { name: /^Open\s*: Elsewhere$/ })
    expect([await elsewhere.getAttribute("target"), await elsewhere.getAttribute("rel")]).toEqual([
      "_blank",
      "noopener noreferrer"
    ])
    await page.evaluate(() => Object.assign(globalThis, { same: true }))
    await page.getByRole("link", { name: /^Open\s*: Here$/ }).click()
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor()
    expect(await page.evaluate(() => "same" in globalThis)).toBe(true)
    // Following the link marks the notification as read.
    await page.locator(".bell").getByText("1 unread").waitFor()
  }, 120_000)

  it("show on the desktop where the event says so and a button was pressed", async () => {
    const user = await console.user()
    const page = await console.open(user, "/notifications", {
      before: (page) =>
        page.addInitScript(() => {
          const shown: Array<unknown> = []
          class Shown {
            static permission = "default"
            static requestPermission = async () => (Shown.permission = "granted")
            constructor(title: string, { body, tag }: NotificationOptions) {
              shown.push([title, body, tag])
            }
          }
          Object.assign(globalThis, { Notification: Shown, shown })
        })
    })
    const shown = () => page.evaluate(() => (globalThis as unknown as { shown: ReadonlyArray<unknown> }).shown)
    await page.locator(".shell[data-live=open]").waitFor()
    const event = (uuid: string, browser: boolean) =>
      console.emit(
        "notification.created",
        { uuid, title: `Title ${uuid}`, body: "Body", action_url: null, browser },
        { tenantId: 1, userId: user.id }
      )
    await event("a", true)
    await page.getByText("New notification: Title a").waitFor()
    expect(await shown()).toEqual([])
    await page.getByRole("button", { name: "Show notifications on this desktop" }).click()
    await page.getByRole("button", { name: "Show notifications on this desktop" }).waitFor({ state: "detached" })
    await event("b", false)
    await event("c", true)
    await page.getByText("New notification: Title c").waitFor()
    expect(await shown()).toEqual([["Title c", "Body", "c"]])
  }, 120_000)
})
