/** Results of checks in both languages. */
import { describe, expect, it } from "vitest"
import { judgeSpace } from "#daemons/watchdog/monitoring/probes/Disks.ts"
import { sayEngine } from "#daemons/watchdog/monitoring/probes/Containers.ts"
import { sayProbe } from "#daemons/watchdog/monitoring/probes/ProbeWords.ts"
import { judgeAll, judgeHealth } from "#daemons/watchdog/monitoring/probes/Daemons.ts"
import { english } from "#daemons/watchdog/monitoring/words/English.ts"
import { german } from "#daemons/watchdog/monitoring/words/German.ts"
import { say } from "#daemons/watchdog/monitoring/words/Said.ts"
import { innermostCode } from "#core/sql/Sql.ts"
import { textOf } from "#daemons/watchdog/alerting/MessageText.ts"

/** Values of all codes at once: a sentence takes what it needs. */
const values: any = {
  available_bytes: 5e9,
  at_least: true,
  away: ["standby"],
  containers: 3,
  count: 2,
  days: 1,
  dead: 7,
  degraded: ["mail"],
  down: ["db"],
  error: "ECONNREFUSED",
  exit_code: 3,
  expired: true,
  from: "2031-01-01",
  full_in_hours: 9,
  hours: 30,
  inodes: 128,
  intermediate: true,
  lag_bytes: 3e9,
  last_failed: true,
  live: 8,
  load_5: 1.5,
  message: "connection refused",
  messages: 101,
  milliseconds: 12.4,
  most: 40,
  processors: 2,
  program: "raid",
  queues: { deferred: 101 },
  response_ms: 7.2,
  result: "exit-code",
  rows: 9,
  searched_bytes: 1_048_576,
  seconds: -5.25,
  server: null,
  share: 91.25,
  size_bytes: 50e9,
  state: "inactive",
  status: 503,
  sub_state: "dead",
  table: "a.b",
  text: "",
  total_bytes: 8e9,
  until: "2031-01-01",
  used: 33,
  verdict: "down",
  why: "not_started"
}

/** Codes whose text comes from somebody else or is the same in both languages. */
const same = new Set(["container"])

describe("sentences", () => {
  it.each(Object.keys(english) as Array<keyof typeof english>)("%s is told in both languages, without gaps", (code) => {
    const both = [english[code](values), german[code](values)]
    for (const text of both) expect(text).toMatch(/^(?!.*(undefined|NaN|object)).+$/)
    if (!same.has(code)) expect(both[0]).not.toBe(both[1])
  })

  it("write numbers as each language does", () => {
    const space = { size: 50e9, free: 4e9, available: 4e9, inodes: 1, freeInodes: 1 }
    expect(judgeSpace(space, [])).toMatchObject({
      detail: "92.0 % used, 3815 MiB free of 47 GiB",
      detailDe: "92,0 % belegt, 3815 MiB von 47 GiB frei",
      code: "disk",
      values: { share: 92, size_bytes: 50e9, full_in_hours: null }
    })
    expect(say("clock", { seconds: -1.5, server: null }).detailDe).toBe(
      "geht 1,500 s vor, verglichen mit der Uhr der Datenbank"
    )
    expect(say("backup", { hours: 1, last_failed: false }).detailDe).toBe("neueste Sicherung 1 Stunde alt")
  })

  it("have German words for the states and errors of systemd and Postgres", () => {
    expect(say("unit", { state: "inactive", sub_state: "dead" }).detailDe).toBe("inaktiv (gestoppt)")
    expect(say("unit_failed", { result: "exit-code" }).detailDe).toBe("ausgefallen: mit einem Fehler beendet")
    expect(say("unit_restarting", { result: "news" }).detailDe).toBe("startet immer wieder neu: news")
    const full = { message: "sorry, too many clients already", state: "53300" }
    expect(say("postgres_failed", full)).toMatchObject({
      detail: full.message,
      detailDe: "Postgres antwortet nicht: alle Verbindungen sind belegt"
    })
    expect(say("postgres_failed", { message: "odd", state: null }).detailDe).toBe("Postgres antwortet nicht: odd")
    const refused = { _tag: "SqlError", reason: { cause: { code: "ECONNREFUSED", message: "connect ECONNREFUSED" } } }
    expect(innermostCode(refused)).toBe("ECONNREFUSED")
    expect(innermostCode(new Error("plain"))).toBeUndefined()
  })

  it("name what the shared probes and the engine found", () => {
    const found = { code: "answered", values: { status: 200 } } as const
    const result = { kind: "http", outcome: "up", detail: "answered 200", found } as const
    expect(sayProbe(result, 12.4)).toMatchObject({
      detail: "answered 200 in 12 ms",
      detailDe: "hat mit 200 geantwortet in 12 ms",
      values: { status: 200, response_ms: 12.4 }
    })
    expect(sayProbe({ ...result, outcome: "down" }, 12.4).detail).toBe("answered 200")
    expect(sayEngine({ _tag: "TimedOut", milliseconds: 5_000 }).code).toBe("engine_timed_out")
    expect(sayEngine({ _tag: "Unreachable", code: "ENOENT" }).code).toBe("engine_absent")
    expect(sayEngine({ _tag: "NoSuchContainer" }).code).toBe("container_missing")
  })

  it("join the daemons behind one address", () => {
    const verdict = { status: "degraded", components: { relay: { status: "down" } } }
    expect(judgeHealth(verdict).detailDe).toBe("eingeschränkt: relay ausgefallen")
    const all = judgeAll(
      new Map<string, Record<string, unknown>>([
        ["a", verdict],
        ["b", { status: "ok" }],
        ["c", { status: "down" }]
      ])
    )
    expect(all).toMatchObject({
      status: "critical",
      detail: "a degraded: relay down; c down",
      detailDe: "a eingeschränkt: relay ausgefallen; c ausgefallen",
      values: { a: "daemon", c: "daemon" }
    })
  })
})

it("messages are in the reader's language, and name the key once", () => {
  const line = {
    key: "web1 disk /",
    severity: "warning",
    summary: "web1 disk /: 91.0 % used",
    summaryDe: "web1 disk /: 91,0 % belegt",
    detail: "line",
    detailDe: "Zeile",
    openedAt: 0,
    closedAt: null,
    flapping: false,
    changes: 0
  } as const
  const content = { severity: "warning", host: "web1", count: 1, lines: [line], withoutDatabase: false } as const
  const [en, de] = (["en", "de"] as const).map((language) => textOf("opened", "g", content, language, true))
  expect(en!.subject).toBe("ALERT (warning): web1 disk /: 91.0 % used [web1]")
  expect(de!.subject).toBe("ALARM (Warnung): web1 disk /: 91,0 % belegt [web1]")
  expect(en!.body).toContain("* web1 disk /: 91.0 % used (warning, since 1 January 1970 at 00:00 UTC)\n  line\n")
  expect(de!.body).toContain("* web1 disk /: 91,0 % belegt (Warnung, seit 1. Januar 1970 um 00:00 UTC)\n  Zeile\n")
  // A text without translation, and one that does not begin with the key.
  const plain = { ...line, summary: "is full", summaryDe: null, detailDe: null }
  expect(textOf("opened", "g", { ...content, lines: [plain] }, "de", true).body).toContain(
    "* web1 disk /: is full (Warnung, seit 1. Januar 1970 um 00:00 UTC)\n  line\n"
  )
})
