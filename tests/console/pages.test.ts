/** Opens every page of the console and checks it with axe-core, in both languages and themes. */
import type { Page } from "playwright-core"
import { describe, it } from "vitest"
import { checkPage, follow } from "#support/console/CheckPage.ts"
import { consoleTests, type ConsoleUser } from "#support/console/Console.ts"
import { telephony } from "./pages/telephony/Telephony.ts"

const console = consoleTests()

interface Case {
  /** Name of the screenshots. */
  readonly name: string
  readonly path: string
  /** Opens the address as a new user with this role. Default: follows a link as an admin of the provider. */
  readonly role?: string
  /** Prepares the content of the page. */
  readonly given?: (user: ConsoleUser) => Promise<unknown>
}

/** Sends one notification of each severity. */
async function told(user: ConsoleUser): Promise<void> {
  const each = [
    {
      severity: "success",
      category: "payment",
      title: "Payment received: 119,00 €",
      body: "Invoice 2026-0815 is paid.",
      type: "payment.received"
    },
    {
      severity: "info",
      category: "system",
      title: "Maintenance on Sunday",
      body: "Between 02:00 and 03:00 the mail server restarts.\nNothing is to be done."
    },
    {
      severity: "warning",
      category: "security",
      title: "Sign-in from a new address",
      body: "From 203.0.113.7, Firefox on Linux.",
      action_url: "/console/settings"
    },
    {
      severity: "error",
      category: "system",
      title: "Alarm not delivered: Disk full on db1",
      body: "No target took it.",
      action_url: "https://example.org/runbook"
    }
  ]
  for (const content of each) await console.notify(user, content)
}

/** New pages add a line here. */
const cases: ReadonlyArray<Case> = [
  { name: "notifications-empty", path: "/notifications" },
  { name: "alarms-empty", path: "/alarms" },
  { name: "workflow-empty", path: "/workflows/bans-added" },
  { name: "events-all", path: "/events" },
  { name: "settings", path: "/settings" },
  { name: "mailboxes-none", path: "/mailboxes" },
  { name: "mail-none", path: "/mail" },
  { name: "mail-compose-none", path: "/mail/compose" },
  { name: "phones-empty", path: "/phones" },
  { name: "numbers-ring-groups", path: "/numbers/ring-groups" },
  { name: "customers", path: "/customers" },
  { name: "calls-empty", path: "/calls" },
  { name: "phone-none", path: "/phone" },
  { name: "devices-none", path: "/devices", role: "user" },
  { name: "customer-none", path: "/customers/4711" },
  { name: "bank-transactions-empty", path: "/bank/transactions" },
  { name: "bank-accounts-empty", path: "/bank/accounts" },
  { name: "not-found", path: "/nothing/here", role: "admin" },
  // After the empty pages, because the content stays.
  { name: "overview", path: "/", given: told },
  { name: "notifications", path: "/notifications", given: told },
  { name: "phones", path: "/phones", given: (user) => telephony(console, user, "voice21.example.org") },
  { name: "numbers", path: "/numbers", given: (user) => telephony(console, user, "voice22.example.org") },
  {
    name: "route-test",
    path: "/route-test?from=1001&to=1002",
    given: (user) => telephony(console, user, "voice23.example.org")
  }
]

/** An admin and the page on which tests follow one link after the other. */
let admin: ConsoleUser | undefined
let walked: Page | undefined

const walk = async (path: string, given?: Case["given"]): Promise<Page> => {
  admin ??= await console.user({ role: "admin" })
  await given?.(admin)
  if (walked === undefined) walked = await console.open(admin, path, { kept: true })
  else await follow(walked, path)
  return walked
}

describe("the pages of the console", () => {
  it.each(cases)(
    "$name",
    async ({ given, name, path, role }) => {
      const page = role === undefined ? await walk(path, given) : await console.open(await console.user({ role }), path)
      await checkPage(page, name)
    },
    120_000
  )

  it("sign-in", async () => {
    await checkPage(await console.open(undefined), "sign-in")
  }, 120_000)
})
