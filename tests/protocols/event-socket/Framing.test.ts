import { captureNames, spoken } from "#support/switch/Capture.ts"
import { Framing, maxBodyBytes, maxHeaderBytes, type Message } from "#protocols/event-socket/Framing.ts"
import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"

/** Parsed messages in a form that is fast to compare. */
const framed = (
  pieces: Iterable<Uint8Array>
): { readonly fault: string | undefined; readonly messages: ReadonlyArray<string> } => {
  const framing = new Framing()
  const messages: Array<Message> = []
  let fault: string | undefined
  for (const piece of pieces) {
    const result = framing.push(piece)
    messages.push(...result.messages)
    fault = result.fault
  }
  return {
    fault,
    messages: messages.map(({ body, contentType, headers }) =>
      JSON.stringify([contentType, headers, body.toString("latin1")])
    )
  }
}

function* cut(bytes: Buffer, at: ReadonlyArray<number>): Iterable<Buffer> {
  let from = 0
  for (const to of [...at].sort((a, b) => a - b)) {
    yield bytes.subarray(from, to)
    from = to
  }
  yield bytes.subarray(from)
}

const single = (bytes: Buffer): Iterable<Buffer> => Array.from(bytes.keys(), (at) => bytes.subarray(at, at + 1))
const text = (value: string) => Buffer.from(value)

describe("captures", () => {
  const streams = captureNames.flatMap((name) => spoken(name))

  it("holds a good many", () => {
    expect(captureNames.length).toBeGreaterThan(40)
    expect(streams.length).toBeGreaterThan(40)
  })

  it("frames each to its last byte, and the same whole and byte by byte", () => {
    for (const bytes of streams) {
      const whole = framed([bytes])
      expect(whole.fault).toBeUndefined()
      // The messages are also counted in the raw text: none is lost or invented.
      expect(whole.messages.length).toBe(
        bytes.toString("latin1").match(/Content-Type: (?:auth|command|api|text)\//g)?.length
      )
      expect(framed(single(bytes))).toEqual(whole)
    }
  }, 120_000)

  it("frames the same in whatever pieces it comes", () => {
    fc.assert(
      fc.property(
        fc
          .nat(streams.length - 1)
          .chain((index) => fc.tuple(fc.constant(index), fc.array(fc.nat(streams[index]!.length), { maxLength: 60 }))),
        ([index, at]) => {
          expect(framed(cut(streams[index]!, at))).toEqual(framed([streams[index]!]))
        }
      ),
      { numRuns: 100 }
    )
  }, 120_000)
})

describe("a message", () => {
  it("counts bytes, not characters", () => {
    const body = "Grüße 🚨"
    const bytes = text(
      `Content-Type: api/response\nContent-Length: ${Buffer.byteLength(body)}\n\n${body}Content-Type: auth/request\n\n`
    )
    const messages = new Framing().push(bytes).messages
    expect(messages.map(({ contentType }) => contentType)).toEqual(["api/response", "auth/request"])
    expect(messages[0]?.body.toString("utf8")).toBe(body)
    expect(framed(single(bytes))).toEqual(framed([bytes]))
  })

  it("may end its lines with CRLF, and may follow empty lines", () => {
    const [message] = new Framing().push(
      text("\n\r\nContent-Type: command/reply\r\nReply-Text: +OK bye\r\n\r\n")
    ).messages
    expect({ ...message?.headers }).toEqual({ "Content-Type": "command/reply", "Reply-Text": "+OK bye" })
  })

  it("keeps its body when the caller's buffer is written over", () => {
    const framing = new Framing()
    const head = text("Content-Length: 6\n\nabc")
    framing.push(head)
    head.fill(0)
    expect(framing.push(text("def")).messages[0]?.body.toString()).toBe("abcdef")
  })

  it("has headers of its own only", () => {
    const [message] = new Framing().push(text("__proto__: x\nconstructor: y\n\n")).messages
    expect(Object.entries(message?.headers ?? {})).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"]
    ])
  })
})

describe("a hostile peer", () => {
  it.each([
    ["a body beyond the bound", `Content-Length: ${maxBodyBytes + 1}\n\n`],
    ["a negative length", "Content-Length: -1\n\n"],
    ["a length that is none", "Content-Length: 1e3\n\n"],
    ["two lengths", "Content-Length: 3\nContent-Length: 4\n\n"],
    ["a line without a name", "hello\n\n"],
    ["an endless line", `X: ${"a".repeat(maxHeaderBytes)}`],
    ["endless headers", "X-y: 1\n".repeat(maxHeaderBytes / 7 + 1)]
  ])("is told by %s", (_, bytes) => {
    expect(framed([text(bytes)]).fault).toBeDefined()
    expect(
      framed([text("Content-Type: auth/request\n\n"), text(bytes), text("\n\nContent-Type: auth/request\n\n")]).messages
    ).toHaveLength(1)
  })

  it("gets a body of the greatest size", () => {
    const framing = new Framing()
    framing.push(text(`Content-Length: ${maxBodyBytes}\n\n`))
    expect(framing.push(Buffer.alloc(maxBodyBytes)).messages[0]?.body.length).toBe(maxBodyBytes)
  })

  it("breaks nothing with random bytes", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.uint8Array({ maxLength: 200 }),
            fc.constantFrom("Content-Length: 5\n", "\n", "\r\n", "a: b\n", ": ").map(text)
          ),
          { maxLength: 30 }
        ),
        (pieces) => {
          const whole = framed([Buffer.concat(pieces)])
          const pieced = framed(pieces)
          expect(pieced.messages).toEqual(whole.messages)
        }
      )
    )
  })
})
