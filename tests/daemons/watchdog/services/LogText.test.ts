/** Log contents that other programs wrote: terminals, directions, sizes, broken bytes. */
import { describe, expect, it } from "vitest"
import { makeLines } from "#daemons/watchdog/services/ByteLines.ts"
import { maxEntry, readEntry } from "#daemons/watchdog/services/Journal.ts"
import { clean, maxLine } from "#daemons/watchdog/services/LogText.ts"
import { readUnits } from "#daemons/watchdog/services/Units.ts"

describe("clean", () => {
  it("removes what a terminal would obey, and nothing else", () => {
    expect(clean("\u001b[1;31mred\u001b[0m\t<b> & ü 🎈").text).toBe("red\t<b> & ü 🎈")
    expect(clean("\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b").text).toBe("ab")
    expect(clean("a\r\u0000\u0008\u009b31mb\u007f").text).toBe("ab")
    expect(clean("a\u202etxt.exe\u2066b\u200f").text).toBe("atxt.exeb")
    // A sequence without end must not swallow the rest of the line.
    expect(clean("\u001b]0;no end, and a secret message").text).toContain("a secret message")
    expect(clean("\ud800x").text).toBe("\ufffdx")
  })

  it("bounds a line, also one that consists of sequences", () => {
    expect(clean("x".repeat(maxLine + 1))).toMatchObject({ cut: true })
    expect(clean("x".repeat(maxLine))).toMatchObject({ cut: false })
    const hostile = ["\u001b[", "\u001b]", "\u001b", "\u001b[1;", "\u009b"].map((part) => part.repeat(maxLine))
    for (const text of hostile) expect(clean(text).text.length).toBeLessThanOrEqual(maxLine)
  })
})

describe("entries of the journal", () => {
  const entry = (members: object) => JSON.stringify({ __REALTIME_TIMESTAMP: "1767225600000000", ...members })

  it("have time, level and cleaned text", () => {
    expect(readEntry(entry({ MESSAGE: "\u001b[31mout of memory", PRIORITY: "3" }))).toEqual({
      at: "2026-01-01T00:00:00.000Z",
      stream: "journal",
      level: "error",
      text: "out of memory",
      cut: false
    })
    expect(readEntry(entry({ MESSAGE: "a", PRIORITY: "6" }))?.level).toBe("info")
    expect(readEntry(entry({ MESSAGE: "a" }))?.level).toBeNull()
  })

  it("may be bytes, empty, broken or far too long", () => {
    expect(readEntry(entry({ MESSAGE: [104, 195, 188, 255] }))?.text).toBe("hü\ufffd")
    expect(readEntry(entry({ MESSAGE: null }))?.text).toBe("")
    expect(readEntry(entry({ MESSAGE: [999, "x"] }))?.text).toBe("")
    expect(readEntry(`{"__REALTIME_TIMESTAMP":"never","MESSAGE":"a"}`)?.at).toBeNull()
    for (const line of ["", "{", "[]", "null", `{"MESSAGE":"no time"}`]) expect(readEntry(line)).toBeUndefined()
    expect(readEntry(undefined)).toMatchObject({ cut: true })
  })

  it("arrive whole from chunks of any size, and one that is too long costs no memory", () => {
    const text = Buffer.from(`${entry({ MESSAGE: "grün" })}\n${entry({ MESSAGE: "blau" })}\n`)
    for (const size of [1, 7, text.length]) {
      const lines = makeLines(maxEntry)
      const found: Array<string | undefined> = []
      for (let at = 0; at < text.length; at += size) found.push(...lines.push(text.subarray(at, at + size)))
      expect(found.map((line) => readEntry(line)?.text)).toEqual(["grün", "blau"])
    }
    const lines = makeLines(10)
    expect(lines.push(Buffer.from("x".repeat(50)))).toEqual([])
    expect(lines.push(Buffer.from("y\nshort\n"))).toEqual([undefined, "short"])
  })
})

describe("units of systemctl", () => {
  const now = { wall: 1_000_000, monotonic: 500_000_000 }
  const unit = (lines: Readonly<Record<string, string>>) =>
    Object.entries({ Id: "a.service", LoadState: "loaded", Result: "success", ...lines })
      .map(([key, value]) => `${key}=${value}`)
      .join("\n")
  const stateOf = (lines: Readonly<Record<string, string>>) => readUnits(unit(lines), now)[0]?.state

  it("have the state that people expect", () => {
    expect(stateOf({ ActiveState: "active", SubState: "running" })).toBe("running")
    expect(stateOf({ ActiveState: "activating", SubState: "start" })).toBe("starting")
    // systemd calls a restart loop "activating".
    expect(stateOf({ ActiveState: "activating", SubState: "auto-restart" })).toBe("failed")
    expect(stateOf({ ActiveState: "failed", SubState: "failed" })).toBe("failed")
    expect(stateOf({ ActiveState: "inactive", SubState: "dead" })).toBe("stopped")
    expect(stateOf({ LoadState: "not-found", ActiveState: "inactive" })).toBeUndefined()
  })

  it("survive missing, huge and hostile values", () => {
    const [found] = readUnits(
      unit({
        ActiveState: "active",
        SubState: "running",
        Description: "\u001b[31mx=y",
        MemoryCurrent: "18446744073709551615",
        MainPID: "0",
        NRestarts: "3",
        ActiveEnterTimestampMonotonic: "499000000"
      }),
      now
    )
    expect(found).toMatchObject({ memory: null, pid: null, restarts: 3, description: " [31mx=y" })
    expect(found!.startedAt?.getTime()).toBe(999_000)
    expect(readUnits("", now)).toEqual([])
    expect(readUnits("Id=../../x\nLoadState=loaded\n\n\nnonsense", now)).toEqual([])
  })
})
