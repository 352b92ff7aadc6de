/** Decisions of the monitoring: states, thresholds, forecasts, and what each probe makes of its answers. */
import { describe, expect, it } from "vitest"
import { localAddresses } from "#daemons/watchdog/monitoring/LocalAddresses.ts"
import { findingOf, oneLine } from "#daemons/watchdog/monitoring/BuiltCheck.ts"
import { firstPause, pauseOf } from "#daemons/watchdog/monitoring/CheckActor.ts"
import { type CheckState, decide, pending } from "#daemons/watchdog/monitoring/CheckState.ts"
import { type FillLevel, forecast, withLevel } from "#daemons/watchdog/monitoring/Forecast.ts"
import { judgeBackup } from "#daemons/watchdog/monitoring/probes/Backups.ts"
import { judgeOffset } from "#daemons/watchdog/monitoring/probes/Clock.ts"
import { judge as judgeContainer } from "#daemons/watchdog/monitoring/probes/Containers.ts"
import { judgeAll, judgeHealth, verdictsOf } from "#daemons/watchdog/monitoring/probes/Daemons.ts"
import { disksOf, judgeInodes, judgeSpace, parseMounts } from "#daemons/watchdog/monitoring/probes/Disks.ts"
import { countQueue, judgeQueue, parameter } from "#daemons/watchdog/monitoring/probes/MailQueue.ts"
import { judgeLoad, judgeMemory, parseMemory } from "#daemons/watchdog/monitoring/probes/Machine.ts"
import { judgeCommand } from "#daemons/watchdog/monitoring/probes/Operators.ts"
import {
  judgeConnections,
  judgeDeadRows,
  judgeReplication,
  judgeTransaction
} from "#daemons/watchdog/monitoring/probes/Postgres.ts"
import { judgeUnit, parseProperties, parseUnits } from "#daemons/watchdog/monitoring/probes/Units.ts"
import { isNews } from "#daemons/watchdog/monitoring/ResultWriter.ts"
import { parseEndpoint, parseTimeServer } from "#daemons/watchdog/monitoring/Settings.ts"
import { judge } from "#daemons/watchdog/monitoring/Thresholds.ts"
import { say } from "#daemons/watchdog/monitoring/words/Said.ts"
import { daemons } from "../../../../daemons/Suite.ts"

const limits = { failures: 2, successes: 2 }
type Found = Parameters<typeof decide>[1]
const after = (found: ReadonlyArray<Found>, from: CheckState = pending) =>
  found.reduce((state, one, at) => decide(state, one, at, limits), from)

describe("the state of a check", () => {
  it("opens an alert at the second failed check in a row, and closes it at the second good one", () => {
    expect(after(["critical"])).toMatchObject({ status: "pending", alerting: false, streak: 1 })
    expect(after(["ok", "critical", "ok", "critical"])).toMatchObject({ status: "ok", alerting: false })
    const failing = after(["ok", "critical", "critical"])
    expect(failing).toEqual({ status: "critical", since: 2, seen: null, streak: 0, alerting: true })
    expect(after(["ok"], failing)).toMatchObject({ status: "critical", alerting: true, streak: 1 })
    expect(after(["ok", "critical", "ok"], failing)).toMatchObject({ status: "critical", alerting: true })
    expect(after(["ok", "ok"], failing)).toMatchObject({ status: "ok", alerting: false })
  })

  it("counts warnings and critical results together, gets worse at once and milder after two", () => {
    expect(after(["warning", "critical"])).toMatchObject({ status: "critical", alerting: true })
    const warned = after(["warning", "warning"])
    expect(decide(warned, "critical", 9, limits)).toMatchObject({ status: "critical", alerting: true, since: 9 })
    const failing = after(["critical", "critical"])
    expect(after(["warning"], failing)).toMatchObject({ status: "critical", alerting: true })
    expect(after(["warning", "warning"], failing)).toMatchObject({ status: "warning", alerting: true })
    expect(after(["warning", "critical", "warning"], failing)).toMatchObject({ status: "critical" })
  })

  it("is unknown after two checks that found nothing out, and the alert stays as it is", () => {
    expect(after(["ok", "unknown"])).toMatchObject({ status: "ok", alerting: false })
    expect(after(["ok", "unknown", "unknown"])).toMatchObject({ status: "unknown", alerting: false })
    const failing = after(["critical", "critical", "unknown", "unknown"])
    expect(failing).toMatchObject({ status: "unknown", alerting: true })
    expect(after(["critical"], failing)).toMatchObject({ status: "critical", alerting: true })
    expect(after(["ok", "ok"], failing)).toMatchObject({ status: "ok", alerting: false })
    expect(after(["unknown", "unknown", "ok"])).toMatchObject({ status: "ok", alerting: false })
  })

  it("since is the begin of the status", () => {
    expect(after(["ok", "ok", "ok"]).since).toBe(0)
  })
})

