import { type Line, Lines, maxLineBytes, maxLiteralBytes } from "#protocols/imap-watch/Lines.ts"
import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"

const framed = (pieces: Iterable<Uint8Array>) => {
  const framing = new Lines()
  const lines: Array<Line> = []
  let fault: string | undefined
  for (const piece of pieces) {
    const result = framing.push(piece)
    lines.push(...result.lines)
    fault = result.fault
  }
  return { lines, fault }
}

const whole = (text: string) => framed([Buffer.from(text, "latin1")])

function* cut(bytes: Buffer, at: ReadonlyArray<number>): Iterable<Buffer> {
  let from = 0
  for (const to of [...at].sort((a, b) => a - b)) {
    yield bytes.subarray(from, to)
    from = to
  }
  yield bytes.subarray(from)
}

describe("Lines", () => {
  it("parts texts from literals", () => {
    expect(whole('* OK hi\r\n* LIST () "/" {5}\r\nNeu\u00c3\u00a4\r\n* LIST () {0+}\r\n {2}\r\n\r\n x\r\n')).toEqual({
      lines: [["* OK hi"], [`* LIST () "/" `, "Neu\u00c3\u00a4", ""], ["* LIST () ", "", " ", "\r\n", " x"]],
      fault: undefined
    })
  })

  it("is unfinished between the first byte and the end of a line", () => {
    const framing = new Lines()
    const after = (text: string) => {
      framing.push(Buffer.from(text, "latin1"))
      return framing.unfinished
    }
    expect(framing.unfinished).toBe(false)
    expect(["*", " OK", "\r\n", "* LIST {2}\r\n", "a\n", "\r\n"].map(after)).toEqual([
      true,
      true,
      false,
      true,
      true,
      false
    ])
  })

  it("takes words for people for no literal", () => {
    for (const line of ["* OK [ALERT] see {5}", "A1 NO no {99999999}", "+ idling {3}", "* BYE {1}"])
      expect(whole(`${line}\r\n`)).toEqual({ lines: [[line]], fault: undefined })
  })

  it("gives the same lines however the bytes are cut, and anything at all ends in lines or a fault", () => {
    const word = fc.constantFrom(
      '* LIST () "/" ',
      "{3}\r\n",
      "{0}\r\n",
      "abc",
      "\r\n",
      "\r",
      "\n",
      "{9}",
      "* OK ",
      "{10+}\r\n",
      "\u00ff",
      "\0",
      "(",
      '"'
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), fc.array(fc.nat(120), { maxLength: 12 }), (words, cuts) => {
        const bytes = Buffer.from(words.join(""), "latin1")
        const once = framed([bytes])
        expect(
          framed(
            cut(
              bytes,
              cuts.map((at) => Math.min(at, bytes.length))
            )
          )
        ).toEqual(once)
        expect(framed(Array.from(bytes.keys(), (at) => bytes.subarray(at, at + 1)))).toEqual(once)
        for (const line of once.lines) expect(line.length % 2).toBe(1)
      })
    )
  })

  it("refuses what is too long, before it has come", () => {
    const fits = "x".repeat(maxLineBytes - 2)
    expect(whole(`${fits}\r\n`).lines).toEqual([[fits]])
    expect(whole(`${fits}xx`).fault).toBeUndefined()
    expect(whole(`${fits}xxx`).fault).toBe("TooLong")
    expect(whole(`* LIST {${maxLiteralBytes}}\r\n`).fault).toBeUndefined()
    expect(whole(`* LIST {${maxLiteralBytes + 1}}\r\n`).fault).toBe("LiteralTooLong")
    const literal = `{${maxLiteralBytes}}\r\n${"x".repeat(maxLiteralBytes)}`
    expect(whole(`* LIST ${literal.repeat(maxLineBytes / maxLiteralBytes)}`).fault).toBe("TooLong")
  })

  it("refuses lone CR and LF and NUL, and says nothing more", () => {
    for (const bad of ["* OK a\n", "* OK a\rb\r\n", "* OK \0\r\n"])
      expect(whole(`* OK first\r\n${bad}* OK last\r\n`)).toEqual({ lines: [["* OK first"]], fault: "Malformed" })
  })
})
