/**
 * Clients of an event socket in a separate process. They use bare TCP, so that they cost little and the same with every
 * server. Messages of the parent control them: `open` connects, `hear` waits until each has received a number of
 * frames.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"

/** Opens `count` connections, sends `frames` on each, and waits for `greetings` frames on each. */
export interface Open {
  readonly kind: "open"
  readonly port: number
  readonly count: number
  readonly frames: ReadonlyArray<string>
  readonly greetings: number
}

/** Waits until each client has received `frames` more. The answer contains the times of the first and last frame. */
export interface Hear {
  readonly kind: "hear"
  readonly frames: number
}

/** Arrival times on `clock`. `each`: for every frame, the time at which the last client had it. */
export interface Heard {
  readonly first: number
  readonly last: number
  readonly each: ReadonlyArray<number>
}

/** Monotonic clock, shared by all processes of the machine. Unit: milliseconds. */
export const clock = (): number => Number(process.hrtime.bigint()) / 1e6

/** Connections opened at once. Reason: servers limit unauthenticated connections. */
const openedAtOnce = 50

class Receiver {
  heard = 0
  readonly socket: Socket
  #rest: Buffer = Buffer.alloc(0)
  readonly #onFrame: (frame: number) => void

  constructor(socket: Socket, onFrame: (frame: number) => void) {
    this.socket = socket
    this.#onFrame = onFrame
  }

  take(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    while (bytes.length - at >= 4) {
      const short = bytes[at + 1]! & 0x7f
      const end = at + (short < 126 ? 2 + short : 4 + bytes.readUInt16BE(at + 2))
      if (end > bytes.length) break
      at = end
      this.#onFrame(++this.heard)
    }
    this.#rest = bytes.subarray(at)
  }
}

/** A masked text frame whose mask is zero. */
const frameOf = (text: string): Buffer => {
  const payload = Buffer.from(text)
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 255])
  return Buffer.concat([head, Buffer.alloc(4), payload])
}

let receivers: Array<Receiver> = []
let wanted = Number.POSITIVE_INFINITY
let missing = 0
let first = 0
let base = 0
let each: Array<number> = []
let answer: ((heard: Heard) => void) | undefined

const onFrame = (frame: number): void => {
  if (answer === undefined) return
  const now = clock()
  if (first === 0) first = now
  each[frame - base - 1] = now
  if (frame === wanted && --missing === 0) answer({ first, last: now, each })
}

const open = async (order: Open): Promise<void> => {
  for (const { socket } of receivers) socket.destroy()
  receivers = []
  for (let index = 0; index < order.count; index += openedAtOnce) {
    await Promise.all(
      Array.from({ length: Math.min(openedAtOnce, order.count - index) }, async () => {
        const socket = connect({ host: "127.0.0.1", port: order.port, noDelay: true })
        socket.write(
          "GET /api/v1/ws HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        const [head] = (await once(socket, "data")) as [Buffer]
        if (!head.toString("latin1").startsWith("HTTP/1.1 101")) throw new Error(head.toString("latin1"))
        const receiver = new Receiver(socket, onFrame)
        socket.on("data", (chunk) => receiver.take(chunk))
        for (const text of order.frames) socket.write(frameOf(text))
        while (receiver.heard < order.greetings) await new Promise((resolve) => setTimeout(resolve, 2))
        receivers.push(receiver)
      })
    )
  }
  for (const receiver of receivers) receiver.heard = 0
}

process.on("message", (order: Open | Hear) => {
  if (order.kind === "open") return void open(order).then(() => process.send!("open"))
  base = receivers[0]?.heard ?? 0
  wanted = base + order.frames
  missing = receivers.length
  first = 0
  each = []
  answer = (heard) => {
    answer = undefined
    process.send!(heard)
  }
  process.send!("ready")
})
