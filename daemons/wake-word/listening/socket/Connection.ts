/** One client of the audio socket: its bounds, and how many of its steps wait. */
import { randomUUID } from "node:crypto"
import type { RawData, WebSocket } from "ws"
import { TokenBucket } from "#core/limits/TokenBucket.ts"
import { stepBytes } from "../threads/AudioRing.ts"
import { type Bounds, type Closing, closing, farewellTime } from "./Bounds.ts"

/** Who listens. */
export interface Owner {
  readonly tenantId: number
  /** User of the ticket; null: a connection without ticket, or of a service token. */
  readonly userId: number | null
}

export interface ConnectionEvents {
  /** False: too much audio waits. `readOn` is called when there is room. */
  readonly audio: (bytes: Uint8Array) => boolean
  /** Steps of the connection that are computed. */
  readonly computed: () => number
  readonly ended: () => void
}

const pingText = JSON.stringify({ event: "ping" })

export class Connection {
  /** Id in events. */
  readonly id = randomUUID()
  readonly stream: number
  readonly owner: Owner
  /** Key of the model whose steps are computed. */
  model: string
  readonly #socket: WebSocket
  readonly #bounds: Bounds
  readonly #events: ConnectionEvents
  readonly #bucket: TokenBucket
  #closed = false
  #received = 0
  /** Computed steps at the last check. */
  #computed = 0
  #lastAudio: number
  #lastPing: number
  /** Last check that found a computed step since the one before, or time since which steps wait. */
  #servedAt: number
  #alive = true

  constructor(
    socket: WebSocket,
    stream: number,
    owner: Owner,
    model: string,
    bounds: Bounds,
    events: ConnectionEvents,
    now: number
  ) {
    this.#socket = socket
    this.stream = stream
    this.owner = owner
    this.model = model
    this.#bounds = bounds
    this.#events = events
    this.#bucket = new TokenBucket({ burst: bounds.burst, perSecond: bounds.rate }, now)
    this.#lastAudio = this.#lastPing = this.#servedAt = now
    socket.on("message", (data, isBinary) => this.#take(data, isBinary, Date.now()))
    socket.on("pong", () => (this.#alive = true))
    // The library itself closes with the code of RFC 6455.
    socket.on("error", () => undefined)
    socket.on("close", () => {
      this.#closed = true
      events.ended()
    })
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Complete steps that are not computed yet. */
  get waiting(): number {
    return Math.floor(this.#received / stepBytes) - this.#events.computed()
  }

  /** There is room for audio again. */
  readOn(): void {
    if (this.#socket.isPaused) this.#socket.resume()
  }

  /** Tells the client of a wake. */
  wake(score: number, word: string): void {
    if (!this.#closed) this.#socket.send(JSON.stringify({ event: "wake", score, word }))
  }

  /** Periodic check: silence, service in time, pings and a client that does not read. */
  look(now: number): void {
    if (this.#closed) return
    const computed = this.#events.computed()
    if (computed !== this.#computed) this.#servedAt = now
    this.#computed = computed
    const patience = computed === 0 ? this.#bounds.firstPatience : this.#bounds.patience
    if (this.waiting > 0 && now - this.#servedAt > patience) return this.close("late")
    if (now - this.#lastAudio > this.#bounds.idle) return this.close("idle")
    if (this.#socket.bufferedAmount > this.#bounds.unsent) return this.close("slow")
    if (now - this.#lastPing < this.#bounds.ping) return
    this.#lastPing = now
    if (!this.#alive && !this.#socket.isPaused) return this.#socket.terminate()
    this.#alive = false
    this.#socket.ping()
    this.#socket.send(pingText)
  }

  close(why: Closing): void {
    if (this.#closed) return
    this.#closed = true
    closeSocket(this.#socket, why)
  }

  #take(data: RawData, isBinary: boolean, now: number): void {
    if (this.#closed) return
    if (!isBinary) return this.close("text")
    const bytes = data as Buffer
    if (this.#bucket.take(bytes.length, now, 0) > 0) return this.close("overRate")
    if (this.waiting === 0) this.#servedAt = now
    this.#lastAudio = now
    this.#received += bytes.length
    if (!this.#events.audio(bytes)) this.#socket.pause()
  }
}

/** Closes a socket with a reason, and ends it when the client does not complete the closing handshake. */
export const closeSocket = (socket: WebSocket, why: Closing): void => {
  const [code, reason] = closing[why]
  socket.close(code, reason)
  if (socket.isPaused) socket.resume()
  setTimeout(() => socket.terminate(), farewellTime).unref()
}
