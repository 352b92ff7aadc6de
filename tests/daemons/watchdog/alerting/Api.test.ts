/** The endpoints of alerts, silences and heartbeats, over a whole daemon with real receivers. */
import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber, References } from "effect"
import { expect } from "vitest"
import { statusChecker } from "#daemons/status-checker/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"
import { provider as statusProvider, servicesFile } from "../../status-checker/Operation.ts"
import { failing, reportingDaemon, well } from "./Reporter.ts"
import { atOnce, callsOf, eventually, receivers } from "./Watch.ts"

const quietly = Effect.provideService(References.MinimumLogLevel, "Fatal")
const hence = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

it.live(
  "alerts are listed, filtered, acknowledged and silenced; messages are grouped; users of customers see nothing",
  () =>
    Effect.gen(function* () {
      const all = yield* receivers
      const { alerts, daemon, together } = reportingDaemon()
      const suite = yield* startSuite({ daemons: [daemon], verifier: fakeUsers, env: all.env })
      const { get, post, put, remove } = callsOf(suite)

      // Rules: checked, stored, shown.
      expect((yield* get("alert-rules")).json).toMatchObject({ repeat_critical_minutes: [60, 240], gather_s: 30 })
      expect((yield* put("alert-rules", { ...atOnce, gather_s: 601 })).status).toBe(422)
      expect((yield* put("alert-rules", atOnce)).json.gather_s).toBe(0)

      // A host with forty alerts is one message by each way. The reports join the surrounding transaction.
      yield* together(
        Array.from({ length: 40 }, (_, index) =>
          failing(`check ${index}`, { severity: index === 7 ? "critical" : "warning" })
        )
      )
      yield* eventually("one message", () => all.told().mail.length > 0)
      expect(all.told().mail).toEqual(["ALERT (critical): host a: 40 alerts: check 7 is broken"])
      yield* alerts().report(failing("backup nightly", { group: "backups", detail: "line 1\nline 2" }))
      yield* eventually("the second", () => all.told().messenger.length === 2)

      // Lists and filters, page by page.
      const first = (yield* get("alerts?state=open&limit=3")).json
      expect(first.items.map(({ key }: any) => key)).toEqual(["backup nightly", "check 39", "check 38"])
      const next = (yield* get(`alerts?state=open&limit=100&before=${first.next_before}`)).json
      expect([next.items.length, next.next_before]).toEqual([38, null])
      expect((yield* get("alerts?severity=critical")).json.items).toHaveLength(2)
      expect((yield* get("alerts?group=backups")).json.items).toHaveLength(1)
      expect((yield* get("alerts?state=closed")).json.items).toEqual([])
      expect((yield* get("alerts?state=neither")).status).toBe(422)

      // One alert with its messages; acknowledged once.
      const { id } = first.items[0]
      const shown = (yield* get(`alerts/${id}`)).json
      expect(shown).toMatchObject({ state: "open", detail: "line 1\nline 2", silence_id: null })
      expect(shown.messages.map(({ kind }: any) => kind)).toEqual(["opened"])
      expect(shown.messages[0].deliveries.map(({ way }: any) => way)).toEqual(["app", "mail", "messenger", "webhook"])
      const acknowledged = (yield* post(`alerts/${id}/acknowledge`, { note: "disk is on its way" })).json
      expect(acknowledged).toMatchObject({ acknowledged_by: "user:10", note: "disk is on its way" })
      yield* alerts().report(well("backup nightly", { group: "backups" }))
      expect((yield* post(`alerts/${id}/acknowledge`, {})).json.code).toBe("alert_closed")
      yield* eventually("its recovery", () => all.told().webhook.length === 3)
      expect(all.told().webhook.at(-1)).toBe("OVER (critical): backup nightly is broken")
      expect((yield* get("alerts/00000000-0000-0000-0000-000000000000")).status).toBe(404)
      expect((yield* get("alerts/x")).status).toBe(404)

      // A silence keeps messages back; its end lets them go.
      const refused = yield* post("silences", { reason: "no pattern", ends_at: hence(5) })
      expect([refused.status, refused.json.errors[0].field]).toEqual([422, "payload"])
      const silence = (yield* post("silences", { key_pattern: "disk *", reason: "new disks", ends_at: hence(60) })).json
      expect(silence).toMatchObject({ state: "active", alerts: 0, created_by: "user:10" })
      yield* alerts().report(failing("disk /var", { group: "disks" }))
      yield* alerts().report(failing("load", { group: "load" }))
      yield* eventually("the load", () => all.told().mail.some((subject) => subject.includes("load is")))
      expect(all.told().mail.filter((subject) => subject.includes("disk /var"))).toEqual([])
      const [silent] = (yield* get("alerts?group=disks")).json.items
      expect(silent).toMatchObject({ silence_id: silence.id, told_at: null })
      expect((yield* put(`silences/${silence.id}`, { reason: "still new disks" })).json.reason).toBe("still new disks")
      expect((yield* get("silences?state=active")).json.items.map(({ alerts }: any) => alerts)).toEqual([1])
      expect((yield* remove(`silences/${silence.id}`)).status).toBe(204)
      expect((yield* remove(`silences/${silence.id}`)).json.code).toBe("silence_over")
      yield* eventually("the disk", () => all.told().mail.some((subject) => subject.includes("disk /var is")))
      expect((yield* get(`silences/${silence.id}`)).json.state).toBe("over")

      // A test message by every way.
      const test = yield* post("alerts/test")
      expect(test.status).toBe(202)
      yield* until(
        "the test by every way",
        Effect.map(get(`alert-messages/${test.json.id}`), ({ json }) =>
          json.deliveries.every(({ state }: any) => state === "sent")
        ),
        30
      )
      expect(all.told().messenger.at(-1)).toMatch(/^TEST: Signalbox/)

      // Events in the transaction of their change, once an incident.
      const events = yield* suite.sql<{ type: string; n: number; tenant_id: number }>`
        select type, count(*)::int as n, min(tenant_id) as tenant_id from core.event
        where type like 'monitoring.%' group by type order by type`
      expect(events).toEqual([
        { type: "monitoring.alert.closed", n: 1, tenant_id: 1 },
        { type: "monitoring.alert.opened", n: 43, tenant_id: 1 }
      ])

      // Users of a customer, whatever they hold; users of the provider without the permission.
      for (const path of ["alerts", `alerts/${id}`, "silences", "alert-rules", "heartbeats"]) {
        expect([path, (yield* get(path, { authorization: "Bearer user:2:*" })).status]).toEqual([path, 403])
        expect([path, (yield* get(path, { authorization: "Bearer user:1:mail.read" })).status]).toEqual([path, 403])
        expect([path, (yield* get(path, {})).status]).toEqual([path, 401])
      }
      const asReader = { authorization: "Bearer user:1:system.read" }
      expect((yield* post("alerts/test", undefined, asReader)).status).toBe(403)

      const metrics = yield* suite.call("GET", "/metrics")
      expect(metrics.text).toMatch(/signalbox_alert_messages_total\{.*outcome="sent".*\} [1-9]/)
      expect(metrics.text).toMatch(/signalbox_alerts_open\{.*severity="critical".*\} 3/)
    }).pipe(quietly),
  120_000
)

