/** Services in the console: the list, a restart with confirmation, and the log with filter and live lines. */
import { expect, it } from "vitest"
import { consoleTests } from "#support/console/Console.ts"
import type { Answer } from "../../../../console/lib/Endpoints.ts"
import { speak } from "../bank/Bank.ts"
import { answering, before, check, day, minute, signedInConsole, type Stub } from "./Answering.ts"

const console = consoleTests(signedInConsole)

type Service = Answer<"GET /api/v1/system/services">["items"][number]

const service = (name: string, more: Partial<Service> = {}): Service => ({
  name,
  kind: "container",
  state: "running",
  health: "healthy",
  status: "running",
  description: "docker.io/library/redis:8",
  started_at: before(3 * day),
  restarts: 0,
  may_restart: false,
  critical: false,
  ...more
})

const services: ReadonlyArray<Service> = [
  service("cache", { may_restart: true, critical: true, restarts: 2 }),
  service("worker", { state: "failed", health: "unhealthy", status: "exited (137)" }),
  service("postfix@-.service", { kind: "unit", health: "none", status: "active (running)", description: "Postfix" }),
  service("mail-admin", { kind: "daemon", health: "degraded", status: "degraded", description: "Mail administration" })
]

const line = (text: string, more: object = {}) => ({
  at: before(minute),
  stream: "stdout" as const,
  level: null,
  text,
  cut: false,
  ...more
})

it("lists services, restarts a listed one after a confirmation, and follows its log", async () => {
  let restarted = false
  let stub!: Stub
  const page = await console.open(await console.user({ role: "admin" }), "/operations/services", {
    before: async (page) => {
      stub = await answering(page, {
        "GET /api/v1/system/services": ({ query }) => ({
          items: services.filter(({ name }) => name.includes(query.get("search") ?? "")),
          next_before: null,
          sources: [
            { kind: "container", status: "ok", detail: null },
            { kind: "unit", status: "down", detail: "The system bus does not answer." },
            { kind: "daemon", status: "ok", detail: null }
          ]
        }),
        "GET /api/v1/system/services/:name": ({ params: [name = ""] }) => ({
          ...services.find((one) => one.name === name)!,
          exit_code: null,
          oom_killed: false,
          pid: 4711,
          memory_bytes: 83_400_000,
          has_log: true,
          problems: [],
          gave_up: false,
          recent_restarts: restarted
            ? [
                {
                  restart_id: 1,
                  service: name,
                  kind: "container",
                  state: "succeeded",
                  requested_by: "user:12",
                  reason: "memory leak",
                  requested_at: before(2 * minute),
                  finished_at: before(minute),
                  problem: null
                }
              ]
            : []
        }),
        "POST /api/v1/system/services/:name/restart": ({ params: [name = ""], payload }) => {
          restarted = true
          return {
            restart_id: 1,
            service: name,
            kind: "container",
            state: "requested",
            requested_by: "user:12",
            reason: payload.reason,
            requested_at: before(0),
            finished_at: null,
            problem: null
          }
        },
        "GET /api/v1/system/services/:name/logs": {
          items: [
            line("ready to accept connections"),
            line("WARNING overcommit is off", { stream: "stderr" }),
            line("could not save: disk full", { level: "error" }),
            line('<script>alert("x")</script>')
          ],
          truncated: false
        },
        "GET /api/v1/system/services/:name/logs/follow": (() =>
          [
            ...["first line", "second line"].map((text) => `event: line\ndata: ${JSON.stringify(line(text))}\n\n`),
            ": comment\n\n",
            'event: dropped\ndata: {"count":3}\n\n',
            'event: end\ndata: {"reason":"gone"}\n\n'
          ].join("")) as never
      })
    }
  })
  const row = (name: string) => page.getByRole("row", { name })
  await row("cache").getByText("3 days").waitFor()
  await row("worker").getByText("unhealthy").waitFor()
  await page.getByText("systemd unit: does not answer").waitFor()
  // Only listed services offer a restart.
  expect(await page.getByRole("button", { name: /^Restart/ }).count()).toBe(1)
  await check(page, "operations-services")
  await speak(page, "de")
  await row("postfix").getByText("aktiv (läuft)").waitFor()
  await row("worker").getByText("beendet (137)").waitFor()
  await speak(page, "en")
  await page.getByLabel("Name").fill("cac")
  await row("worker").waitFor({ state: "detached" })

  // By keyboard: the confirmation opens, Escape leaves, and nothing was restarted.
  await page.getByRole("button", { name: /^Restart.*cache/ }).focus()
  await page.keyboard.press("Enter")
  const dialog = page.getByRole("dialog", { name: "Restart cache?" })
  await dialog.waitFor()
  await page.keyboard.press("Escape")
  await dialog.waitFor({ state: "detached" })
  expect(stub.asked("POST /api/v1/system/services/:name/restart")).toEqual([])

  await page.getByRole("link", { name: "cache" }).click()
  await page.getByRole("heading", { level: 1, name: "cache" }).waitFor()
  const log = page.getByRole("region", { name: "Log" }).last()
  await log.getByText("could not save: disk full").waitFor()
  await page.getByLabel("Only lines with").fill("DISK")
  await page.getByText("1 of 4 lines").waitFor()
  expect(await log.locator("mark").allTextContents()).toEqual(["disk"])
  await page.getByLabel("Only lines with").fill("")
  await page.getByLabel(/^Lines/).selectOption("1000")
  await expect.poll(() => stub.asked("GET /api/v1/system/services/:name/logs").at(-1)?.query.get("lines")).toBe("1000")
  // Content of a log is text, never markup.
  await log.getByText('<script>alert("x")</script>').waitFor()

  await page.getByRole("button", { name: "Restart", exact: true }).click()
  await page.getByLabel("Reason (optional)").fill("memory leak")
  await check(page, "operations-restart")
  await page.getByRole("dialog").getByRole("button", { name: "Restart" }).click()
  await page.getByText("The restart is requested.").waitFor()
  await page.getByRole("list", { name: "Restarts" }).getByText("by user 12: memory leak").waitFor()
  expect(stub.asked("POST /api/v1/system/services/:name/restart")).toMatchObject([
    { params: ["cache"], payload: { reason: "memory leak" } }
  ])
  await check(page, "operations-service")

  await page.getByLabel("Follow").check()
  await log.getByText("second line").waitFor()
  await page.getByText("3 lines were left out").waitFor()
  await page.getByText("2 of 2 lines").waitFor()
}, 120_000)

it("says why customers and users without the permission do not see it", async () => {
  const tenant = await console.tenant()
  const customer = await console.open(await console.user({ role: "admin", tenant }), "/operations/services")
  await customer.getByText("Only users of the provider may see it.").waitFor()
  expect(await customer.getByRole("navigation").getByRole("link").allTextContents()).not.toContain("Operations")
  await check(customer, "operations-not-allowed")

  const user = await console.open(await console.user({ role: "user" }), "/operations/bans")
  await user.getByText("This page needs the permission security.read.").waitFor()

  // Support may read, but gets no buttons.
  const support = await console.open(await console.user({ role: "support" }), "/operations/services", {
    before: (page) =>
      answering(page, { "GET /api/v1/system/services": { items: services, next_before: null, sources: [] } })
  })
  await support.getByRole("row", { name: "cache" }).waitFor()
  expect(await support.getByRole("button", { name: /^Restart/ }).count()).toBe(0)
}, 120_000)
