/**
 * Reads the usual audio frames of a socket itself: complete, masked, binary frames that are one message each. All
 * frames of a segment are passed on as one message. Everything else goes to the receiver of the WebSocket library, byte
 * by byte as it came: control frames, text, parts of messages, frames that are too long or not complete yet, and
 * errors.
 *
 * Reason: the receiver costs about 12 µs a frame, and browsers send 62 frames a second. Source: RFC 6455 §5.2.
 */
import type { Duplex } from "node:stream"
import { WebSocket } from "ws"

/** First byte of the frames that are read here: final, binary, no extension. */
const finalBinary = 0x82

/** Kind of the frame that ends a connection. */
const closeFrame = 8

/** Longest header of a frame. Unit: bytes. */
const longestHeader = 14

const nothing = Buffer.alloc(0)

/**
 * Puts itself before the receiver of an open WebSocket, whose socket must not have given data yet. Messages are events
 * of the WebSocket, as before. `longest`: longest frame that is read here. Unit: bytes.
 */
export const readPlainFrames = (socket: Duplex, webSocket: WebSocket, longest: number): void => {
  const [receive, ...further] = socket.listeners("data")
  // Another version of the library may read its socket in another way.
  if (receive === undefined || further.length > 0) return
  socket.removeAllListeners("data")

  /** A header that is not complete. */
  let held: Buffer = nothing
  /** Bytes of the present frame that the receiver still gets. */
  let owed = 0
  /** Whether a message of several frames is open. */
  let inParts = false
  /** Whether the present frame is the last one: a close frame. */
  let isLast = false

  /** The library reads nothing further; the rest of the data is ignored. */
  const stop = (): void => {
    socket.removeListener("data", read)
    socket.on("data", () => undefined)
  }

  const read = (chunk: Buffer): void => {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    held = nothing
    /** Payloads that were read, moved together: they end before the frame that is read. */
    let first = 0
    let filled = 0
    const give = () => {
      if (filled > first) webSocket.emit("message", bytes.subarray(first, filled), true)
      first = filled
    }
    let at = Math.min(owed, bytes.length)
    if (at > 0) receive.call(socket, bytes.subarray(0, at))
    owed -= at
    while (at < bytes.length && !isLast) {
      const frame = readHeader(bytes, at)
      if (frame === undefined) break
      const { header, length, mask } = frame
      const from = at + header
      if (
        bytes[at] === finalBinary &&
        mask >= 0 &&
        !inParts &&
        length <= longest &&
        from + length <= bytes.length &&
        webSocket.readyState === WebSocket.OPEN
      ) {
        if (filled === first) first = filled = from
        unmask(bytes, mask, from, length, filled)
        filled += length
        at = from + length
        continue
      }
      // Data frames are 0 (a further part), 1 and 2; control frames may stand between the parts.
      if ((bytes[at]! & 0x0f) < 8) inParts = (bytes[at]! & 0x80) === 0
      isLast = (bytes[at]! & 0x0f) === closeFrame
      give()
      const end = Math.min(from + length, bytes.length)
      receive.call(socket, bytes.subarray(at, end))
      owed = from + length - end
      at = end
    }
    give()
    if (isLast && owed === 0) return stop()
    // A copy, because the segment is larger.
    held = at < bytes.length ? Buffer.from(bytes.subarray(at)) : nothing
  }
  socket.on("data", read)
  webSocket.once("error", stop)
}

/** Position of the mask in the bytes, or -1; undefined: the header is not complete. Unit of lengths: bytes. */
const readHeader = (
  bytes: Buffer,
  at: number
): { readonly header: number; readonly length: number; readonly mask: number } | undefined => {
  const rest = bytes.length - at
  if (rest < 2) return undefined
  const second = bytes[at + 1]!
  const short = second & 0x7f
  const size = short < 126 ? 2 : short === 126 ? 4 : longestHeader - 4
  const header = (second & 0x80) === 0 ? size : size + 4
  if (rest < header) return undefined
  const length =
    short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
  return { header, length, mask: header === size ? -1 : at + size }
}

/** Moves a payload to `to`, which is not behind `from`, and removes its mask. */
const unmask = (bytes: Buffer, mask: number, from: number, length: number, to: number): void => {
  const a = bytes[mask]!
  const b = bytes[mask + 1]!
  const c = bytes[mask + 2]!
  const d = bytes[mask + 3]!
  if ((a | b | c | d) === 0) {
    if (to !== from) bytes.copyWithin(to, from, from + length)
    return
  }
  const whole = length - (length % 4)
  for (let at = 0; at < whole; at += 4) {
    bytes[to + at] = bytes[from + at]! ^ a
    bytes[to + at + 1] = bytes[from + at + 1]! ^ b
    bytes[to + at + 2] = bytes[from + at + 2]! ^ c
    bytes[to + at + 3] = bytes[from + at + 3]! ^ d
  }
  if (length > whole) bytes[to + whole] = bytes[from + whole]! ^ a
  if (length > whole + 1) bytes[to + whole + 1] = bytes[from + whole + 1]! ^ b
  if (length > whole + 2) bytes[to + whole + 2] = bytes[from + whole + 2]! ^ c
}
