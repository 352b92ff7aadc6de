/** Alerts and checks in the console: causes, silences, acknowledgement, history, and a check of an operator. */
import { expect, it } from "vitest"
import { consoleTests } from "#support/console/Console.ts"
import type { Answer } from "../../../../console/lib/Endpoints.ts"
import { speak } from "../bank/Bank.ts"
import { answering, before, check, day, hour, minute, signedInConsole, type Stub } from "./Answering.ts"

const console = consoleTests(signedInConsole)

type Alert = Answer<"GET /api/v1/monitoring/alerts">["items"][number]
type Check = Answer<"GET /api/v1/monitoring/checks">["items"][number]

let seq = 0
const alert = (key: string, more: Partial<Alert> = {}): Alert => ({
  id: `00000000-0000-4000-8000-${String(++seq).padStart(12, "0")}`,
  seq,
  key,
  group: key,
  severity: "critical",
  state: "open",
  summary: `${key}: does not answer`,
  summary_de: `${key}: antwortet nicht`,
  detail: null,
  detail_de: null,
  flapping: false,
  changes: 0,
  opened_at: before(20 * minute),
  closed_at: null,
  close_reason: null,
  told_at: before(19 * minute),
  repeats: 1,
  silence_id: null,
  maintenance_id: null,
  acknowledged_at: null,
  acknowledged_by: null,
  note: null,
  ...more
})

const shared = {
  "GET /api/v1/monitoring/alert-rules": {
    repeat_critical_minutes: [60, 240],
    repeat_warning_minutes: [],
    gather_s: 30,
    group_interval_s: 300,
    flap_changes: 6,
    flap_window_minutes: 60
  },
  "GET /api/v1/monitoring/heartbeats": {
    items: [{ name: "web2", state: "late", last_at: before(hour), timeout_s: 300 }]
  },
  "GET /api/v1/admin/maintenance": { items: [], next_before: null }
} as const

