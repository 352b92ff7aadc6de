/** Backups and bans in the console: progress, a drill that failed, retention, one picture of bans, and a lift. */
import { expect, it } from "vitest"
import { consoleTests } from "#support/console/Console.ts"
import type { Answer } from "../../../../console/lib/Endpoints.ts"
import { answering, before, check, day, hour, minute, signedInConsole, type Stub } from "./Answering.ts"

const console = consoleTests(signedInConsole)

type Schedule = Answer<"GET /api/v1/backups/schedules">[number]
type Job = Answer<"GET /api/v1/backups/jobs">["items"][number]
type Backup = Answer<"GET /api/v1/backups">["items"][number]

const schedule: Schedule = {
  id: 1,
  name: "nightly",
  cron: "0 3 * * *",
  type: "full",
  enabled: true,
  next_run: before(-9 * hour),
  last_firing: before(15 * hour),
  last_success: before(15 * hour),
  last_state: "done",
  last_problem: null,
  created_at: before(90 * day),
  updated_at: before(90 * day)
}

let seq = 0
const job = (more: Partial<Job> = {}): Job => ({
  id: `00000000-0000-4000-8000-${String(++seq).padStart(12, "0")}`,
  seq,
  work: "backup",
  state: "done",
  type: "full",
  schedule_id: 1,
  schedule: "nightly",
  firing: before(15 * hour),
  requested_by: "schedule",
  step: null,
  done: null,
  total: null,
  snapshot: "aabbccdd00112233",
  size: 4_200_000_000,
  added: 83_000_000,
  files: 20_481,
  left_out: [{ what: "mail", reason: "no Dovecot on this machine" }],
  report: null,
  problem: null,
  created_at: before(15 * hour),
  started_at: before(15 * hour),
  finished_at: before(15 * hour - 4 * minute),
  duration_ms: 4 * minute,
  ...more
})

const backup = (id: string, ago: number): Backup => ({
  id: `${id}${"0".repeat(56)}`,
  short_id: id,
  time: before(ago),
  host: "web1",
  paths: ["/etc"],
  type: "full",
  schedule_id: 1,
  schedule: "nightly",
  job_id: null,
  size: 4_200_000_000,
  added: 83_000_000,
  files: 20_481,
  duration_ms: 4 * minute,
  left_out: []
})

