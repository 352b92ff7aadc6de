/**
 * Clients of the audio socket in a separate process. They use bare TCP and frames that are prepared once, so that they
 * cost little. Messages of the parent control them.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"

/** Opens one connection for each address. All send the same audio again and again. */
export interface Open {
  readonly kind: "open"
  readonly urls: ReadonlyArray<string>
  /** Samples of 16 bits, little-endian. */
  readonly audio: Uint8Array
}

/** Each connection sends `frames` frames at once. The answer comes when each has heard `wakes` wakes. */
export interface Burst {
  readonly kind: "burst"
  readonly frames: number
  readonly wakes: number
}

/**
 * All connections send in real time, with their frames spread evenly over the time of a frame. The answer comes after
 * `seconds`.
 */
export interface Steady {
  readonly kind: "steady"
  readonly seconds: number
  /** Indexes of the frames that complete a step with a wake, counted from the first frame of the connection. */
  readonly wakeFrames: ReadonlyArray<number>
}

/** Result of a burst or a steady load. Times in milliseconds. */
export interface Outcome {
  readonly elapsed: number
  /** Of `steady`: time from sending the last byte of a step to receiving its wake event. */
  readonly latencies: ReadonlyArray<number>
  /** Of `steady`: number of expected wake events that did not arrive. */
  readonly missing: number
}

/** Size in bytes and duration in milliseconds of one frame of audio: 256 samples, as browsers usually send them. */
const frameBytes = 512
const frameTime = 16

/** Connections opened at once. */
const openedAtOnce = 20

/** Wait for the last wake events after a steady load. Unit: milliseconds. */
const settling = 2_000

/** A binary frame whose mask is zero. */
const frameOf = (payload: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([0x82, 0xfe, payload.length >> 8, payload.length & 255]), Buffer.alloc(4), payload])

/** Answer to a ping without payload. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

class Stream {
  readonly socket: Socket
  /** Frames sent. */
  sent = 0
  wakes = 0
  /** Times at which the frames that complete a wake's step were sent. Unit: milliseconds. */
  sentAt: Array<number> = []
  #rest: Buffer = Buffer.alloc(0)
  readonly #onWake: (stream: Stream) => void

  constructor(socket: Socket, onWake: (stream: Stream) => void) {
    this.socket = socket
    this.#onWake = onWake
    socket.on("data", (chunk) => this.take(chunk))
    socket.on("error", () => undefined)
  }

  take(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    while (bytes.length - at >= 2) {
      const end = at + 2 + (bytes[at + 1]! & 0x7f)
      if (end > bytes.length) break
      const kind = bytes[at]! & 0xf
      if (kind === 8) throw new Error(`closed: ${bytes.subarray(at + 4, end).toString()}`)
      if (kind === 9) this.socket.write(pong)
      if (kind === 1 && bytes.subarray(at, end).includes("wake")) {
        this.wakes++
        this.#onWake(this)
      }
      at = end
    }
    this.#rest = bytes.subarray(at)
  }
}

let streams: Array<Stream> = []
let frames: ReadonlyArray<Buffer> = []
let onWake: (stream: Stream) => void = () => undefined

const open = async ({ audio, urls }: Open): Promise<void> => {
  for (const { socket } of streams) socket.destroy()
  streams = []
  frames = Array.from({ length: audio.length / frameBytes }, (_, at) =>
    frameOf(audio.subarray(at * frameBytes, (at + 1) * frameBytes))
  )
  for (let at = 0; at < urls.length; at += openedAtOnce)
    streams.push(...(await Promise.all(urls.slice(at, at + openedAtOnce).map(connected))))
}

const connected = async (url: string): Promise<Stream> => {
  const { hostname, pathname, port, search } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.write(
    `GET ${pathname}${search} HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
  )
  const [head] = (await once(socket, "data")) as [Buffer]
  if (!head.toString("latin1").startsWith("HTTP/1.1 101")) throw new Error(head.toString("latin1"))
  return new Stream(socket, (stream) => onWake(stream))
}

const burst = async (order: Burst): Promise<Outcome> => {
  const begun = performance.now()
  let open = streams.length
  const done = new Promise<void>((resolve) => {
    onWake = ({ wakes }) => {
      if (wakes === order.wakes && --open === 0) resolve()
    }
  })
  for (const { socket } of streams)
    for (let frame = 0; frame < order.frames; frame++) socket.write(frames[frame % frames.length]!)
  await done
  return { elapsed: performance.now() - begun, latencies: [], missing: 0 }
}

const steady = async ({ seconds, wakeFrames }: Steady): Promise<Outcome> => {
  const latencies: Array<number> = []
  const ends = new Set(wakeFrames)
  onWake = ({ sentAt, wakes }) => void latencies.push(performance.now() - sentAt[wakes - 1]!)
  const begun = performance.now()
  // Frame `n` of stream `i` is due at `n * frameTime + shift(i)`.
  while (performance.now() - begun < seconds * 1_000) {
    const now = performance.now() - begun
    for (const [index, stream] of streams.entries()) {
      const due = Math.floor((now - (index * frameTime * frames.length) / streams.length) / frameTime)
      for (; stream.sent < due; stream.sent++) {
        stream.socket.write(frames[stream.sent % frames.length]!)
        if (ends.has(stream.sent)) stream.sentAt.push(performance.now())
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await new Promise((resolve) => setTimeout(resolve, settling))
  const missing = streams.reduce((sum, { sentAt, wakes }) => sum + sentAt.length - wakes, 0)
  return { elapsed: performance.now() - begun, latencies, missing }
}

process.on("message", (order: Open | Burst | Steady) => {
  const answer = order.kind === "open" ? open(order) : order.kind === "burst" ? burst(order) : steady(order)
  void answer.then((said) => process.send!(said ?? "open"))
})
process.on("disconnect", () => process.exit(0))
