/** One client of the event socket: its permissions, its patterns, and its position. */
import type { Redacted } from "effect"
import type { Duplex } from "node:stream"
import { WebSocket } from "ws"
import type { Permission } from "#core/auth/Permissions.ts"
import { mayReceive } from "#core/contracts/EventAccess.ts"
import { type Audience, compare, type FedEvent, type Position } from "#core/events/EventFeed.ts"
import { matches } from "#core/events/Events.ts"
import { type Closing, closing } from "./Frames.ts"

/**
 * Maximum unsent data per client. Unit: bytes. Reason: minutes of a busy tenant; beyond that the client should
 * reconnect.
 */
export const maxUnsent = 1024 * 1024

/** Maximum number of queued frames of a client. Reason: clients send little; a flood is closed. */
const maxWaiting = 32

/** The token, which is verified repeatedly. */
export interface Proof {
  readonly kind: "user" | "service"
  readonly secret: Redacted.Redacted
}

export class Connection {
  readonly address: string
  /** Undefined before authentication; null: the platform. */
  audience: Audience | undefined
  proof: Proof | undefined
  /** Permissions of a user. */
  permissions: ReadonlySet<Permission> = new Set()
  patterns: ReadonlyArray<string> = []
  /** The client gets the events after this position; undefined: it is not subscribed, or is catching up. */
  from: Position | undefined
  /** Subscribed and catching up. */
  joining = false
  /** Whether the last ping was answered. */
  alive = true
  closed = false
  readonly #socket: WebSocket
  readonly #raw: Duplex
  readonly #waiting: Array<string> = []
  #busy = false
  /** An event after `from` has been seen. */
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

  /** Key of the connection limit. */
  get owner(): string {
    return this.audience === undefined
      ? `address ${this.address}`
      : this.audience === null
        ? "platform"
        : `user ${this.audience.userId}`
  }

  /** Queues a frame; frames are handled one after another. False when the queue is full. */
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

  /** Whether this event must be sent to the client. */
  wants(event: FedEvent): boolean {
    if (this.from === undefined) return false
    // Events are ordered: after the first one beyond `from`, all are.
    if (!this.#beyond && !(this.#beyond = compare(event.at, this.from) > 0)) return false
    return this.asksFor(event)
  }

  /** Whether the patterns match the event, and the client may see it within its tenant. */
  asksFor({ type, userId }: FedEvent): boolean {
    if (!this.#isOfPatterns(type)) return false
    if (this.audience === null) return true
    if (userId !== null) return this.audience?.userId === userId
    return mayReceive(type, this.permissions)
  }

  /**
   * The answer for the last type is cached: a burst has mostly one type, and every client is checked for every event.
   */
  #isOfPatterns(type: string): boolean {
    if (type !== this.#askedType || this.patterns !== this.#askedPatterns) {
      this.#askedType = type
      this.#askedPatterns = this.patterns
      this.#asked = this.patterns.some((pattern) => matches(pattern, type))
    }
    return this.#asked
  }

  /** Writes a complete frame; closes a client with too much unsent data. */
  give(frame: Buffer): void {
    if (this.#hasRoom()) this.#raw.write(frame)
  }

  /** Checked before a frame is written, so that a frame longer than the bound can be sent. */
  #hasRoom(): boolean {
    // No frame may follow a closing frame (RFC 6455 §5.5.1).
    if (this.closed || this.#socket.readyState !== WebSocket.OPEN) return false
    if (this.#raw.writableLength <= maxUnsent) return true
    this.close("slow")
    return false
  }

  /** Bytes not yet taken by the client. */
  get unsent(): number {
    return this.#raw.writableLength
  }

  ping(): void {
    this.alive = false
    this.#socket.ping()
  }

  /** Pings the client and terminates it without a quick answer. */
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

  /** The client's data violates the WebSocket protocol; the library closes with the code of RFC 6455. */
  fail(): void {
    this.closed = true
    this.#terminateSoon()
  }

  terminate(): void {
    this.closed = true
    this.#socket.terminate()
  }

  /** A client that reads nothing does not read the closing frame either. */
  #terminateSoon(): void {
    setTimeout(() => this.#socket.terminate(), farewellTime).unref()
  }
}

/** Time limit of a quick answer. Unit: milliseconds. */
const probeTime = 3_000

/** Time limit of a closing handshake. Unit: milliseconds. */
const farewellTime = 2_000
