/** The pages of operations on a new installation, where there is nothing to show: each says what it means. */
import { expect, it } from "vitest"
import { consoleTests } from "#support/console/Console.ts"
import { answering, before, check, day, signedInConsole } from "./Answering.ts"

const console = consoleTests(signedInConsole)

const none = { items: [], next_before: null } as const
const crowdsec = { state: "unconfigured", as_of: null, problem: null, truncated: false } as const

const pages = {
  alerts: "Nothing is wrong.",
  checks: "No check",
  services: "No service",
  backups: "No",
  bans: "No"
} as const

it("each page says that there is nothing", async () => {
  const page = await console.open(await console.user({ role: "admin" }), "/operations/alerts", {
    before: (page) =>
      answering(page, {
        "GET /api/v1/monitoring/alerts": none,
        "GET /api/v1/monitoring/silences": none,
        "GET /api/v1/monitoring/heartbeats": { items: [] },
        "GET /api/v1/monitoring/alert-rules": {
          repeat_critical_minutes: [60, 240],
          repeat_warning_minutes: [1440],
          gather_s: 30,
          group_interval_s: 300,
          flap_changes: 5,
          flap_window_minutes: 60
        },
        "GET /api/v1/admin/maintenance": none,
        "GET /api/v1/monitoring/checks": none,
        "GET /api/v1/system/services": {
          ...none,
          sources: [
            { kind: "daemon", status: "ok", detail: null },
            { kind: "unit", status: "unconfigured", detail: null },
            { kind: "container", status: "unconfigured", detail: null }
          ]
        },
        "GET /api/v1/backups": none,
        "GET /api/v1/backups/jobs": none,
        "GET /api/v1/backups/schedules": [],
        "GET /api/v1/backups/retention": {
          keep: { daily: "30d", weekly: "84d", monthly: "6m" },
          kept: [],
          removed: []
        },
        "GET /api/v1/security/decisions": { ...none, crowdsec },
        "GET /api/v1/security/exemptions": none,
        "GET /api/v1/security/alerts": { ...none, crowdsec },
        "GET /api/v1/security/summary": {
          crowdsec,
          from: before(29 * day).slice(0, 10),
          active: { own: 0, crowdsec: 0 },
          exemptions: 0,
          offences: { own: 0, crowdsec: 0 },
          by_rule: [],
          by_day: Array.from({ length: 30 }, (_, at) => ({
            day: before((29 - at) * day).slice(0, 10),
            own: 0,
            crowdsec: 0
          })),
          top_addresses: []
        }
      })
  })
  for (const [section, text] of Object.entries(pages)) {
    await page
      .getByRole("link", { name: new RegExp(`^${section}$`, "i") })
      .first()
      .click()
    await page.getByRole("heading", { level: 1, name: new RegExp(`^${section}$`, "i") }).waitFor()
    await page
      .getByText(new RegExp(`^${text}`))
      .first()
      .waitFor()
    // Filters are only above lists that have something.
    expect(await page.locator("main select:is([name=severity], [name=kind], [name=type])").count(), section).toBe(0)
    await check(page, `operations-${section}-empty`)
  }
}, 120_000)
