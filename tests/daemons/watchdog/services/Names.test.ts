import { describe, expect, it } from "vitest"
import { parseCritical } from "#daemons/watchdog/services/CriticalServices.ts"
import { format, parse } from "#daemons/watchdog/services/ServiceName.ts"
import { covers, lists } from "#daemons/watchdog/services/ServicePatterns.ts"
import { daemons } from "#daemons/Suite.ts"

const daemonNames = new Set(daemons.map(({ name }) => name))

describe("names of services", () => {
  it("tells units, daemons and containers apart, and reads what it formats", () => {
    expect(parse("web", daemonNames)).toEqual({ kind: "container", name: "web" })
    expect(parse("nginx.service", daemonNames)).toEqual({ kind: "unit", name: "nginx.service" })
    expect(parse("signalbox@mail-watcher.service", daemonNames)?.kind).toBe("unit")
    expect(parse("mail-watcher", daemonNames)).toEqual({ kind: "daemon", name: "mail-watcher" })
    for (const service of [
      { kind: "container", name: "mail-watcher" },
      { kind: "container", name: "nginx.service" },
      { kind: "container", name: "web" },
      { kind: "unit", name: "fstrim.timer" }
    ] as const)
      expect(parse(format(service, daemonNames), daemonNames)).toEqual(service)
    expect(format({ kind: "container", name: "mail-watcher" }, daemonNames)).toBe("container:mail-watcher")
  })

  it("refuses every name that could become an option, a path or another request", () => {
    for (const name of [
      "",
      "-a",
      "--all.service",
      "--all",
      "../etc",
      "a/b",
      "a b",
      "a\nb.service",
      "a\0b",
      "ä.service",
      "unit:web",
      "unit:--now.service",
      "daemon:nobody",
      "container:-a",
      "x".repeat(256),
      `${"x".repeat(250)}.service`,
      "a.service\n",
      "*.service"
    ])
      expect(parse(name, daemonNames), name).toBeUndefined()
  })
})

describe("lists of names", () => {
  it("covers names with stars, and nothing more", () => {
    expect(covers("signalbox@*.service", "signalbox@identity.service")).toBe(true)
    expect(covers("signalbox@*.service", "signalbox.service")).toBe(false)
    expect(covers("a*b*c", "axbyc")).toBe(true)
    expect(covers("a*b*c", "acb")).toBe(false)
    expect(covers("ab*ba", "aba")).toBe(false)
    expect(covers("web", "web2")).toBe(false)
    // No expression of the pattern language: every other character stands for itself.
    expect(covers("a.c", "abc")).toBe(false)
    expect(lists(["container:web"], "unit", "web")).toBe(false)
    expect(lists(["container:web"], "container", "web")).toBe(true)
  })

  it("is fast for a hostile pattern", () => {
    expect(covers("*a".repeat(120), "b".repeat(250))).toBe(false)
  })
})

describe("critical services", () => {
  it("orders dependencies first", () => {
    const parsed = parseCritical("web(db.service cache), cache(db.service), db.service")
    expect(parsed).toEqual([
      { name: "db.service", after: [] },
      { name: "cache", after: ["db.service"] },
      { name: "web", after: ["db.service", "cache"] }
    ])
    expect(parseCritical("")).toEqual([])
  })

  it("names the fault of a bad setting", () => {
    expect(parseCritical("a(b), b(a)")).toMatch(/depends on itself/)
    expect(parseCritical("a(b)")).toMatch(/depends on b, which is not listed/)
    expect(parseCritical("a, a")).toMatch(/twice/)
    expect(parseCritical("-a")).toMatch(/no name/)
    expect(parseCritical("a(")).toMatch(/cannot read/)
    expect(parseCritical("../x")).toMatch(/no name/)
    expect(parseCritical(Array.from({ length: 101 }, (_, at) => `s${at}`).join(","))).toMatch(/at most 100/)
  })
})