it("a threshold is exceeded above or below it, not at it", () => {
  const above = { direction: "above", warning: 85, critical: 95 } as const
  expect([85, 85.1, 95, 95.1].map((value) => judge(value, above))).toEqual(["ok", "warning", "warning", "critical"])
  const below = { direction: "below", warning: 14, critical: 3 } as const
  expect([14, 13.9, 3, 2.9].map((value) => judge(value, below))).toEqual(["ok", "warning", "warning", "critical"])
  expect(judge(99, { direction: "above", warning: null, critical: null })).toBe("ok")
  expect(judge(null, above)).toBe("ok")
})

it("the worse of the value and the result counts; an unknown result stays unknown", () => {
  const above = { direction: "above", warning: 1, critical: 2 } as const
  const said = say("daemon_ok", {})
  expect(findingOf({ value: 3, ...said, status: "warning" }, above).status).toBe("critical")
  expect(findingOf({ value: 0, ...said, status: "critical" }, above).status).toBe("critical")
  expect(findingOf({ value: 3, ...said, status: "unknown" }, above).status).toBe("unknown")
  expect(oneLine(`a\nb\u0000c\u202ed${"x".repeat(900)}`)).toMatch(/^a b c dx+$/)
  expect(oneLine("x".repeat(900))).toHaveLength(300)
})

it("a change is news once", () => {
  const told = (alerting: boolean, severity: "warning" | "critical" = "warning") => ({
    key: "k",
    group: "g",
    alerting,
    severity
  })
  expect(isNews(undefined, told(false))).toBe(false)
  expect(isNews(undefined, told(true))).toBe(true)
  expect(isNews(told(true), told(true))).toBe(false)
  expect(isNews(told(true), told(true, "critical"))).toBe(true)
  expect(isNews(told(true), told(false))).toBe(true)
  expect(isNews(told(false, "critical"), told(false))).toBe(false)
})

it("a differing result is confirmed sooner, and first checks are spread", () => {
  expect(pauseOf({ ...pending, streak: 0 }, 300)).toBe(300_000)
  expect(pauseOf({ ...pending, streak: 1 }, 300)).toBe(60_000)
  expect(pauseOf({ ...pending, streak: 1 }, 10)).toBe(10_000)
  expect(firstPause("a", 900_000, 300, 1_000_000)).toBe(200_000)
  for (const at of [undefined, 0, 2_000_000]) {
    expect(firstPause("a", at, 300, 1_000_000)).toBeGreaterThanOrEqual(0)
    expect(firstPause("a", at, 300, 1_000_000)).toBeLessThanOrEqual(30_000)
  }
})

describe("the forecast of a disk", () => {
  const hour = 3_600_000
  const levels = (count: number, used: (at: number) => number): ReadonlyArray<FillLevel> =>
    Array.from({ length: count }, (_, index) => ({ at: index * 300_000, used: used(index / 12) }))

  it("says when a disk that fills steadily is full", () => {
    const found = forecast(
      levels(25, (hours) => 1_000 + 100 * hours),
      1_000
    )
    expect(found?.hours).toBeCloseTo(10, 5)
    expect(found?.rate).toBeCloseTo(100, 5)
  })

  it("says nothing of one that empties, stays, goes up and down, or was looked at for too short a time", () => {
    expect(
      forecast(
        levels(25, (hours) => 1_000 - hours),
        1_000
      )
    ).toBeUndefined()
    expect(
      forecast(
        levels(25, () => 1_000),
        1_000
      )
    ).toBeUndefined()
    expect(
      forecast(
        levels(25, (hours) => 1_000 + 100 * Math.sin(9 * hours)),
        1_000
      )
    ).toBeUndefined()
    expect(
      forecast(
        levels(11, (hours) => 1_000 + 100 * hours),
        1_000
      )
    ).toBeUndefined()
    expect(forecast([], 1)).toBeUndefined()
  })

  it("keeps one level a step, for as long as it looks back", () => {
    let kept: ReadonlyArray<FillLevel> = []
    for (let at = 0; at < 20 * hour; at += 1_000 * 30) kept = withLevel(kept, { at, used: at }, 300_000)
    expect(kept.length).toBeLessThan(80)
    expect(kept.at(-1)!.at).toBe(20 * hour - 30_000)
    expect(forecast(kept, 20 * hour)?.hours).toBeCloseTo(20, 1)
  })
})

