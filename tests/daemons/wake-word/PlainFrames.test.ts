/** The reader of plain frames beside the receiver of the library: both must give the same audio, answers and closes. */
import fc from "fast-check"
import type { IncomingMessage } from "node:http"
import { type Duplex, duplexPair } from "node:stream"
import { expect, it } from "vitest"
import { type WebSocket, WebSocketServer } from "ws"
import { readPlainFrames } from "#daemons/wake-word/listening/socket/PlainFrames.ts"

const longest = 600

/** What a server sees and answers. */
interface Seen {
  readonly audio: Array<number>
  readonly texts: Array<string>
  readonly pings: Array<string>
  code: number | undefined
  failed: boolean
}

const request = {
  method: "GET",
  headers: {
    upgrade: "websocket",
    connection: "upgrade",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="
  }
} as unknown as IncomingMessage

/** Gives the chunks to a socket of the library, and waits until it has taken them all. */
const seenOf = async (chunks: ReadonlyArray<Buffer>, plain: boolean): Promise<Seen & { readonly messages: number }> => {
  const server = new WebSocketServer({ noServer: true, maxPayload: longest, perMessageDeflate: false })
  const [own, peer] = duplexPair() as [Duplex, Duplex]
  peer.resume()
  const seen: Seen = { audio: [], texts: [], pings: [], code: undefined, failed: false }
  let messages = 0
  const socket = await new Promise<WebSocket>((resolve) =>
    server.handleUpgrade(request, own, Buffer.alloc(0), (opened) => {
      if (plain) readPlainFrames(own, opened, longest)
      resolve(opened)
    })
  )
  socket.on("message", (data: Buffer, isBinary) => {
    messages++
    if (isBinary) seen.audio.push(...data)
    else seen.texts.push(data.toString())
  })
  socket.on("ping", (data) => seen.pings.push(data.toString()))
  socket.on("error", () => (seen.failed = true))
  const closed = new Promise<void>((resolve) =>
    socket.on("close", (code) => {
      seen.code = code
      resolve()
    })
  )
  for (const chunk of chunks) peer.write(chunk)
  peer.end()
  await closed
  return { ...seen, messages }
}

const frame = (first: number, payload: Buffer, mask: Buffer): Buffer => {
  const size =
    payload.length < 126
      ? Buffer.of(0x80 | payload.length)
      : Buffer.of(0x80 | 126, payload.length >> 8, payload.length & 255)
  return Buffer.concat([Buffer.of(first), size, mask, payload.map((byte, at) => byte ^ mask[at % 4]!)])
}

/** A message: audio in one frame, audio in two frames with a ping between them, a ping, or a text. */
const message = fc
  .record({
    kind: fc.constantFrom("audio", "audio", "audio", "parts", "ping", "text"),
    length: fc.integer({ min: 1, max: 520 }),
    mask: fc.uint8Array({ minLength: 4, maxLength: 4 }),
    value: fc.nat(255)
  })
  .map(({ kind, length, mask, value }) => {
    const key = Buffer.from(mask)
    const payload = Buffer.from(Array.from({ length }, (_, at) => (value + 7 * at) & 255))
    const letters = Buffer.from("abcdefgh".repeat(8)).subarray(0, 1 + (length % 60))
    if (kind === "audio") return frame(0x82, payload, key)
    if (kind === "ping") return frame(0x89, letters, key)
    if (kind === "text") return frame(0x81, letters, key)
    const half = length >> 1
    return Buffer.concat([
      frame(0x02, payload.subarray(0, half), key),
      frame(0x89, letters, key),
      frame(0x80, payload.subarray(half), key)
    ])
  })

const cut = (bytes: Buffer, sizes: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const chunks: Array<Buffer> = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!
    chunks.push(Buffer.from(bytes.subarray(at, at + size)))
    at += size
  }
  return chunks
}

const ends = {
  none: Buffer.alloc(0),
  close: Buffer.concat([
    frame(0x88, Buffer.of(3, 232), Buffer.alloc(4)),
    frame(0x82, Buffer.of(1, 2), Buffer.alloc(4))
  ]),
  long: frame(0x82, Buffer.alloc(longest + 1, 5), Buffer.alloc(4)),
  reserved: frame(0xc2, Buffer.of(1, 2, 3), Buffer.alloc(4)),
  unmasked: Buffer.of(0x82, 2, 1, 2),
  // A message begins while another one is open.
  nested: Buffer.concat([frame(0x02, Buffer.of(1), Buffer.alloc(4)), frame(0x82, Buffer.of(2), Buffer.alloc(4))])
}

it("sees what the library sees, in any chunking", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 1, maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...Object.values(ends)),
      async (messages, sizes, end) => {
        const all = Buffer.concat([...messages, end])
        const [{ messages: ours, ...plain }, { messages: theirs, ...library }] = await Promise.all([
          seenOf(cut(all, sizes), true),
          seenOf(cut(all, sizes), false)
        ])
        expect(plain).toEqual(library)
        expect(ours).toBeLessThanOrEqual(theirs)
      }
    ),
    { numRuns: 150 }
  )
})

it("gives all frames of a segment as one message", async () => {
  const frames = Array.from({ length: 20 }, (_, at) => frame(0x82, Buffer.alloc(512, at), Buffer.of(9, 8, 7, at)))
  const { audio, messages } = await seenOf([Buffer.concat(frames)], true)
  expect(messages).toBe(1)
  expect(audio).toEqual(Array.from({ length: 20 * 512 }, (_, at) => at >> 9))
})
