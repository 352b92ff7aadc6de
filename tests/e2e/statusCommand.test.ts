/**
 * `signalbox status …` beside a running status-checker: the operator's view and actions, and their effect on the page.
 */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { beforeAll, expect } from "vitest"
import { commandLine } from "#support/CommandLine.ts"
import { ensureBuilt, environmentOf } from "#support/Executable.ts"
import { until } from "#support/Frame.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { hence, servicesFile, startStatus, statesRead } from "../daemons/status-checker/Operation.ts"

const run = commandLine()

beforeAll(ensureBuilt, 60_000)

it.live(
  "shows, drafts, publishes, tells, ends, plans and cancels; what is wrong is said in a sentence",
  () =>
    Effect.gen(function* () {
      const files = yield* servicesFile
      const suite = yield* startStatus(files.env)
      const dataDir = yield* temporaryDirectory()
      const status = (...args: ReadonlyArray<string>) =>
        Effect.promise(() =>
          run(["status", ...args], { ...environmentOf(dataDir), ...files.env, DATABASE_URL: suite.database.url })
        )
      const json = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
        const { code, stderr, stdout } = yield* status(...args, "--json")
        expect(code, stderr).toBe(0)
        return JSON.parse(stdout)
      })
      const { sql } = suite
      yield* statesRead(suite)
      yield* sql`insert into status_checker.component_state (component_id, status, since, checked_at, seen, streak, results)
      values ('dns', 'operational', '2026-01-31T10:00:00Z', now(), 'major_outage', 1, '[{"kind":"dns","outcome":"down","detail":"no answer\\u001b[2J from 192.0.2.1"}]')`
      // 49 days, so that the marks below are the same when midnight comes before they are read: each mark of three days
      // still has one that was measured.
      yield* sql`insert into status_checker.component_day (component_id, day, operational, major_outage)
      select 'dns', (now() at time zone 'UTC')::date - n, case n when 40 then 3000 else 86400000 end, case n when 40 then 1000 else 0 end from generate_series(1, 49) n`

      const words = [
        "--title",
        "Ausfall: Webmail",
        "--title-en",
        "Outage: Webmail",
        "--message",
        "Wir suchen.",
        "--message-en",
        "We are looking."
      ]
      const drafted = yield* json(
        "incident",
        "draft",
        ...words,
        "--components",
        "webmail, dns",
        "--severity",
        "critical",
        "--began",
        "2h"
      )
      expect(drafted).toMatchObject({ state: "draft", components: ["webmail", "dns"], severity: "critical" })
      expect(Date.now() - Date.parse(drafted.created_at)).toBeGreaterThan(7_190_000)
      expect(
        yield* status("incident", "update", drafted.id, "--status", "monitoring", "--message", "a", "--message-en", "b")
      ).toMatchObject({ code: 1, stderr: expect.stringContaining("edit it, or publish it first") })
      expect(yield* json("incident", "edit", drafted.id, "--title-en", "Webmail is down")).toMatchObject({
        title: "Ausfall: Webmail",
        title_en: "Webmail is down"
      })
      const out = yield* status("incident", "publish", drafted.id)
      expect(out.stdout, out.stderr).toMatch(/^state +open$/m)
      yield* until(
        "the page shows it",
        Effect.map(
          suite.call("GET", `/api/v1/incidents/${drafted.id}?lang=en`),
          ({ json }) => json?.title === "Webmail is down"
        )
      )

      const window = yield* json(
        "maintenance",
        "plan",
        "--title",
        "Platten",
        "--title-en",
        "Disks",
        "--components",
        "telephony",
        "--starts",
        hence(24),
        "--for",
        "90m"
      )
      expect(Date.parse(window.ends_at) - Date.parse(window.starts_at)).toBe(5_400_000)
      const shown = yield* status("show")
      expect(shown.stdout, shown.stderr).toMatch(/^major_outage$/m)
      // The 40th day before today lies in the seventeenth of thirty marks, of three days each.
      expect(shown.stdout).toMatch(/^DNS +\(dns\) +major_outage +since [\d-]+ [\d:]+Z +9\d\.\d+ % +·{13}▇{3}▁▇{13}$/m)
      expect(shown.stdout).toMatch(/^Telephony +\(telephony\) +operational +not measured +·{30}$/m)
      expect(shown.stdout).toMatch(
        new RegExp(
          `Open incidents:\n${drafted.id} +critical +investigating .*Webmail is down\n\nMaintenance:\n${window.id} +scheduled .* Disks`
        )
      )
      const seen = yield* status("check")
      expect(seen.stdout, seen.stderr).toMatch(
        /^dns: operational, looked at .*; major_outage found 1 time in a row\n +dns +down +no answer \[2J from 192\.0\.2\.1$/m
      )
      expect(seen.stdout).toContain("webmail: never measured")

      expect(
        (yield* json(
          "incident",
          "update",
          drafted.id,
          "--status",
          "monitoring",
          "--message",
          "Läuft.",
          "--message-en",
          "Runs."
        )).updates
      ).toHaveLength(2)
      expect((yield* json("incident", "resolve", drafted.id)).updates[2]).toMatchObject({
        status: "resolved",
        message_en: "The incident is resolved."
      })
      expect(yield* status("incident", "delete", drafted.id)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("Published incidents cannot be deleted")
      })
      expect((yield* status("maintenance", "cancel", window.id)).stdout).toBe(`Cancelled ${window.id}.\n`)
      expect((yield* json("maintenance", "list")).map(({ state }: any) => state)).toEqual(["cancelled"])
      expect(yield* json("subscribers", "count")).toEqual({ confirmed: 0, pending: 0 })

      expect(yield* status("incident", "draft", ...words, "--components", "never")).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("components[0]: must be the id of a component")
      })
      expect(yield* status("incident", "draft", ...words, "--id", "../x")).toMatchObject({
        code: 64,
        stderr: expect.stringContaining("id: ")
      })
      expect(
        yield* status(
          "maintenance",
          "plan",
          "--title",
          "a",
          "--title-en",
          "b",
          "--components",
          "dns",
          "--starts",
          hence(1)
        )
      ).toMatchObject({ code: 64, stderr: expect.stringContaining("give --ends or --for") })
      const actors = yield* sql<{
        actor: string
      }>`select distinct actor from core.audit where entity_type in ('incident', 'maintenance')`
      expect(actors).toEqual([{ actor: "operator" }])
    }),
  300_000
)