it("shows open alerts by cause, acknowledges one and silences a cause with a reason", async () => {
  const host = { group: "host web1", severity: "critical" } as const
  const open = [
    alert("web1 http", host),
    alert("web1 redis", { ...host, severity: "warning", flapping: true, changes: 9 }),
    alert("disk /var", {
      severity: "warning",
      summary: "92 % used, full in 9 hours",
      summary_de: "92 % belegt, in 9 Stunden voll"
    })
  ]
  let acknowledged = false
  const silences: Array<Answer<"POST /api/v1/monitoring/silences">> = []
  let stub!: Stub
  const page = await console.open(await console.user({ role: "admin" }), "/operations", {
    before: async (page) => {
      stub = await answering(page, {
        ...shared,
        "GET /api/v1/monitoring/alerts": ({ query }) => ({
          items:
            query.get("state") === "open"
              ? open.map((one) =>
                  acknowledged && one.key === "disk /var"
                    ? { ...one, acknowledged_at: before(0), acknowledged_by: "user:12", note: "I look at it" }
                    : one
                )
              : [alert("queue", { state: "closed", closed_at: before(minute), close_reason: "recovered" })],
          next_before: null
        }),
        "GET /api/v1/monitoring/alerts/:id": ({ params: [id] }) => ({
          ...open.find((one) => one.id === id)!,
          detail: "Filesystem 92 %\n/var/lib/postgresql grows by 2 GB an hour",
          detail_de: "Dateisystem 92 %\n/var/lib/postgresql wächst um 2 GB in der Stunde",
          messages: [
            {
              id: "m1",
              kind: "opened",
              group: "disk /var",
              alerts: 1,
              created_at: before(19 * minute),
              deliveries: [
                { way: "mail", state: "sent", attempts: 1, sent_at: before(19 * minute), problem: null },
                { way: "messenger", state: "failed", attempts: 3, sent_at: null, problem: "connection refused" }
              ]
            }
          ]
        }),
        "POST /api/v1/monitoring/alerts/:id/acknowledge": ({ params: [id] }) => {
          acknowledged = true
          return open.find((one) => one.id === id)!
        },
        "GET /api/v1/monitoring/silences": () => ({ items: silences, next_before: null }),
        "POST /api/v1/monitoring/silences": ({ payload }) => {
          silences.push({
            id: "s1",
            seq: 1,
            key_pattern: payload.key_pattern ?? null,
            group_pattern: payload.group_pattern ?? null,
            reason: payload.reason,
            state: "active",
            starts_at: before(0),
            ends_at: payload.ends_at,
            alerts: 2,
            created_by: "user:12",
            created_at: before(0)
          })
          return silences[0]!
        },
        "PUT /api/v1/monitoring/silences/:id": ({ payload }) => (silences[0] = { ...silences[0]!, ...payload })
      })
    }
  })
  // `/operations` opens the first section.
  await page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor()
  const list = page.getByRole("region", { name: "Open alerts" })
  await list.getByRole("heading", { name: "host web1" }).waitFor()
  // One cause is one group with one button, not two.
  expect(await list.getByRole("button", { name: /^Silence all/ }).count()).toBe(1)
  await list.getByText("92 % used, full in 9 hours").waitFor()
  await page.getByText("missing").waitFor()
  // The key stands above the text, which does not repeat it.
  expect(await list.getByText("does not answer", { exact: true }).count()).toBe(2)
  await speak(page, "de")
  const german = page.getByRole("region", { name: "Offene Meldungen" })
  await german.getByText("92 % belegt, in 9 Stunden voll").waitFor()
  expect(await german.getByText("antwortet nicht", { exact: true }).count()).toBe(2)
  await check(page, "operations-alerts")

  await list.getByRole("button", { name: /^Acknowledge.*disk \/var/ }).click()
  await page.getByLabel("Note for the others").fill("I look at it")
  await page.getByRole("dialog").getByRole("button", { name: "Acknowledge" }).click()
  await list.getByText("acknowledged").waitFor()
  await list.getByText("I look at it").waitFor()
  expect(stub.asked("POST /api/v1/monitoring/alerts/:id/acknowledge")).toMatchObject([
    { params: [open[2]!.id], payload: { note: "I look at it" } }
  ])

  await list.getByRole("button", { name: /^Silence all.*host web1/ }).click()
  const dialog = page.getByRole("dialog", { name: "Silence alerts" })
  expect(await dialog.getByLabel("Cause").inputValue()).toBe("host web1")
  await dialog.getByLabel("Duration").selectOption({ label: "4 hours" })
  await dialog.getByLabel("Reason").fill("new power supply")
  await check(page, "operations-silence")
  await dialog.getByRole("button", { name: "Silence" }).click()
  await page.getByRole("list", { name: "Silences" }).getByText("new power supply").waitFor()
  const [{ payload }] = stub.asked("POST /api/v1/monitoring/silences") as [{ payload: any }]
  expect(payload).toMatchObject({ group_pattern: "host web1", reason: "new power supply" })
  expect(Math.abs(Date.parse(payload.ends_at) - Date.now() - 4 * hour)).toBeLessThan(5 * minute)

  // The silence is made longer, with another reason.
  await page.getByRole("button", { name: /^Change.*cause host web1/ }).click()
  const change = page.getByRole("dialog", { name: "Change the silence" })
  expect(await change.getByLabel("Cause").inputValue()).toBe("host web1")
  await change.getByLabel("Reason").fill("power supply is late")
  await change.getByRole("button", { name: "Save" }).click()
  await page.getByRole("list", { name: "Silences" }).getByText("power supply is late").waitFor()
  expect(stub.asked("PUT /api/v1/monitoring/silences/:id")).toMatchObject([
    { params: ["s1"], payload: { key_pattern: null, group_pattern: "host web1", reason: "power supply is late" } }
  ])

  await list.getByRole("link", { name: "disk /var" }).click()
  await page.getByText("messenger: failed").waitFor()
  await page.getByText("/var/lib/postgresql grows by 2 GB an hour").waitFor()
  await check(page, "operations-alert")
}, 120_000)

const checkOf = (id: number, key: string, more: Partial<Check> = {}): Check => ({
  id,
  key,
  kind: "disk",
  origin: "built_in",
  host: "web1",
  group: "host web1",
  enabled: true,
  status: "ok",
  since: before(2 * day),
  checked_at: before(2 * minute),
  duration_ms: 12,
  value: 71.4,
  unit: "%",
  detail: "71.4 % of 50 GB used",
  detail_de: "71,4 % von 50 GB belegt",
  result: { code: "disk", values: { share: 71.4 } },
  measurements: { size_bytes: 50e9 },
  streak: 0,
  alerting: false,
  thresholds: { direction: "above", warning: 80, critical: 85 },
  interval_s: 300,
  timeout_s: 10,
  failures: 2,
  successes: 2,
  definition: null,
  ...more
})

