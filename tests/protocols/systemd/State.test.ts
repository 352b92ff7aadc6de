import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { encode, extendTimeout, maxStatusBytes, ready, status, stopping, watchdog } from "#protocols/systemd/State.ts"

describe("encode", () => {
  it("uses the assignments of sd_notify(3)", () => {
    assert.deepStrictEqual([ready, stopping, watchdog].map(encode), ["READY=1", "STOPPING=1", "WATCHDOG=1"])
    assert.strictEqual(encode(status("3 mailboxes, grün")), "STATUS=3 mailboxes, grün")
    assert.strictEqual(encode(extendTimeout("1.5 seconds")), "EXTEND_TIMEOUT_USEC=1500000")
    // 0 would end the start instead of extending it.
    assert.strictEqual(encode(extendTimeout(0)), "EXTEND_TIMEOUT_USEC=1")
  })

  it("keeps a status from smuggling in a second assignment", () => {
    assert.strictEqual(encode(status("up\nREADY=1\r\nMAINPID=1\u2028x\0y")), "STATUS=up READY=1 MAINPID=1 x y")
  })

  it("for any text is one bounded line of well-formed UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
        const line = encode(status(text))
        assert.match(line, /^STATUS=[^\n\r\0]*$/u)
        assert.isTrue(line.isWellFormed())
        assert.isAtMost(Buffer.byteLength(line), "STATUS=".length + maxStatusBytes)
      })
    )
    assert.strictEqual(encode(status(`${"a".repeat(maxStatusBytes - 1)}ü`)), `STATUS=${"a".repeat(maxStatusBytes - 1)}`)
  })
})