describe("disks", () => {
  const mounts = [
    "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro",
    "23 22 8:1 /var/lib /srv/bound\\040name ro,nosuid - ext4 /dev/sda1 rw",
    "24 22 0:22 / /proc rw - proc proc rw",
    "25 22 8:2 / /var rw master:1 propagate_from:2 - xfs /dev/sda2 rw",
    "26 22 7:0 / /media/cd ro - iso9660 /dev/sr0 ro",
    "27 22 8:3 / /usr rw - ext4 /dev/sda3 ro",
    "28 22 0:40 / /mnt/share rw - nfs4 server:/share rw",
    "garbage"
  ].join("\n")

  it("are one path for each writable file system", () => {
    expect(disksOf(parseMounts(mounts))).toEqual(["/", "/var"])
    expect(parseMounts(mounts)[1]!.path).toBe("/srv/bound name")
  })

  it("are read as df does, with a forecast", () => {
    const space = { size: 1_000, free: 200, available: 100, inodes: 10, freeInodes: 1 }
    const reading = judgeSpace(space, [])
    expect(reading.value).toBeCloseTo(88.9, 1)
    expect(judgeInodes(space).value).toBe(90)
    expect(judgeInodes({ ...space, inodes: 0, freeInodes: 0 }).value).toBeNull()
    const levels = Array.from({ length: 13 }, (_, index) => ({ at: index * 300_000, used: index }))
    const soon = judgeSpace(space, levels)
    expect(soon).toMatchObject({ status: "warning" })
    expect(soon.detail).toContain("full in 8 hours at this rate")
    expect(judgeSpace({ ...space, available: 100_000 }, levels).status).toBeUndefined()
  })
})

it("memory and load", () => {
  const memory = parseMemory(
    "MemTotal:  1000 kB\nMemFree: 10 kB\nMemAvailable:   40 kB\nActive(anon): 3 kB\nSwapTotal: 5 kB\n"
  )
  expect(judgeMemory(memory)).toMatchObject({ value: 96, measurements: { swap_total_bytes: 5_120 } })
  expect(judgeMemory(parseMemory("MemTotal: 5 kB"))).toMatchObject({ status: "unknown" })
  expect(judgeLoad([1, 8, 3], 2).value).toBe(4)
})

it("units of systemd", () => {
  const of = (active: string, sub: string, result = "success", load = "loaded") =>
    parseProperties(`LoadState=${load}\nActiveState=${active}\nSubState=${sub}\nResult=${result}\nNRestarts=7\n`)
  expect(judgeUnit(of("failed", "failed", "exit-code"), false)).toMatchObject({
    status: "critical",
    detail: "failed: exit-code",
    measurements: { restarts: 7 }
  })
  expect(judgeUnit(of("activating", "auto-restart", "signal"), false)).toMatchObject({ status: "critical" })
  expect(judgeUnit(of("inactive", "dead"), false).status).toBeUndefined()
  expect(judgeUnit(of("inactive", "dead"), true).status).toBe("critical")
  expect(judgeUnit(of("inactive", "dead", "success", "not-found"), true).detail).toBe("the unit does not exist")
  expect(judgeUnit(of("active", "running"), true).status).toBeUndefined()
  expect(judgeUnit(new Map(), true).status).toBe("unknown")
  expect(parseUnits('[{"unit":"a.service","load":"x"}]')).toEqual(["a.service"])
  expect(parseUnits("")).toEqual([])
  expect(parseUnits("<html>")).toBeUndefined()
})

it("containers", () => {
  const state = { status: "running", running: true, health: "none", exitCode: 0, oomKilled: false } as const
  expect(judgeContainer(state).status).toBeUndefined()
  expect(judgeContainer({ ...state, health: "starting" }).status).toBeUndefined()
  expect(judgeContainer({ ...state, health: "unhealthy" })).toMatchObject({ status: "critical", detail: "unhealthy" })
  expect(judgeContainer({ ...state, status: "paused" }).status).toBe("critical")
  expect(judgeContainer({ ...state, running: false, status: "exited", exitCode: 3 }).detail).toContain("exit code 3")
  expect(judgeContainer({ ...state, running: false, oomKilled: true, status: "exited" }).detail).toContain("memory")
})

it("the mail queue", () => {
  const line = (queue: string) => `{"queue_name": "${queue}", "queue_id": "A", "recipients": []}`
  const counts = countQueue([line("deferred"), line("deferred"), line("active"), ""].join("\n"))
  expect(judgeQueue(counts)).toMatchObject({ value: 3, detail: "3 messages: 1 active, 2 deferred" })
  expect(judgeQueue(countQueue("")).value).toBe(0)
  expect(parameter("a = b\nqueue_directory = /srv/queue \n", "queue_directory")).toBe("/srv/queue")
  expect(parameter("queue_directory = $x/queue\n", "queue_directory")).toBeUndefined()
  expect(parameter("#queue_directory = /a\n", "queue_directory")).toBeUndefined()
})