it("shows checks with their history, runs one, and adds one with errors at its fields", async () => {
  const checks = [
    checkOf(1, "web1 disk /"),
    checkOf(2, "web1 disk /var", {
      status: "critical",
      value: 92.1,
      alerting: true,
      detail: "92.1 % of 50 GB used, full in 9 hours"
    })
  ]
  let ran = false
  let stub!: Stub
  const page = await console.open(await console.user({ role: "admin" }), "/operations/checks", {
    before: async (page) => {
      stub = await answering(page, {
        "GET /api/v1/monitoring/checks": { items: checks, next_before: null },
        "GET /api/v1/monitoring/checks/:id": ({ params: [id] }) => ({
          ...(checks.find((one) => one.id === Number(id)) ?? checks[1]!),
          ...(ran ? { checked_at: before(0), detail: "92.3 % of 50 GB used" } : {}),
          resolution_s: 0,
          history: Array.from({ length: 100 }, (_, at) => ({
            at: before((100 - at) * 10 * minute),
            status: at === 40 ? "unknown" : at > 80 ? "critical" : at > 60 ? "warning" : "ok",
            value: at === 40 ? null : 60 + at / 3,
            min: null,
            max: null
          }))
        }),
        "POST /api/v1/monitoring/checks/:id/run": () => {
          ran = true
          return checks[1]!
        },
        "POST /api/v1/monitoring/checks": ({ payload }) =>
          payload.definition.url === "http://shop.example.org/"
            ? checkOf(3, payload.name, { origin: "operator", kind: "http", definition: payload.definition })
            : {
                status: 422,
                problem: {
                  code: "invalid_request",
                  errors: [{ field: "payload.definition.url", message: "must not carry a user or password" }]
                }
              }
      })
    }
  })
  const rows = page.getByRole("row")
  await rows.nth(1).getByText("critical").waitFor()
  // The worst one comes first.
  expect(await rows.nth(1).getByRole("link").textContent()).toBe("web1 disk /var")
  await speak(page, "de")
  await rows.nth(2).getByText("71,4 % von 50 GB belegt").waitFor()
  await check(page, "operations-checks")

  await page.getByRole("link", { name: "web1 disk /var" }).click()
  await page.getByRole("img", { name: /History: web1 disk \/var: 93 %, critical/ }).waitFor()
  await page.getByText("critical above 85 %").waitFor()
  await page.getByLabel(/^Time/).selectOption({ label: "30 days" })
  await expect.poll(() => stub.asked("GET /api/v1/monitoring/checks/:id").at(-1)?.query.get("hours")).toBe("720")
  await check(page, "operations-check")
  await page.getByText("As a table").click()
  expect(
    await page
      .getByRole("region", { name: /^History/ })
      .last()
      .getByRole("row")
      .count()
  ).toBe(51)
  await page.getByRole("button", { name: "Run now" }).click()
  await page.getByText("92.3 % of 50 GB used").waitFor()
  // A check that was found on the machine cannot be deleted.
  expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0)

  await page.getByRole("link", { name: "Checks" }).first().click()
  await page.getByRole("button", { name: "Add a check" }).click()
  const form = page.getByRole("form", { name: "Add a check" })
  await form.getByLabel("Name", { exact: true }).fill("shop")
  await form.getByLabel("Address").fill("http://anna:secret@shop.example.org/")
  await form.getByLabel("Accepted status").fill("200, 204")
  await form.getByLabel("Critical from").fill("1,5")
  console.expecting(/status of 422 .*\/monitoring\/checks/)
  await form.getByRole("button", { name: "Save" }).click()
  await form.getByText("must not carry a user or password").waitFor()
  await check(page, "operations-check-form")
  await form.getByLabel("Address").fill("http://shop.example.org/")
  await form.getByRole("button", { name: "Save" }).click()
  await page.getByRole("heading", { level: 1 }).filter({ hasNotText: "Checks" }).waitFor()
  expect(stub.asked("POST /api/v1/monitoring/checks").at(-1)?.payload).toEqual({
    name: "shop",
    definition: { type: "http", url: "http://shop.example.org/", expect: [200, 204] },
    critical: 1.5
  })
}, 120_000)
