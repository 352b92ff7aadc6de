import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import fc from "fast-check"
import { closeSync, fstatSync, openSync } from "node:fs"
import { isJournal, parseJournalStream, prefixLines } from "#protocols/systemd/JournalPrefix.ts"

describe("prefixLines", () => {
  it("gives every line the syslog severity of its level", () => {
    assert.strictEqual(prefixLines("Fatal", "a"), "<2>a")
    assert.strictEqual(prefixLines("Error", "a\nb\r\nc"), "<3>a\n<3>b\n<3>c")
    assert.strictEqual(prefixLines("Warn", "a\n"), "<4>a\n")
    assert.deepStrictEqual(
      (["Info", "Debug", "Trace"] as const).map((level) => prefixLines(level, "")),
      ["<6>", "<7>", "<7>"]
    )
  })

  it("leaves no line without one, and no text lost", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string().map((text) => text.replace(/[\r\n]/g, "")),
          { minLength: 1 }
        ),
        (lines) => {
          const text = lines.join("\n")
          const prefixed = prefixLines("Error", text).split("\n")
          for (const line of prefixed.at(-1) === "" ? prefixed.slice(0, -1) : prefixed)
            assert.isTrue(line.startsWith("<3>"))
          assert.strictEqual(prefixed.map((line) => line.replace(/^<3>/, "")).join("\n"), text)
        }
      )
    )
  })
})

describe("the journal's stream", () => {
  it.each(["", "1", "1:", ":1", "a:b", "1:2:3", "-1:2", undefined])("%j is none", (value) => {
    assert.deepStrictEqual(parseJournalStream(value), Option.none())
  })

  it("holds numbers beyond 2^53", () => {
    assert.deepStrictEqual(
      parseJournalStream("8:18446744073709551615"),
      Option.some({ device: 8n, inode: 18446744073709551615n })
    )
  })

  it("is recognised by device and inode, not by the variable alone", () => {
    const descriptor = openSync("/dev/null", "w")
    const { dev, ino } = fstatSync(descriptor, { bigint: true })
    assert.isTrue(isJournal(descriptor, { JOURNAL_STREAM: `${dev}:${ino}` }))
    assert.isFalse(isJournal(descriptor, { JOURNAL_STREAM: `${dev}:${ino + 1n}` }))
    assert.isFalse(isJournal(descriptor, { JOURNAL_STREAM: `${dev + 1n}:${ino}` }))
    assert.isFalse(isJournal(descriptor, {}))
    closeSync(descriptor)
    assert.isFalse(isJournal(descriptor, { JOURNAL_STREAM: `${dev}:${ino}` }))
  })
})
