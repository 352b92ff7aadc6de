/** `signalbox monitor`, beside a running daemon. */
import { it } from "@effect/vitest"
import { Console, Effect, Exit, Option } from "effect"
import { expect } from "vitest"
import { Environment } from "#core/config/Environment.ts"
import { recording } from "#support/CapturedOutput.ts"
import { watchdog } from "#daemons/watchdog/Daemon.ts"
import * as Operator from "#daemons/watchdog/monitoring/Operator.ts"
import { host, startMonitoring } from "./MonitoringSuite.ts"

const none = Option.none()
const adjustments = { interval: none, timeout: none, warning: none, critical: none, failures: none, successes: none }
const filters = {
  kind: none,
  status: none,
  origin: none,
  host: none,
  alerting: false,
  search: none,
  limit: 50,
  json: false
}
const nothing = {
  url: none,
  expect: none,
  contains: none,
  tcp: none,
  certificate: none,
  command: none,
  arguments: [],
  host: none,
  group: none,
  ...adjustments,
  json: false
}

it.live(
  "an operator adds, runs, shows, changes and removes checks",
  () =>
    Effect.gen(function* () {
      const place = yield* startMonitoring({ only: ["memory"], whole: watchdog })
      const out: Array<string> = []
      const ran = <A, E>(command: Effect.Effect<A, E>) => {
        out.length = 0
        return Effect.exit(
          command.pipe(
            Effect.provideService(Environment, place.env),
            Effect.provideService(Console.Console, recording(out))
          )
        )
      }
      const tcp = Option.some("127.0.0.1:1")
      expect(Exit.isSuccess(yield* ran(Operator.add({ ...nothing, name: "dead", tcp })))).toBe(true)
      expect(out[0]).toMatch(/^Added check dead with the id \d+\.$/)
      expect(String(yield* ran(Operator.add({ ...nothing, name: "dead", tcp })))).toContain("has this name")
      expect(String(yield* ran(Operator.add({ ...nothing, name: "x" })))).toContain("Give one of --url")
      expect(String(yield* ran(Operator.add({ ...nothing, name: "x", url: Option.some("ftp://a") })))).toContain(
        "must be an http or https address"
      )
      yield* place.shows(`${host} memory`, "ok")
      expect(Exit.isSuccess(yield* ran(Operator.run({ check: `${host} memory`, wait: true, json: false })))).toBe(true)
      expect(out[0]).toBe(`${out[0]!.split(" (")[0]} (${out[0]!.split(/[()]/)[1]}): ok`)
      yield* place.shows("check dead", "critical")
      const dead = yield* ran(Operator.run({ check: "dead", wait: true, json: true }))
      expect(Exit.isFailure(dead)).toBe(true)
      expect(JSON.parse(out.join("\n"))).toMatchObject({ status: "critical", alerting: true })

      expect(Exit.isFailure(yield* ran(Operator.checks({ ...filters, alerting: true })))).toBe(true)
      expect(out).toHaveLength(2)
      expect(out[1]).toMatch(/critical +check dead .*no connection: ECONNREFUSED$/)
      yield* ran(Operator.show({ check: "check dead", hours: 1, json: true }))
      expect(JSON.parse(out.join("\n")).history.length).toBeGreaterThan(0)

      const changed = { ...adjustments, enable: false, disable: false, reset: false, group: none, json: true }
      yield* ran(Operator.change({ ...changed, check: `${host} memory`, warning: Option.some(50) }))
      expect(JSON.parse(out.join("\n")).thresholds).toEqual({ direction: "above", warning: 50, critical: 95 })
      yield* ran(Operator.change({ ...changed, check: `${host} memory`, reset: true }))
      expect(JSON.parse(out.join("\n")).thresholds.warning).toBe(90)
      expect(String(yield* ran(Operator.remove({ check: `${host} memory`, json: false })))).toContain("built in")
      expect(Exit.isSuccess(yield* ran(Operator.remove({ check: "dead", json: false })))).toBe(true)
      expect(String(yield* ran(Operator.show({ check: "dead", hours: 1, json: false })))).toContain("does not exist")
    }).pipe(Effect.scoped),
  400_000
)
