/** `signalbox alert`, beside a running watchdog with real receivers of its messages. */
import { it } from "@effect/vitest"
import { Console, Effect, Exit, Option, References } from "effect"
import { expect } from "vitest"
import { Environment } from "#core/config/Environment.ts"
import * as Operator from "#daemons/watchdog/alerting/Operator.ts"
import { recording } from "#support/CapturedOutput.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"
import { failing, reportingDaemon, well } from "./Reporter.ts"
import { eventually, receivers } from "./Watch.ts"

const none = Option.none()
const some = Option.some
const quietly = Effect.provideService(References.MinimumLogLevel, "Fatal")
const filters = { state: none, severity: none, group: none, limit: 50, json: true }

it.live(
  "an operator lists, acknowledges and silences alerts, changes the rules, and sends a test",
  () =>
    Effect.gen(function* () {
      const all = yield* receivers
      const { alerts, daemon } = reportingDaemon()
      const { call, env, sql } = yield* startSuite({ daemons: [daemon], verifier: fakeUsers, env: all.env })
      const out: Array<string> = []
      const ran = <A, E>(command: Effect.Effect<A, E>) =>
        Effect.suspend(() => {
          out.length = 0
          return command.pipe(
            Effect.provideService(Environment, env),
            Effect.provideService(Console.Console, recording(out)),
            Effect.exit
          )
        })
      /** The printed JSON of a command that succeeds. */
      const json = <A, E>(command: Effect.Effect<A, E>) =>
        Effect.map(ran(command), (exit): any => {
          expect(Exit.isSuccess(exit), String(exit)).toBe(true)
          return JSON.parse(out.join("\n"))
        })
      const refused = <A, E>(command: Effect.Effect<A, E>) => Effect.map(ran(command), String)

      // Rules: shown, changed in part, refused.
      expect(yield* json(Operator.rules({ set: none, json: true }))).toMatchObject({ gather_s: 30, flap_changes: 5 })
      const set = some('{"gather_s":0,"group_interval_s":0,"flap_changes":0}')
      expect(yield* json(Operator.rules({ set, json: true }))).toMatchObject({
        gather_s: 0,
        repeat_critical_minutes: [60, 240]
      })
      expect(yield* refused(Operator.rules({ set: some('{"gather_s":-1}'), json: true }))).toContain("gather_s")
      expect(yield* refused(Operator.rules({ set: some("[1"), json: true }))).toMatch(/JSON/)
      yield* ran(Operator.rules({ set: none, json: false }))
      expect(out).toContain("repeat_critical_minutes  60, 240")

      yield* alerts().report(failing("disk", { detail: "line 1\nline 2", summaryDe: "Platte kaputt" }))
      yield* alerts().report(failing("load", { severity: "warning", group: "host b" }))
      yield* eventually("both are told", () => all.told().mail.length === 2)
      // A receiver has a message before its outcome is in the table.
      yield* until(
        "all deliveries are recorded",
        Effect.map(sql`select from watchdog.alert_delivery where state <> 'sent'`, ({ length }) => length === 0),
        30
      )

      // List: filters as those of the API.
      const keysOf = (more: object) =>
        Effect.map(json(Operator.list({ ...filters, ...more })), (found: ReadonlyArray<any>) =>
          found.map(({ key }) => key)
        )
      expect(yield* keysOf({})).toEqual(["load", "disk"])
      expect(yield* keysOf({ severity: some("critical") })).toEqual(["disk"])
      expect(yield* keysOf({ group: some("host b") })).toEqual(["load"])
      expect(yield* keysOf({ state: some("closed") })).toEqual([])
      expect(yield* keysOf({ limit: 1 })).toEqual(["load"])
      yield* ran(Operator.list({ ...filters, json: false }))
      expect(out).toHaveLength(3)
      expect(out[2]).toMatch(/^[0-9a-f-]{36} +critical .* host a +disk +disk is broken$/)

      // Show, also by an id in capitals; acknowledge.
      const [, { id }] = yield* json(Operator.list(filters))
      yield* ran(Operator.show({ id: id.toUpperCase(), json: false }))
      expect(out).toEqual(expect.arrayContaining(["line 1", "line 2"]))
      expect(out.join("\n")).toMatch(/opened\n[^]*mail +sent/)
      expect(yield* json(Operator.show({ id, json: true }))).toMatchObject({ key: "disk", summary_de: "Platte kaputt" })
      expect(yield* refused(Operator.show({ id: "1", json: true }))).toContain("1 is no alert id")
      expect(yield* json(Operator.acknowledge({ id, note: some("I look at it"), json: true }))).toMatchObject({
        acknowledged_by: "operator",
        note: "I look at it"
      })
      yield* ran(Operator.show({ id, json: false }))
      expect(out.join("\n")).toMatch(/acknowledged +.*Z by operator I look at it/)
      yield* alerts().report(well("disk"))
      expect(yield* refused(Operator.acknowledge({ id, note: none, json: true }))).toContain(
        "It needs no acknowledgement."
      )

      // Silences: made, planned, listed by state, changed, ended.
      const silence = { key: none, group: none, from: none, for: "2h", reason: "new disks", json: true }
      expect(yield* refused(Operator.silence({ ...silence }))).toMatch(/pattern/)
      expect(yield* refused(Operator.silence({ ...silence, key: some("a"), for: "soon" }))).toContain("--for: must be")
      expect(
        yield* refused(Operator.silence({ ...silence, key: some("a"), for: "4w", from: some("later") }))
      ).toContain("--from: must be a time")
      const made = yield* json(Operator.silence({ ...silence, key: some("load*") }))
      expect(made).toMatchObject({ key_pattern: "load*", state: "active", alerts: 1, created_by: "operator" })
      expect(Date.parse(made.ends_at) - Date.now()).toBeGreaterThan(7_100_000)
      const later = some(new Date(Date.now() + 3_600_000).toISOString())
      expect(yield* json(Operator.silence({ ...silence, group: some("host b"), from: later }))).toMatchObject({
        state: "planned"
      })
      const silences = (state: Option.Option<"planned" | "active" | "over">) =>
        Effect.map(json(Operator.silences({ state, limit: 20, json: true })), ({ length }) => length)
      expect(yield* silences(none)).toBe(2)
      expect(yield* silences(some("planned"))).toBe(1)
      const change = { id: made.id, key: none, group: none, for: none, reason: none, json: true }
      expect(yield* refused(Operator.changeSilence(change))).toContain("Give one of --key")
      expect(
        yield* json(Operator.changeSilence({ ...change, key: some(""), group: some("host *"), for: some("1h") }))
      ).toMatchObject({ key_pattern: null, group_pattern: "host *", reason: "new disks" })
      yield* ran(Operator.silences({ state: none, limit: 20, json: false }))
      expect(out.join("\n")).toMatch(/active +\* +host \* .*new disks/)
      yield* ran(Operator.unsilence({ id: made.id, json: false }))
      expect(out).toEqual([`Ended ${made.id}.`])
      expect(yield* refused(Operator.unsilence({ id: made.id, json: false }))).toContain("Create a new one.")
      expect(yield* silences(some("over"))).toBe(1)

      // A test by every configured way, which the daemon sends.
      yield* ran(Operator.test({ json: false }))
      expect(out[0]).toMatch(/^The daemon sends a test by .*mail, messenger, webhook\. Message: /)
      yield* eventually("the test", () => all.told().webhook.some((title) => title.startsWith("TEST")))

      // Heartbeats: listed, and forgotten.
      const beat = yield* call("POST", "/api/v1/monitoring/heartbeats/alpha", {
        headers: { authorization: "Bearer user:1:*" },
        body: { timeout_s: 60_000 }
      })
      expect(beat.status).toBe(204)
      expect(yield* json(Operator.heartbeats({ json: true }))).toMatchObject([{ name: "alpha", timeout_s: 60_000 }])
      yield* ran(Operator.forget({ name: "alpha", json: false }))
      expect(out).toEqual(["No heartbeat of alpha is expected any more."])
      expect(String(yield* ran(Operator.forget({ name: "alpha", json: false })))).toContain("CommandFailed")
      const audit = yield* sql<{ action: string }>`select distinct action from core.audit
        where actor = 'operator' order by action`
      expect(audit.map(({ action }) => action)).toEqual(
        expect.arrayContaining([
          "alert.acknowledged",
          "alert_silence.created",
          "alert_silence.changed",
          "alert_silence.ended"
        ])
      )
    }).pipe(quietly),
  120_000
)
