/** One client of the event socket: what it may see, what it wants, and how far behind it reads. Decides nothing about events of others. */
import type { Redacted } from "effect"
import type { Duplex } from "node:stream"
import { WebSocket } from "ws"
import type { Permission } from "#core/auth/Permissions.ts"
import { permissionFor } from "#core/contracts/EventAccess.ts"
import { type Audience, compare, type FedEvent, type Position } from "#core/events/EventFeed.ts"
import { matches } from "#core/events/Events.ts"
import { type Closing, closing } from "./Frames.ts"

/** What may lie unsent for one client. Unit: bytes. Reason: minutes of a busy tenant; beyond that it is cheaper to come back than to be waited for. */
export const maxUnsent = 1024 * 1024

/** Frames of a client that may wait. Unit: frames. Reason: a client says little; who floods is closed. */
const maxWaiting = 32

/** What proved who it is, to be looked at again and again. */
export interface Proof {
  readonly kind: "user" | "service"
  readonly secret: Redacted.Redacted
}

export class Connection {
  readonly address: string
  /** Undefined before it has said who it is; null: the platform. */
  audience: Audience | undefined
  proof: Proof | undefined
  /** Of a user. */
  permissions: ReadonlySet<Permission> = new Set()
  patterns: ReadonlyArray<string> = []
  /** It gets what lies behind this; undefined: nothing, it does not listen or is catching up. */
  from: Position | undefined
  /** It has asked for events and catches up. */
  joining = false
  /** Whether it has answered the last ping. */
  alive = true
  closed = false
  readonly #socket: WebSocket
  readonly #raw: Duplex
  readonly #waiting: Array<string> = []
  #busy = false
  /** It has been asked about an event behind `from`. */
  #beyond = false
  #askedType: string | undefined
  #askedPatterns: ReadonlyArray<string> | undefined
  #asked = false

  constructor(socket: WebSocket, raw: Duplex, address: string) {
    this.#socket = socket
    this.#raw = raw
    this.address = address
    socket.on("pong", () => (this.alive = true))
  }

  /** Who it is, for the bound on connections. */
  get owner(): string {
    return this.audience === undefined
      ? `address ${this.address}`
      : this.audience === null
        ? "platform"
        : `user ${this.audience.userId}`
  }

  /** Frames are worked on one after the other; answers whether there is room for this one. */
  take(text: string, work: (text: string) => Promise<void>): boolean {
    if (this.#waiting.length >= maxWaiting) return false
    this.#waiting.push(text)
    if (!this.#busy) void this.#drain(work)
    return true
  }

  async #drain(work: (text: string) => Promise<void>): Promise<void> {
    this.#busy = true
    for (let text = this.#waiting.shift(); text !== undefined && !this.closed; text = this.#waiting.shift())
      await work(text)
    this.#busy = false
  }

  say(text: string): void {
    if (this.#hasRoom()) this.#socket.send(text)
  }

  /** Whether it is one that this event is for and that has not been told of it. */
  wants(event: FedEvent): boolean {
    if (this.from === undefined) return false
    // Events come in order: behind the first one that is beyond it, all are.
    if (!this.#beyond && !(this.#beyond = compare(event.at, this.from) > 0)) return false
    return this.asksFor(event)
  }

  /** Whether it asks for such events, and may see them within its tenant. */
  asksFor({ type, userId }: FedEvent): boolean {
    if (!this.#isOfPatterns(type)) return false
    if (this.audience === null) return true
    if (userId !== null) return this.audience?.userId === userId
    const permission = permissionFor(type)
    return permission === undefined || this.permissions.has(permission)
  }

  /** The answer for the last type is kept: a burst is of one type mostly, and every client is asked about every event. */
  #isOfPatterns(type: string): boolean {
    if (type !== this.#askedType || this.patterns !== this.#askedPatterns) {
      this.#askedType = type
      this.#askedPatterns = this.patterns
      this.#asked = this.patterns.some((pattern) => matches(pattern, type))
    }
    return this.#asked
  }

  /** Hands a whole frame to the socket; a client that has too much unsent is closed. */
  give(frame: Buffer): void {
    if (this.#hasRoom()) this.#raw.write(frame)
  }

  /** Looked at before a frame, not after: one that is longer than the bound by itself would never get to anybody. */
  #hasRoom(): boolean {
    // Behind the closing frame of either side nothing may follow (RFC 6455 §5.5.1).
    if (this.closed || this.#socket.readyState !== WebSocket.OPEN) return false
    if (this.#raw.writableLength <= maxUnsent) return true
    this.close("slow")
    return false
  }

  /** Bytes that it has not taken yet. */
  get unsent(): number {
    return this.#raw.writableLength
  }

  ping(): void {
    this.alive = false
    this.#socket.ping()
  }

  /** Asks for a sign of life, to be given soon. */
  probe(): void {
    if (!this.alive) return
    this.ping()
    setTimeout(() => this.alive || this.terminate(), probeTime).unref()
  }

  close(why: Closing): void {
    if (this.closed) return
    this.closed = true
    const [code, reason] = closing[why]
    this.#socket.close(code, reason)
    this.#terminateSoon()
  }

  /** What it sent is no WebSocket; the library says goodbye with the code that RFC 6455 has for it. */
  fail(): void {
    this.closed = true
    this.#terminateSoon()
  }

  terminate(): void {
    this.closed = true
    this.#socket.terminate()
  }

  /** One that reads nothing does not read the farewell either. */
  #terminateSoon(): void {
    setTimeout(() => this.#socket.terminate(), farewellTime).unref()
  }
}

/** How long a sign of life may take that somebody waits for. Unit: milliseconds. */
const probeTime = 3_000

/** How long a closing handshake may take. Unit: milliseconds. */
const farewellTime = 2_000
