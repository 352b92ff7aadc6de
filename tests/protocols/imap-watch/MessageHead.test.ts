import { maxTextLength, readHead } from "#protocols/imap-watch/MessageHead.ts"
import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"

const utf8 = (text: string) => Buffer.from(text).toString("latin1")

describe("MessageHead", () => {
  it("gives the address alone, whatever stands before it", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["Ann <ann@example.test>", "ann@example.test"],
      ['"ceo@bank.test" <evil@example.test>', "evil@example.test"],
      ["ceo@bank.test <evil@example.test>", "evil@example.test"],
      ["Team: a@example.test, b@example.test;", "a@example.test"],
      ["=?utf-8?b?Y2VvQGJhbmsudGVzdA==?= <evil@example.test>", "evil@example.test"],
      ["", ""],
      ["undisclosed", ""]
    ]
    for (const [from, address] of cases)
      expect([from, readHead(`From: ${from}\r\n\r\n`).fromAddr]).toEqual([from, address])
  })

  it("reads a hostile sender in bounded time", () => {
    const round = () => {
      const begun = performance.now()
      for (let at = 0; at < 10; at++) readHead(`From: ${":".repeat(8_000)}`)
      return performance.now() - begun
    }
    // The shortest time of several, because the machine may do other work meanwhile. Without a bound it is a second.
    expect(Math.min(round(), round(), round())).toBeLessThan(400)
  })

  it("decodes a subject, folded, encoded, or in bytes", () => {
    const subject = (text: string) => readHead(`Subject: ${text}\r\nFrom: a@example.test\r\n\r\n`).subject
    expect(subject("=?iso-8859-1?q?Gr=FC=DFe?=\r\n =?utf-8?b?IOKCrA==?=")).toBe("Grüße €")
    expect(subject(utf8("Grüße"))).toBe("Grüße")
    expect(subject("Gr\u00fc\u00dfe")).toBe("Grüße")
    expect(subject("a\r\n\tb")).toBe("a b")
    expect(subject("=?utf-8?q?a=00=0D=0Ab?=")).toBe("a b")
    expect(subject("x".repeat(5_000))).toHaveLength(maxTextLength)
  })

  it("says only what a database takes, of anything at all", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "From: ",
        "Subject: ",
        "=?utf-16?b?2AA=?=",
        "=?utf-8?q?=00?=",
        "=?x?q?",
        "?=",
        "\r\n",
        " ",
        "<",
        ">",
        "@",
        '"',
        "(",
        ";",
        ":",
        "\ud800"
      ),
      fc.string({ unit: "binary", maxLength: 5 })
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { isDelivered: _, ...texts } = readHead(pieces.join(""))
        for (const text of Object.values(texts)) {
          expect(text.isWellFormed() && !/[\u0000-\u001f]/.test(text) && text.length <= maxTextLength).toBe(true)
        }
      })
    )
  })
})