it.live(
  "an alert that flaps is one flapping incident; its messages do not follow the changes",
  () =>
    Effect.gen(function* () {
      const all = yield* receivers
      const { alerts, daemon } = reportingDaemon()
      const suite = yield* startSuite({ daemons: [daemon], verifier: fakeUsers, env: all.env })
      const { get, put } = callsOf(suite)
      yield* put("alert-rules", { ...atOnce, flap_changes: 5 })
      const change = (number: number) =>
        Effect.gen(function* () {
          const count = all.told().mail.length
          yield* alerts().report((number % 2 === 0 ? failing : well)("link"))
          if (number < 5) yield* eventually(`message ${number}`, () => all.told().mail.length === count + 1)
        })
      for (let number = 0; number < 11; number++) yield* change(number)
      expect(all.told().mail.map((subject) => subject.split(" ")[0])).toEqual([
        "ALERT",
        "OVER",
        "ALERT",
        "OVER",
        "FLAPPING"
      ])
      const { items } = (yield* get("alerts")).json
      expect(items.map(({ changes, flapping, state }: any) => [state, flapping, changes])).toEqual([
        ["open", true, 11],
        ["closed", false, 0],
        ["closed", false, 0]
      ])
    }).pipe(quietly),
  120_000
)

it.live(
  "two watchdogs that report the same send each message once",
  () =>
    Effect.gen(function* () {
      const all = yield* receivers
      const a = reportingDaemon()
      const b = reportingDaemon()
      const first = yield* startSuite({ daemons: [a.daemon], verifier: fakeUsers, env: all.env })
      yield* callsOf(first).put("alert-rules", atOnce)
      yield* startSuite({ daemons: [b.daemon], verifier: fakeUsers, env: all.env, database: first.database })
      yield* Effect.all([a.alerts().report(failing("disk")), b.alerts().report(failing("disk"))], { concurrency: 2 })
      yield* b.alerts().report(failing("load", { group: "load" }))
      yield* eventually("both", () => all.told().webhook.length === 2 && all.told().mail.length === 2)
      yield* Effect.all([a.alerts().report(well("disk")), b.alerts().report(well("disk"))], { concurrency: 2 })
      yield* eventually("the end", () => all.told().messenger.length === 3)
      expect(all.told().messenger.toSorted()).toEqual([
        "ALERT (critical): disk is broken",
        "ALERT (critical): load is broken",
        "OVER (critical): disk is broken"
      ])
      expect((yield* callsOf(first).get("alerts")).json.items).toHaveLength(2)
    }).pipe(quietly),
  120_000
)

