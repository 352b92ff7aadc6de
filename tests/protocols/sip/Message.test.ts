import fc from "fast-check"
import { capturedFrames } from "#support/switch/WebSocketCapture.ts"
import { describe, expect, it } from "vitest"
import * as Message from "#protocols/sip/Message.ts"

const head = [
  "Via: SIP/2.0/WSS a.invalid;branch=z9hG4bK1",
  "From: <sip:a@b>;tag=1",
  "To: <sip:a@b>",
  "Call-ID: 1",
  "CSeq: 1 REGISTER"
]
const text = (start = "REGISTER sip:b.test SIP/2.0", more: ReadonlyArray<string> = ["Content-Length: 0"], body = "") =>
  `${[start, ...head, ...more].join("\r\n")}\r\n\r\n${body}`
const why = (bytes: string | Buffer) => {
  const read = Message.read(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes)
  return read._tag === "Failure" ? read.failure : "message"
}

describe("Message", () => {
  it("writes back what a real switch and its clients said", () => {
    const messages = capturedFrames.filter(({ bytes }) => bytes.length > 4)
    expect(messages.length).toBeGreaterThan(60)
    let refused = 0
    for (const { bytes } of messages) {
      const read = Message.read(bytes)
      if (read._tag === "Failure") refused += 1
      else expect(Message.write(read.success).equals(bytes)).toBe(true)
    }
    // Two messages in one frame are refused.
    expect(refused).toBe(1)
  })

  it("knows compact names, folds and space before the colon, and keeps them", () => {
    const bytes = Buffer.from(
      `OPTIONS sip:b SIP/2.0\r\nv : SIP/2.0/WS\r\n  a\r\nf:x\r\nt:x\r\ni:7\r\nCSeq:1 OPTIONS\r\nm:<sip:a@b>\r\nl:\t2\r\n\r\n\0\xff`,
      "latin1"
    )
    const read = Message.read(bytes)
    if (read._tag === "Failure") throw new Error(read.failure)
    expect(read.success.headers.map(({ name }) => name)).toEqual([
      "via",
      "from",
      "to",
      "call-id",
      "cseq",
      "contact",
      "content-length"
    ])
    expect(Message.header(read.success, "via")).toBe("SIP/2.0/WS\r\n  a")
    expect(Message.write(read.success).equals(bytes)).toBe(true)
  })

  it("refuses what two parsers could read differently", () => {
    expect(why(text())).toBe("message")
    expect(why(text("SIP/2.0 200 "))).toBe("message")
    for (const start of [
      "REGISTER sip:b.test SIP/1.0",
      "REGISTER  sip:b SIP/2.0",
      "GET / HTTP/1.1",
      "SIP/2.0 99 x",
      "SIP/2.0 700 x",
      "REGISTER <sip:b> SIP/2.0",
      " A sip:b SIP/2.0",
      "A sip:b SIP/2.0\r\n x",
      "",
      "\r\nREGISTER sip:b.test SIP/2.0"
    ]) {
      expect(why(text(start)), start).not.toBe("message")
    }
    for (const line of [
      "X: a\nVia: b",
      "X: a\rVia: b",
      "X: a\0",
      "X: \x1b[2J",
      "no colon",
      ": x",
      "X y: z",
      "X\r\n : y"
    ]) {
      expect(why(text(undefined, [line, "Content-Length: 0"])), JSON.stringify(line)).not.toBe("message")
    }
    for (const length of [
      ["Content-Length: 1"],
      ["Content-Length: 0", "l: 0"],
      ["Content-Length: 0, 0"],
      ["Content-Length: -0"],
      ["Content-Length: 0x0"],
      ["Content-Length:"]
    ]) {
      expect(why(text(undefined, length)), length.join()).toBe("content_length")
    }
    expect(why(text() + text())).toBe("content_length")
    expect(why(text(undefined, [], text()))).toBe("content_length")
    expect(why(text(undefined, []))).toBe("message")
    for (const missing of head) expect(why(text().replace(`${missing}\r\n`, "")), missing).toBe("missing_header")
  })

  it("has a bound on everything", () => {
    const long = (length: number) => "x".repeat(length)
    expect(why(text(`REGISTER sip:${long(Message.maxStartLine)} SIP/2.0`))).toBe("start_line")
    expect(why(text(undefined, [`X: ${long(Message.maxHeader)}`]))).toBe("header_line")
    expect(why(text(undefined, [`X: a${"\r\n b".repeat(3_000)}`]))).toBe("header_line")
    expect(
      why(
        text(
          undefined,
          Array.from({ length: Message.maxHeaders }, () => "X: a")
        )
      )
    ).toBe("too_many_headers")
    expect(
      why(
        text(
          undefined,
          Array.from({ length: 10 }, () => `X: ${long(4_000)}`)
        )
      )
    ).toBe("too_long")
    expect(why(long(Message.maxHead + 1))).toBe("too_long")
    expect(why(text(undefined, [`Content-Length: ${Message.maxMessage}`], long(Message.maxMessage)))).toBe("too_long")
    const body = long(Message.maxMessage - 400)
    expect(why(text(undefined, [`Content-Length: ${body.length}`], body))).toBe("message")
  })

  it("is never surprised by bytes, and writes what it reads", () => {
    const pieces = fc.constantFrom(
      "\r\n",
      "\r",
      "\n",
      " ",
      "\t",
      ":",
      ",",
      ";",
      "<",
      ">",
      '"',
      "\\",
      "\0",
      "SIP/2.0",
      "Via",
      "v",
      "Content-Length: 0",
      "l:0",
      ...head,
      "REGISTER sip:b SIP/2.0"
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 40 }), fc.boolean(), (parts, whole) => {
        const bytes = Buffer.from(
          whole ? text(undefined, [`X: ${parts.join("")}`, "Content-Length: 0"]) : parts.join(""),
          "utf8"
        )
        const read = Message.read(bytes)
        if (read._tag === "Success") expect(Message.write(read.success).equals(bytes)).toBe(true)
      })
    )
  })
})