it("Postgres", () => {
  expect(judgeConnections({ used: 90, most: 100 }).value).toBe(90)
  expect(judgeTransaction(null).value).toBe(0)
  expect(judgeTransaction(400).value).toBe(400)
  expect(judgeDeadRows(undefined).value).toBe(0)
  expect(judgeDeadRows({ table: "s.t", dead: 300, live: 100 }).value).toBe(75)
  const standby = { name: "web2", lag: 5, active: true }
  expect(judgeReplication([standby])).toMatchObject({ value: 5 })
  expect(judgeReplication([standby]).status).toBeUndefined()
  expect(judgeReplication([standby, { name: "slot", lag: 9, active: false }])).toMatchObject({
    value: 9,
    status: "warning"
  })
})

it("the clock: the time on the way is no offset", () => {
  expect(judgeOffset(400, 1_000, "x").value).toBe(0)
  expect(judgeOffset(-5_000, 1_000, "x")).toMatchObject({ value: 4.5, detail: "5.000 s ahead of x" })
})

it("the age of backups", () => {
  const now = Date.parse("2026-01-10T00:00:00Z")
  const at = (hours: number) => new Date(now - hours * 3_600_000)
  const row = { schedule: "nightly", finished_at: at(30), ok: true, succeeded_at: at(30), created_at: at(900) }
  expect(judgeBackup(row, now).value).toBe(30)
  expect(judgeBackup({ ...row, finished_at: null, succeeded_at: null, created_at: at(2) }, now)).toMatchObject({
    value: 2,
    detail: "no backup yet"
  })
  expect(judgeBackup({ ...row, ok: false }, now).status).toBe("warning")
})

describe("our daemons", () => {
  it("are read from a gateway and from a daemon, and nothing else is", () => {
    expect([...verdictsOf({ daemons: { identity: { status: "ok" }, "no name!": {} } }).keys()]).toEqual(["identity"])
    expect([...verdictsOf({ daemon: "watchdog", status: "ok" }).keys()]).toEqual(["watchdog"])
    for (const other of [undefined, 5, [], { status: "ok" }, { daemons: [] }]) expect(verdictsOf(other).size).toBe(0)
  })

  it("are degraded, down or away", () => {
    expect(judgeHealth({ status: "ok" }).status).toBeUndefined()
    expect(judgeHealth({ status: "degraded", components: { relay: { status: "down" } } })).toMatchObject({
      status: "warning",
      detail: "degraded: relay down"
    })
    expect(judgeHealth({ status: "down" }).status).toBe("critical")
    expect(judgeHealth(undefined).status).toBe("critical")
    expect(judgeAll(new Map([["a", { status: "ok" }]])).status).toBeUndefined()
    expect(
      judgeAll(
        new Map([
          ["a", { status: "ok" }],
          ["b", { status: "degraded" }]
        ])
      )
    ).toMatchObject({ status: "warning", detail: "b degraded" })
    expect(judgeAll(new Map()).status).toBe("critical")
  })

  it("have the ports of the suite, or those of the environment", () => {
    const env = { SIGNALBOX_IDENTITY_PORT: "9101", SIGNALBOX_WATCHDOG_PORT: "0" }
    const addresses = localAddresses(daemons, { env, bind: "::", gatewayPort: 8080 })
    expect(addresses[0]).toBe("http://[::1]:8080")
    expect(addresses).toContain("http://[::1]:9101")
    expect(addresses).toContain("http://[::1]:8102")
    expect(addresses).not.toContain("http://[::1]:8115")
    expect(addresses).toHaveLength(daemons.length)
  })
})

it("commands follow the codes of Nagios plugins", () => {
  expect(judgeCommand(0, "DISK OK - fine | /=3.5MB;4;5\nmore")).toMatchObject({ value: 3.5, detail: "DISK OK - fine" })
  expect(judgeCommand(1, "careful")).toMatchObject({ status: "warning", detail: "exit code 1: careful" })
  expect(judgeCommand(2, "").status).toBe("critical")
  expect(judgeCommand(3, "").status).toBe("unknown")
  expect(judgeCommand(127, "").status).toBe("critical")
  expect(judgeCommand(null, "").status).toBe("critical")
})

it("endpoints", () => {
  expect(parseEndpoint("mail.example.org:993")).toEqual({ host: "mail.example.org", port: 993, servername: null })
  expect(parseEndpoint("www.example.org@192.0.2.1:443")).toMatchObject({
    host: "192.0.2.1",
    servername: "www.example.org"
  })
  expect(parseEndpoint("[2001:db8::1]:443")).toMatchObject({ host: "2001:db8::1", port: 443 })
  for (const bad of ["host", "host:0", "host:70000", "a b:1", "@host:1"]) expect(parseEndpoint(bad)).toBeUndefined()
  expect(parseTimeServer("pool.example.org")).toMatchObject({ port: 123 })
})
