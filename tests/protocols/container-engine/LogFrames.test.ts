import { describe, expect, it } from "vitest"
import { makeReader, maxLineBytes, NotFramed, type RawLine } from "#protocols/container-engine/LogFrames.ts"

const frame = (stream: number, payload: Uint8Array | string) => {
  const bytes = Buffer.from(payload)
  const header = Buffer.alloc(8)
  header[0] = stream
  header.writeUInt32BE(bytes.length, 4)
  return Buffer.concat([header, bytes])
}

const read = (log: Uint8Array, size: number, tty = false) => {
  const reader = makeReader({ tty, timed: true })
  const found: Array<RawLine> = []
  for (let at = 0; at < log.length; at += size) found.push(...reader.push(log.subarray(at, at + size)))
  return [...found, ...reader.end()]
}

describe("the log of a container", () => {
  const umlaut = Buffer.from("grün")
  const log = Buffer.concat([
    frame(1, "2026-01-02T03:04:05.678901234Z one\n2026-01-02T03:04:06Z tw"),
    frame(2, "2026-01-02T03:04:07+01:00 wrong\n"),
    // A character split between two frames.
    frame(1, Buffer.concat([Buffer.from("o "), umlaut.subarray(0, 3)])),
    frame(1, ""),
    frame(1, Buffer.concat([umlaut.subarray(3), Buffer.from("\nno time, no end")]))
  ])
  const expected = [
    { stream: "stdout", at: new Date("2026-01-02T03:04:05.678Z"), text: "one", cut: false },
    { stream: "stderr", at: new Date("2026-01-02T02:04:07Z"), text: "wrong", cut: false },
    { stream: "stdout", at: new Date("2026-01-02T03:04:06Z"), text: "two grün", cut: false },
    { stream: "stdout", at: null, text: "no time, no end", cut: false }
  ]

  it.each([1, 2, 3, 5, 8, 13, 1_000])("is the same in chunks of %i bytes", (size) => {
    expect(read(log, size)).toEqual(expected)
  })

  it.each([1, 3, 40, 1_000])(
    "has no times inside a line that the engine wrote in pieces, in chunks of %i bytes",
    (size) => {
      const time = "2026-01-02T03:04:05.678901234Z "
      const pieces = Buffer.concat([
        frame(1, `${time}one `),
        frame(2, `${time}other\n`),
        frame(1, `${time}two `),
        frame(1, `${time}${time}three\n${time}next\n`),
        frame(1, `${time}a`),
        frame(1, "b\n")
      ])
      expect(read(pieces, size).map(({ text }) => text)).toEqual(["other", `one two ${time}three`, "next", "ab"])
    }
  )

  it("of a terminal has no frames", () => {
    expect(read(Buffer.from("a\r\nb"), 2, true).map(({ text }) => text)).toEqual(["a\r", "b"])
  })

  it("cuts a long line at a whole character, keeps reading, and does not keep the rest", () => {
    const long = `${"ü".repeat(maxLineBytes)}\nnext\n`
    const [cut, next] = read(frame(1, long), 4_096)
    expect(cut).toMatchObject({ cut: true, text: "ü".repeat(maxLineBytes / 2) })
    expect(next).toMatchObject({ cut: false, text: "next" })
    const odd = read(frame(1, `x${long}`), 4_096)[0]!
    expect(odd.text).toBe(`x${"ü".repeat(maxLineBytes / 2 - 1)}`)
  })

  it("replaces invalid bytes, also at the very end", () => {
    expect(read(frame(1, Buffer.from([0x61, 0xff, 0x0a, 0xc3])), 1).map(({ text }) => text)).toEqual([
      "a\ufffd",
      "\ufffd"
    ])
  })

  it("is refused when it has no frames although it should", () => {
    expect(() => read(Buffer.from("plain text of an error"), 100)).toThrow(NotFramed)
    expect(() => read(frame(7, "x"), 100)).toThrow(NotFramed)
  })

  it("waits for the rest of a frame that claims 4 GiB, without allocating it", () => {
    const header = Buffer.from([1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff])
    expect(read(Buffer.concat([header, Buffer.from("a\nb")]), 4).map(({ text }) => text)).toEqual(["a", "b"])
  })
})