it.live(
  "a heartbeat to a second host's watchdog: the alert opens when it stays away, and closes with the next one",
  () =>
    Effect.gen(function* () {
      const all = yield* receivers
      const second = yield* startSuite({ daemons: [reportingDaemon().daemon], verifier: fakeUsers, env: all.env })
      const { get, put, remove } = callsOf(second)
      yield* put("alert-rules", atOnce)
      yield* Effect.scoped(
        startSuite({
          daemons: [reportingDaemon().daemon],
          env: {
            SIGNALBOX_WATCHDOG_HEARTBEAT_URL: `${second.base()}/api/v1/monitoring/heartbeats/alpha`,
            SIGNALBOX_WATCHDOG_HEARTBEAT_TOKEN: yield* second.token,
            SIGNALBOX_WATCHDOG_HEARTBEAT_INTERVAL: "100"
          }
        }).pipe(
          Effect.andThen(
            until(
              "the first heartbeat",
              Effect.map(get("heartbeats"), ({ json }) => json.items[0]?.name === "alpha"),
              30
            )
          )
        )
      )
      const alarm = "ALERT (critical): No heartbeat of alpha for more than 300 s"
      yield* eventually("the alarm", () => all.told().mail.includes(alarm))
      expect((yield* get("heartbeats")).json.items).toMatchObject([{ name: "alpha", state: "late", timeout_s: 300 }])
      const { post } = callsOf(second)
      expect((yield* post("heartbeats/alpha", { timeout_s: 5 })).status).toBe(422)
      expect((yield* post("heartbeats/alpha", { timeout_s: 80_000 })).status).toBe(204)
      yield* eventually("its end", () => all.told().mail.some((subject) => subject.startsWith("OVER")))
      expect((yield* remove("heartbeats/alpha")).status).toBe(204)
      expect((yield* remove("heartbeats/alpha")).status).toBe(404)
    }).pipe(quietly),
  120_000
)

it.live(
  "a heartbeat that arrives while the watch looks opens no alert",
  () =>
    Effect.gen(function* () {
      const all = yield* receivers
      const { sql } = yield* startSuite({ daemons: [reportingDaemon().daemon], verifier: fakeUsers, env: all.env })
      const expected = (name: string) =>
        sql`insert into watchdog.heartbeat (name, last_at, timeout_s) values (${name}, clock_timestamp(), 100)`
      const alerts = (name: string) =>
        Effect.map(sql`select from watchdog.alert where key = ${`heartbeat ${name}`}`, ({ length }) => length)
      yield* expected("beta")
      const [begun, seen] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const arriving = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`update watchdog.heartbeat set last_at = now() + interval '1 day' where name = 'beta'`
            yield* Deferred.succeed(begun, undefined)
            yield* Deferred.await(seen)
          })
        )
      )
      yield* Deferred.await(begun)
      yield* until(
        "the watch has seen a late heartbeat, and waits for the one that is being stored",
        Effect.map(
          sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like '%watchdog.heartbeat%'`,
          ({ length }) => length > 0
        ),
        30
      )
      yield* Deferred.succeed(seen, undefined)
      yield* Fiber.join(arriving)
      yield* expected("gamma")
      yield* until(
        "a later look",
        Effect.map(alerts("gamma"), (count) => count === 1),
        30
      )
      expect(yield* alerts("beta")).toBe(0)
    }).pipe(quietly),
  120_000
)

it.live(
  "maintenance that the status page announces keeps alerts of its components back until it is cancelled",
  () =>
    Effect.gen(function* () {
      const all = yield* receivers
      const { alerts, daemon } = reportingDaemon()
      const files = yield* servicesFile
      const suite = yield* startSuite({
        daemons: [daemon, statusChecker],
        verifier: fakeUsers,
        env: { ...all.env, ...files.env }
      })
      const call = (method: string, path: string, body?: unknown) =>
        suite.call(method, `/api/v1/admin/maintenance${path}`, {
          ...statusProvider(),
          of: "status-checker",
          ...(body === undefined ? {} : { body })
        })
      const monitoring = (method: string, path: string, body?: unknown) =>
        suite.call(method, `/api/v1/monitoring/${path}`, {
          ...statusProvider(),
          of: daemon.name,
          ...(body === undefined ? {} : { body })
        })
      yield* monitoring("PUT", "alert-rules", atOnce)
      const window = yield* call("POST", "/", {
        id: "disks",
        title: "Neue Platten",
        title_en: "New disks",
        components: ["webmail"],
        starts_at: hence(-1),
        ends_at: hence(60)
      })
      expect(window.status).toBe(201)
      yield* until(
        "the window",
        Effect.map(suite.sql`select from watchdog.maintenance`, (rows) => rows.length === 1),
        40
      )
      yield* alerts().report(failing("container webmail"))
      yield* alerts().report(failing("container dns", { group: "host b" }))
      yield* eventually("the other", () => all.told().mail.length === 1)
      expect(all.told().mail).toEqual(["ALERT (critical): container dns is broken"])
      const [kept] = (yield* monitoring("GET", "alerts?group=host%20a")).json.items
      expect(kept).toMatchObject({ maintenance_id: "disks", told_at: null })
      expect((yield* call("DELETE", "/disks")).status).toBe(204)
      yield* eventually("the kept one", () => all.told().mail.length === 2, 40)
    }).pipe(quietly),
  120_000
)
