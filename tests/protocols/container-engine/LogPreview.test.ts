import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { RawLine } from "#protocols/container-engine/LogFrames.ts"
import { makePreview, maxWaiting } from "#protocols/container-engine/LogPreview.ts"

const since = new Date("2026-01-02T03:04:05.600Z")

const line = (text: string, at: Date | null = null, stream: RawLine["stream"] = "stdout"): RawLine => ({
  stream,
  at,
  text,
  cut: false
})

/** A preview that the log has caught up with. */
const caughtUp = () => {
  const preview = makePreview(since)
  expect(preview.attached(line("first"), true)).toBe("wait")
  expect(preview.logged(line("first"))).toBe(true)
  return preview
}

describe("the log with its output", () => {
  it("shows a line of the output at once, and leaves it out of the log", () => {
    const preview = caughtUp()
    expect(preview.attached(line("a"), true)).toBe("show")
    expect(preview.attached(line("b"), true)).toBe("show")
    expect(preview.logged(line("a"))).toBe(false)
    expect(preview.logged(line("b"))).toBe(false)
    expect(preview.logged(line("c"))).toBe(true)
  })

  it("shows no line of the output before the earlier lines of the log", () => {
    const preview = makePreview(since)
    expect(preview.attached(line("tick"), true)).toBe("wait")
    expect(preview.logged(line("tick", new Date(since.getTime() - 2_000)))).toBe(true)
    expect(preview.attached(line("tock"), true)).toBe("wait")
    expect(preview.logged(line("tick", new Date(since.getTime() - 500)))).toBe(true)
    expect(preview.logged(line("tock", new Date(since.getTime() + 500)))).toBe(true)
    expect(preview.attached(line("tick"), true)).toBe("show")
  })

  it("lets all lines wait after one that the reader has no room for, until the log brought it", () => {
    const preview = caughtUp()
    expect(preview.attached(line("a"), false)).toBe("wait")
    expect(preview.attached(line("b"), true)).toBe("wait")
    expect(preview.attached(line("c", null, "stderr"), true)).toBe("wait")
    for (const one of [line("a"), line("b"), line("c", null, "stderr")]) expect(preview.logged(one)).toBe(true)
    expect(preview.attached(line("d"), true)).toBe("show")
  })

  it("takes no line twice that the log brought first", () => {
    const preview = caughtUp()
    expect(preview.logged(line("a"))).toBe(true)
    expect(preview.attached(line("a"), true)).toBe("wait")
    expect(preview.attached(line("b"), true)).toBe("show")
    expect(preview.logged(line("b"))).toBe(false)
  })

  it("goes on after lines that the log has in another form", () => {
    const preview = caughtUp()
    expect(preview.attached(line("x".repeat(5_000)), true)).toBe("wait")
    expect(preview.logged(line(`${"x".repeat(4_000)} and a time ${"x".repeat(1_000)}`))).toBe(true)
    expect(preview.attached(line("a"), true)).toBe("wait")
    expect(preview.logged(line("a"))).toBe(true)
    expect(preview.attached(line("b"), true)).toBe("show")
  })

  it("stops when the log brings nothing", () => {
    const preview = caughtUp()
    const half = line("x".repeat(maxWaiting / 2 - 100))
    expect(preview.attached(half, true)).toBe("wait")
    expect(preview.attached(half, true)).toBe("wait")
    expect(preview.attached(half, true)).toBe("full")
    expect(preview.logged(half)).toBe(true)
    expect(preview.attached(half, true)).toBe("wait")
  })

  /** Delivers the lines by both ways, the output from line `begin` on, in the order of `turns`. */
  const delivered = (
    all: ReadonlyArray<RawLine>,
    begin: number,
    turns: ReadonlyArray<{ readonly byLog: boolean; readonly hasRoom: boolean }>,
    logIsLast: boolean
  ): ReadonlyArray<string> => {
    const preview = makePreview(since)
    const shown: Array<string> = []
    let [logged, attached] = [0, begin]
    const log = () => {
      const next = all[logged]
      if (next === undefined || (logIsLast && logged >= begin && logged >= attached)) return
      logged++
      if (preview.logged(next)) shown.push(next.text)
    }
    for (const { byLog, hasRoom } of turns) {
      if (byLog) log()
      else if (attached < all.length) {
        const next = all[attached++]!
        if (preview.attached(next, hasRoom) === "show") shown.push(next.text)
      }
    }
    attached = all.length
    while (logged < all.length) log()
    return shown
  }

  const turns = fc.array(fc.record({ byLog: fc.boolean(), hasRoom: fc.boolean() }), { maxLength: 80 })
  const begin = fc.nat({ max: 40 })

  it("shows each line once and in order, whichever way is faster", () => {
    const lines = Array.from({ length: 40 }, (_, n) => line(`line ${n}`))
    fc.assert(
      fc.property(begin, turns, (from, order) => {
        expect(delivered(lines, from, order, false)).toEqual(lines.map(({ text }) => text))
      })
    )
  })

  it("shows equal lines as often as they were written, when the log is later", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", ""), { maxLength: 40 }), begin, turns, (texts, from, order) => {
        const lines = texts.map((text) => line(text))
        const shown = delivered(lines, Math.min(from, lines.length), order, true)
        expect(shown.toSorted()).toEqual(texts.toSorted())
      })
    )
  })
})