it("runs a schedule with progress, shows a drill that failed, and what retention would delete", async () => {
  const jobs = [job()]
  const drill = job({
    work: "drill",
    state: "failed",
    schedule: null,
    schedule_id: null,
    size: null,
    left_out: [],
    problem: "The newest backup does not restore.",
    report: {
      snapshot: "aabbccdd00112233",
      backup_time: before(15 * hour),
      ok: false,
      checks: [
        { check: "repository", ok: true, detail: "no errors", duration_ms: 4_000 },
        { check: "rows", ok: false, detail: "identity.account has 0 rows instead of 41", duration_ms: 900 }
      ],
      restored_bytes: 4_200_000_000,
      real_restore_ms: 6 * minute
    }
  })
  const schedules: Array<Schedule> = [schedule]
  let stub!: Stub
  const page = await console.open(await console.user({ role: "admin" }), "/operations/backups", {
    before: async (page) => {
      stub = await answering(page, {
        "GET /api/v1/backups/schedules": () => schedules,
        "GET /api/v1/backups/jobs": ({ query }) => ({
          items: query.get("work") === "drill" ? [drill] : jobs,
          next_before: null
        }),
        "GET /api/v1/backups": {
          items: [backup("aabbccdd", 15 * hour), backup("11223344", 39 * hour)],
          next_before: null
        },
        "GET /api/v1/backups/retention": {
          keep: { daily: "30d", weekly: "84d", monthly: "6m" },
          kept: [{ ...backup("aabbccdd", 15 * hour), reasons: ["daily"] }],
          removed: [backup("99887766", 200 * day)]
        },
        "POST /api/v1/backups/trigger/:schedule_id": () => {
          const running = job({
            state: "running",
            firing: null,
            requested_by: "user:12",
            step: "copy",
            done: 1_000_000_000,
            total: 4_000_000_000,
            size: null,
            files: null,
            left_out: [],
            finished_at: null,
            duration_ms: null
          })
          jobs.unshift(running)
          return running
        },
        "POST /api/v1/backups/schedules": ({ payload }) => {
          const added = { ...schedule, ...payload, id: 2, last_state: null, last_success: null }
          if (payload.name === schedule.name) return { status: 409, problem: { code: "schedule_name_taken" } }
          schedules.push(added)
          return added
        }
      })
    }
  })
  await page.getByText("does not restore", { exact: true }).waitFor()
  await page.getByText("identity.account has 0 rows instead of 41").waitFor()
  await page.getByText("no Dovecot on this machine").waitFor()
  await page.getByRole("button", { name: /^Run now.*nightly/ }).click()
  const progress = page.getByRole("progressbar", { name: "Progress of nightly" })
  await progress.waitFor()
  expect(await progress.evaluate((bar: HTMLProgressElement) => bar.position)).toBe(0.25)
  expect(stub.asked("POST /api/v1/backups/trigger/:schedule_id")).toMatchObject([{ params: ["1"] }])
  await check(page, "operations-backups")

  await page.getByRole("button", { name: "What would be deleted now?" }).click()
  await page.getByText("1 backup would be deleted").first().waitFor()
  await page
    .getByRole("cell", { name: /99887766/ })
    .or(page.getByText("99887766"))
    .first()
    .waitFor()

  await page.getByRole("button", { name: "Add a schedule" }).click()
  const form = page.getByRole("form", { name: "Add a schedule" })
  await form.getByLabel("Name").fill("nightly")
  console.expecting(/status of 409 .*\/backups\/schedules/)
  await form.getByRole("button", { name: "Save" }).click()
  await form.getByText("Another schedule has this name.").waitFor()
  await form.getByLabel("Name").fill("hourly databases")
  await form.getByLabel("Times").fill("0 * * * *")
  await form.getByLabel("What is backed up").selectOption("databases")
  await form.getByRole("button", { name: "Save" }).click()
  await page.getByRole("row", { name: /hourly databases.*not run yet/ }).waitFor()
  expect(stub.asked("POST /api/v1/backups/schedules").at(-1)?.payload).toEqual({
    name: "hourly databases",
    cron: "0 * * * *",
    type: "databases",
    enabled: true
  })
}, 120_000)

type Decision = Answer<"GET /api/v1/security/decisions">["items"][number]

const decision = (id: number, address: string, more: Partial<Decision> = {}): Decision => ({
  id,
  source: "own",
  origin: "sip-config",
  rule: "sip-brute-force",
  address,
  since: before(hour),
  until: before(-23 * hour),
  reason: null,
  exempted_until: null,
  stale: false,
  ...more
})

