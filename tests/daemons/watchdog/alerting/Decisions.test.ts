/** Patterns of silences, outcomes of attempts, heartbeats, texts. */
import { Redacted } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { componentOf, heartbeatComponent } from "#daemons/watchdog/alerting/AlertHealth.ts"
import { givenUpAfter, outcomeOf } from "#daemons/watchdog/alerting/DeliveryDecision.ts"
import { isLate, reportOf } from "#daemons/watchdog/alerting/HeartbeatDecision.ts"
import { contentOf, mostNamed, textOf } from "#daemons/watchdog/alerting/MessageText.ts"
import { covers, maintenanceOf, matchesPattern, silenceOf } from "#daemons/watchdog/alerting/Quiet.ts"
import type { AlertSettings } from "#daemons/watchdog/alerting/Settings.ts"
import { silenceProblem } from "#daemons/watchdog/alerting/Silences.ts"
import { targetsOf } from "#daemons/watchdog/alerting/Ways.ts"
import { incident } from "./Incidents.ts"

it("a pattern matches like the regular expression that it stands for", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "*", ".", " "), maxLength: 12 })
  fc.assert(
    fc.property(text, text, (pattern, candidate) => {
      const source = pattern
        .split("*")
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
        .join("[^]*")
      expect(matchesPattern(pattern, candidate)).toBe(new RegExp(`^${source}$`).test(candidate))
    }),
    { numRuns: 2_000 }
  )
})

it("a pattern of many asterisks takes no exponential time", () => {
  expect(matchesPattern(`${"a*".repeat(90)}b`, "a".repeat(200))).toBe(false)
})

it("a silence covers what both patterns match, from its start until before its end", () => {
  const silence = { id: "s", keyPattern: "disk *", groupPattern: "host ?", startsAt: 10, endsAt: 20 }
  const disk = { key: "disk /var", group: "host ?" }
  expect(covers(silence, disk)).toBe(true)
  expect(covers(silence, { ...disk, group: "host a" })).toBe(false)
  const quiet = { silences: [silence], maintenance: [] }
  expect([9, 10, 19, 20].map((now) => silenceOf(disk, quiet, now)?.id)).toEqual([undefined, "s", "s", undefined])
})

it("maintenance covers its component as group or word of the key, and no part of a word", () => {
  const quiet = { silences: [], maintenance: [{ id: "m", names: ["mail"], startsAt: 0, endsAt: 9 }] }
  const found = (key: string, group = "host") => maintenanceOf({ key, group }, quiet, 5)?.id
  expect([found("container mail"), found("x", "mail"), found("container webmail"), found("mailqueue")]).toEqual([
    "m",
    "m",
    undefined,
    undefined
  ])
})

it("a silence needs a pattern, an end after its start and now, and is bounded", () => {
  const day = 86_400_000
  const problem = (more: object) => silenceProblem({ key: "a", group: null, start: 0, end: day, ...more }, 1_000)?.field
  expect(problem({})).toBeUndefined()
  expect(problem({ key: null })).toBe("payload")
  expect(problem({ end: 0 })).toBe("payload.ends_at")
  expect(problem({ start: -9, end: 1_000 })).toBe("payload.ends_at")
  expect(problem({ end: 90 * day + 1_000 })).toBeUndefined()
  expect(problem({ end: 91 * day })).toBe("payload.ends_at")
})

it("an attempt that may have arrived is repeated only when no other way has the message", () => {
  const at = { attempts: 1, createdAt: 0, now: 1_000, second: 1_000, sentElsewhere: false }
  const lost = { _tag: "Failed", problem: "no answer", perhaps: true } as const
  const refused = { _tag: "Failed", problem: "refused", perhaps: false } as const
  expect(outcomeOf({ _tag: "Sent" }, at)).toEqual({ state: "sent" })
  expect(outcomeOf(lost, at)).toEqual({ state: "pending", problem: "no answer", nextAt: 6_000 })
  expect(outcomeOf(lost, { ...at, sentElsewhere: true })).toEqual({ state: "uncertain", problem: "no answer" })
  expect(outcomeOf(refused, { ...at, sentElsewhere: true }).state).toBe("pending")
  expect([1, 2, 3, 4, 50].map((attempts) => outcomeOf(refused, { ...at, attempts }))).toMatchObject(
    [6_000, 16_000, 61_000, 301_000, 301_000].map((nextAt) => ({ nextAt }))
  )
  expect(outcomeOf(refused, { ...at, now: givenUpAfter * 1_000 }).state).toBe("failed")
})

it("a heartbeat is late after its time-out, and not when the clock was set back", () => {
  const heartbeat = { name: "b", lastAt: 100_000, timeoutS: 10 }
  expect([100_000, 110_000, 110_001, 0].map((now) => isLate(heartbeat, now))).toEqual([false, false, true, false])
  expect(reportOf(heartbeat, 200_000)).toMatchObject({
    key: "heartbeat b",
    group: "b",
    severity: "critical",
    failing: true
  })
})

it("a text names the worst first, counts the rest, and stays within a message of the messenger", () => {
  const all = Array.from({ length: 40 }, (_, index) =>
    incident({
      id: `check ${index}`,
      severity: index === 39 ? "critical" : "warning",
      summary: "x".repeat(500),
      detail: "d"
    })
  )
  const content = contentOf(all, "alpha", true)
  expect(content).toMatchObject({ severity: "critical", count: 40 })
  expect(content.lines).toHaveLength(mostNamed)
  expect(content.lines[0]!.key).toBe("check 39")
  const { body, subject } = textOf("opened", "host a", content, "en", false)
  expect(subject).toContain("ALERT (critical): host a: 40 alerts")
  expect(body).toContain("… and 30 more")
  expect(body).toContain("The database does not answer")
  expect(textOf("recovered", "host a", { ...content, count: 1 }, "de", true).subject).toMatch(/^VORBEI \(kritisch\): x/)
})

it("health names the ways by which no alert leaves", () => {
  const targets = [{ way: "mail", target: "" } as const, { way: "app", target: "" } as const]
  expect(componentOf(targets, [{ way: "mail", attempts: 2 }]).status).toBe("ok")
  expect(componentOf(targets, [{ way: "mail", attempts: 3 }])).toMatchObject({ detail: "no alert leaves by mail" })
  expect(componentOf([{ way: "app", target: "" }], []).status).toBe("unconfigured")
  expect(heartbeatComponent(true, { problem: "refused" }).status).toBe("degraded")
})

it("the messenger has the chats for alerts, else that of the operators", () => {
  const chats = (settings: Partial<AlertSettings>) =>
    targetsOf({ adminEmail: [], chats: [], ...settings } as unknown as AlertSettings)
      .filter(({ way }) => way === "messenger")
      .map(({ target }) => target)
  const messengerToken = Redacted.make("1:a")
  expect(chats({ messengerToken, chats: ["1", "2", "1"], adminChat: "3" })).toEqual(["1", "2"])
  expect(chats({ messengerToken, adminChat: "3" })).toEqual(["3"])
  expect(chats({ messengerToken })).toEqual([])
  expect(chats({ adminChat: "3" })).toEqual([])
})
