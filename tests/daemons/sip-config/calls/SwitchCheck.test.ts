/** A switch that runs other profiles than ours is told and put right. The double answers as captures B04 and A41. */
import { expect, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { type Found, repairs } from "#daemons/sip-config/calls/SwitchCheck.ts"
import { marks } from "#daemons/sip-config/switch/Configuration.ts"
import { until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { SwitchDouble, type SwitchDoubleShape } from "#support/switch/SwitchDouble.ts"
import { watching } from "./Switchboard.ts"

const current = (tls: number) =>
  new Map(
    Array.from(marks({ tls }).matchAll(/name="(internal|external)" value="([^"]+)"/g), ([, name, mark]) => [
      name!,
      mark!
    ])
  )

/** What the switch was told about its profiles and lists. */
const told = (double: SwitchDoubleShape) =>
  double.commands
    .filter((command) => /^api (sofia profile|reloadacl)/.test(command))
    .map((command) => command.slice("api ".length))

const watched = (double: SwitchDoubleShape, statement: string) =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const watch = yield* watching(double, database, { settled: Duration.millis(20) })
    yield* watch.sql.unsafe(statement)
    return { ...watch, database }
  })

const trunk = `insert into sip_config.trunk (tenant_id, name, host, port, transport, networks, confirmed)
  values (7, 'p', 'sip.p.test', 5060, 'udp', '{192.0.2.0/24}', '{192.0.2.0/24}')`

it("the mark of a profile is that of its settings", () => {
  expect(current(5061).size).toBe(2)
  expect(current(5061)).toEqual(current(5061))
  expect(current(5062).get("internal")).not.toBe(current(5061).get("internal"))
  expect(current(5062).get("external")).toBe(current(5061).get("external"))
})

it("only what helps now is done: no restart during calls, no rescan of a profile that starts", () => {
  const wanted = { gateways: ["trunk_1"], addresses: [] }
  const found: Found = {
    marks: new Map([["external", "m"]]),
    running: { profiles: new Set(["external"]), aliases: new Set(["m"]), gateways: new Set(["trunk_1"]) },
    refused: [],
    calls: 0
  }
  const commands = (change: Partial<Found>) => repairs(wanted, { ...found, ...change }).map(({ command }) => command)
  const { running } = found
  expect(commands({})).toEqual([])
  expect(commands({ running: { ...running, gateways: new Set() } })).toEqual(["sofia profile external rescan"])
  expect(commands({ running: { ...running, aliases: new Set(), gateways: new Set() } })).toEqual([
    "sofia profile external restart"
  ])
  expect(commands({ running: { ...running, aliases: new Set() }, calls: 2 })).toEqual([undefined])
  expect(commands({ running: { ...running, profiles: new Set() } })).toEqual(["sofia profile external start"])
  expect(commands({ refused: ["192.0.2.0"] })).toEqual(["reloadacl"])
  // The operator keeps profiles in files of the switch: nothing of it is ours, unless trunks are here.
  expect(commands({ marks: new Map() })).toEqual([])
  expect(commands({ marks: new Map(), running: { ...running, gateways: new Set() } })).toEqual([undefined])
})

it.live(
  "stock profiles are restarted when no call is left, and say so until then",
  () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({})
      for (const [name, mark] of current(5061)) double.sofia.marks.set(name, mark)
      double.sofia.configured.add("trunk_1")
      double.sofia.networks.add("192.0.2.0")
      const { component } = yield* watched(double, trunk)
      yield* until(
        "the profiles are ours",
        Effect.sync(() => [...double.sofia.profiles.values()].flat().length === 2)
      )
      yield* until(
        "nothing is wrong",
        Effect.map(component, ({ detail, status }) => status === "ok" && detail === undefined)
      )
      const repairs = ["sofia profile internal restart", "sofia profile external restart", "reloadacl"]
      yield* until(
        "every part was put right",
        Effect.sync(() => repairs.every((command) => told(double).includes(command))),
        // The trunk may come after the first look; the next one is 30 s later.
        45
      )
    }).pipe(Effect.scoped),
  120_000
)

it.live("a switch that reads no configuration from here is degraded when it lacks the trunks, and left alone", () =>
  Effect.gen(function* () {
    const double = yield* SwitchDouble.make({})
    const { component } = yield* watched(double, trunk)
    yield* until(
      "it is degraded",
      Effect.map(component, ({ detail, status }) => status === "degraded" && /trunk_1; the switch/.test(String(detail)))
    )
    expect(told(double).filter((command) => /restart|start/.test(command))).toEqual([])
  }).pipe(Effect.scoped)
)

it.live("a restart that does not help is not repeated with every connection, and one that helps may come again", () =>
  Effect.gen(function* () {
    const double = yield* SwitchDouble.make({})
    const marks = current(5061)
    const restarts = () => told(double).filter((command) => command === "sofia profile internal restart").length
    // The switch says that it would get these settings, and never starts with them.
    for (const [name, mark] of marks) double.sofia.marks.set(name, mark)
    double.sofia.profiles.set = function () {
      return this
    }
    const { component } = yield* watched(double, "select 1")
    const isStatus = (wanted: string) => Effect.map(component, ({ status }) => status === wanted)
    yield* until("it is degraded", isStatus("degraded"))
    const before = double.commands.length
    yield* double.disconnect
    yield* until(
      "it was looked at again",
      Effect.sync(() => double.commands.slice(before).includes("api sofia status"))
    )
    yield* until("it is degraded again", isStatus("degraded"))
    expect(restarts()).toBe(1)
    // The operator mends it; later the switch starts with its own files once more.
    Reflect.deleteProperty(double.sofia.profiles, "set")
    for (const [name, mark] of marks) double.sofia.profiles.set(name, [mark])
    yield* double.disconnect
    yield* until("it is well", isStatus("ok"))
    for (const name of marks.keys()) double.sofia.profiles.set(name, [])
    yield* double.disconnect
    yield* until(
      "it is restarted again",
      Effect.sync(() => restarts() === 2)
    )
  }).pipe(Effect.scoped)
)