it("shows bans of all sources, lifts one with an exemption, and bans an address", async () => {
  const decisions = [
    decision(1, "203.0.113.7"),
    decision(2, "2001:db8:1::/64", { source: "crowdsec", origin: "CAPI", rule: "crowdsecurity/ssh-bf", stale: true })
  ]
  const crowdsec = { state: "away", as_of: before(hour), problem: "connect ECONNREFUSED", truncated: false } as const
  const exemptions: Array<Answer<"POST /api/v1/security/exemptions">> = []
  let stub!: Stub
  const page = await console.open(await console.user({ role: "admin" }), "/operations/bans", {
    before: async (page) => {
      stub = await answering(page, {
        "GET /api/v1/security/decisions": ({ query }) => ({
          items: decisions.filter(({ source }) => (query.get("source") ?? source) === source),
          next_before: null,
          crowdsec
        }),
        "GET /api/v1/security/summary": {
          crowdsec,
          from: before(29 * day).slice(0, 10),
          active: { own: 1, crowdsec: 1 },
          exemptions: 0,
          offences: { own: 31, crowdsec: 12 },
          by_rule: [
            { rule: "sip-brute-force", source: "own", active: 1, offences: 31 },
            { rule: "crowdsecurity/ssh-bf", source: "crowdsec", active: 1, offences: 12 }
          ],
          by_day: Array.from({ length: 30 }, (_, at) => ({
            day: before((29 - at) * day).slice(0, 10),
            own: at % 4,
            crowdsec: at % 3
          })),
          top_addresses: [{ address: "203.0.113.7", offences: 9, last_at: before(hour), banned: true }]
        },
        "GET /api/v1/security/exemptions": () => ({ items: exemptions, next_before: null }),
        "GET /api/v1/security/alerts": {
          items: [
            {
              id: 7,
              source: "crowdsec",
              kind: "offence",
              rule: "crowdsecurity/ssh-bf",
              address: "2001:db8:1::9",
              at: before(hour),
              until: null,
              events: 6,
              reason: null,
              country: "NL",
              network: "Example Hosting"
            }
          ],
          next_before: null,
          crowdsec
        },
        "DELETE /api/v1/security/decisions/:id": ({ query }) => {
          const [gone] = decisions.splice(0, 1)
          const exemption = {
            id: 3,
            address: gone!.address,
            since: before(0),
            until: before(-Number(query.get("exempt_s")) * 1000),
            reason: query.get("reason"),
            created_by: "user:12"
          }
          exemptions.push(exemption)
          return { address: gone!.address, lifted: 1, exemption }
        },
        "POST /api/v1/security/decisions": ({ payload }) =>
          payload.address === "127.0.0.1"
            ? {
                status: 422,
                problem: {
                  code: "invalid_request",
                  errors: [{ field: "payload.address", message: "overlaps loopback" }]
                }
              }
            : decision(9, payload.address, { rule: "manual", reason: payload.reason })
      })
    }
  })
  const bans = page.getByRole("region", { name: "Active bans" }).first()
  await bans.getByRole("row", { name: /203\.0\.113\.7.*SIP passwords guessed/ }).waitFor()
  await bans.getByText("perhaps lifted").waitFor()
  await page.getByText("CrowdSec does not answer.").first().waitFor()
  await page.getByRole("img", { name: /Offences per day/ }).waitFor()
  await check(page, "operations-bans")
  await bans.getByLabel("Source").selectOption("crowdsec")
  await bans.getByRole("row", { name: /203\.0\.113\.7/ }).waitFor({ state: "detached" })
  await bans.getByLabel("Source").selectOption("")

  await bans.getByRole("button", { name: /^Lift.*203\.0\.113\.7/ }).click()
  const dialog = page.getByRole("dialog", { name: "Lift the ban of 203.0.113.7" })
  await dialog.getByLabel("Do not ban it again for").selectOption({ label: "7 days" })
  await dialog.getByLabel("Reason").fill("office")
  await check(page, "operations-lift")
  await dialog.getByRole("button", { name: "Lift the ban" }).click()
  await page.getByText("The ban of 203.0.113.7 is lifted.").waitFor()
  await page
    .getByRole("region", { name: "Exemptions" })
    .getByRole("row", { name: /203\.0\.113\.7.*office/ })
    .waitFor()
  const [lift] = stub.asked("DELETE /api/v1/security/decisions/:id")
  expect(lift?.params).toEqual(["1"])
  expect(Object.fromEntries(lift!.query)).toEqual({ exempt_s: "604800", reason: "office" })

  await page.getByRole("button", { name: "Ban an address" }).click()
  const form = page.getByRole("form", { name: "Ban an address" })
  await form.getByLabel("Address or range").fill("127.0.0.1")
  await form.getByLabel("Reason").fill("test")
  console.expecting(/status of 422 .*\/security\/decisions/)
  await form.getByRole("button", { name: "Save" }).click()
  await form.getByText("overlaps loopback").waitFor()
  await form.getByLabel("Address or range").fill("198.51.100.0/24")
  await form.getByRole("button", { name: "Save" }).click()
  await page.getByText("198.51.100.0/24 is banned.").waitFor()
  expect(stub.asked("POST /api/v1/security/decisions").at(-1)?.payload).toEqual({
    address: "198.51.100.0/24",
    duration_s: 86_400,
    reason: "test"
  })
}, 120_000)
