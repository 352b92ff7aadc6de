/**
 * Connects one client to its own connection to the switch. Checks, rewrites and forwards messages. When one side
 * closes, the other is closed too. When one side stops reading, reading from the other side pauses.
 */
import { isUtf8 } from "node:buffer"
import { type RawData, WebSocket } from "ws"
import * as Message from "#protocols/sip/Message.ts"
import { type Bounds, type Closing, closing, farewellTime } from "./Bounds.ts"
import { Logins } from "./Logins.ts"
import { type ClientSide, learn, toClient, toSwitch } from "./Rewrite.ts"

/** Callbacks from a link to the proxy. */
export interface LinkEvents {
  /** Takes one frame from the rate limit; false when the client exceeds it. */
  readonly take: () => boolean
  readonly misused: (what: "malformed" | "over_rate") => void
  readonly loginRefused: () => void
  readonly passed: (to: "switch" | "client") => void
  /**
   * Reports an invalid message from the switch. The message is dropped and the connection stays, because it may carry
   * other calls.
   */
  readonly unreadable: (why: Message.Malformed) => void
  readonly ended: () => void
}

/** Keep-alive request and its response. Source: RFC 5626 §3.5.1. */
const ping = "\r\n\r\n"
const pong = "\r\n"

export class Link {
  readonly #client: WebSocket
  readonly #switch: WebSocket
  readonly #events: LinkEvents
  readonly #bounds: Bounds
  readonly #logins = new Logins()
  #side: ClientSide
  #closed = false
  #spoken = false
  #lastMessage: number
  #lastPing: number
  #alive = { client: true, switch: true }
  /** Time since which a side has too much unsent data. */
  #slowSince: { client: number | undefined; switch: number | undefined } = { client: undefined, switch: undefined }

  constructor(
    client: WebSocket,
    upstream: WebSocket,
    side: ClientSide,
    bounds: Bounds,
    events: LinkEvents,
    now: number
  ) {
    this.#client = client
    this.#switch = upstream
    this.#side = side
    this.#bounds = bounds
    this.#events = events
    this.#lastMessage = this.#lastPing = now
    client.on("message", (data, isBinary) => this.#fromClient(data, isBinary))
    client.on("ping", () => this.#admits())
    client.on("pong", () => this.#admits() && (this.#alive.client = true))
    // The library itself closes with the code of RFC 6455.
    client.on("error", () => this.#fail())
    client.on("close", () => this.#end())
    upstream.on("message", (data) => this.#fromSwitch(data))
    upstream.on("pong", () => (this.#alive.switch = true))
    upstream.on("error", () => undefined)
    upstream.on("close", () => this.close("switchAway"))
    if (upstream.readyState !== WebSocket.OPEN) this.close("switchAway")
  }

  close(why: Closing): void {
    if (this.#closed) return
    this.#closed = true
    const [code, reason] = closing[why]
    this.#client.close(code, reason)
    if (this.#client.isPaused) this.#client.resume()
    this.#leave()
  }

  /** Periodic check: idle time, slow sides and pings. */
  look(now: number): void {
    if (this.#closed) return
    const silent = now - this.#lastMessage
    if (silent > (this.#spoken ? this.#bounds.idle : this.#bounds.firstMessage)) return this.close("idle")
    this.#pace("client", now)
    this.#pace("switch", now)
    const { client, switch: upstream } = this.#slowSince
    if (client !== undefined && now - client > this.#bounds.slow) return this.close("slow")
    if (upstream !== undefined && now - upstream > this.#bounds.slow) return this.close("switchAway")
    if (now - this.#lastPing < this.#bounds.ping) return
    this.#lastPing = now
    // A paused side cannot deliver its pong. The check for slow sides above covers it.
    if (!this.#alive.client && !this.#client.isPaused) return this.#client.terminate()
    if (!this.#alive.switch && !this.#switch.isPaused) return this.close("switchAway")
    this.#alive = { client: false, switch: false }
    this.#client.ping()
    this.#switch.ping()
  }

  #admits(): boolean {
    if (this.#closed) return false
    if (this.#events.take()) return true
    this.#events.misused("over_rate")
    this.close("overRate")
    return false
  }

  #fromClient(data: RawData, isBinary: boolean): void {
    if (!this.#admits()) return
    const bytes = data as Buffer
    if (isKeepAlive(bytes)) {
      if (bytes.length === ping.length) this.#client.send(pong)
      return
    }
    const read = Message.read(bytes)
    if (read._tag === "Failure") {
      this.#events.misused("malformed")
      return this.close("badMessage")
    }
    this.#spoken = true
    this.#lastMessage = Date.now()
    this.#side = learn(this.#side, read.success)
    this.#logins.asked(read.success)
    this.#events.passed("switch")
    this.#send("switch", Message.write(toSwitch(read.success)), isBinary)
  }

  #fromSwitch(data: RawData): void {
    if (this.#closed) return
    const bytes = data as Buffer
    if (isKeepAlive(bytes)) {
      if (bytes.length === ping.length) this.#switch.send(pong)
      return
    }
    const read = Message.read(bytes)
    if (read._tag === "Failure") return this.#events.unreadable(read.failure)
    this.#lastMessage = Date.now()
    if (this.#logins.refused(read.success)) this.#events.loginRefused()
    const written = Message.write(toClient(read.success, this.#side))
    this.#events.passed("client")
    // Text frames must be UTF-8 (RFC 6455 §5.6), but the telephone network may send Latin-1 headers.
    this.#send("client", written, !isUtf8(written))
  }

  #send(to: "client" | "switch", bytes: Buffer, binary: boolean): void {
    const target = to === "client" ? this.#client : this.#switch
    target.send(bytes, { binary }, () => this.#pace(to, Date.now()))
    this.#pace(to, Date.now())
  }

  /**
   * Pauses reading from one side while the other side has too much unsent data, and resumes when at most half of the
   * limit is left.
   */
  #pace(to: "client" | "switch", now: number): void {
    const [target, source] = to === "client" ? [this.#client, this.#switch] : [this.#switch, this.#client]
    const waits = this.#slowSince[to] !== undefined
    if (!waits && target.bufferedAmount > this.#bounds.unsent) {
      this.#slowSince[to] = now
      source.pause()
    } else if (waits && target.bufferedAmount <= this.#bounds.unsent / 2) {
      this.#slowSince[to] = undefined
      if (source.isPaused) source.resume()
    }
  }

  /** The client broke the WebSocket protocol or sent a message that is too long. */
  #fail(): void {
    if (this.#closed) return
    this.#closed = true
    this.#events.misused("malformed")
    this.#leave()
  }

  /** The client's connection has closed. */
  #end(): void {
    this.#closed = true
    this.#leave()
    this.#events.ended()
  }

  #leave(): void {
    if (this.#switch.isPaused) this.#switch.resume()
    // The switch removes the registration when its connection closes.
    if (this.#switch.readyState === WebSocket.OPEN) this.#switch.close(1000)
    // A side that does not read does not complete the closing handshake either.
    setTimeout(() => {
      this.#client.terminate()
      this.#switch.terminate()
    }, farewellTime).unref()
  }
}

const isKeepAlive = (bytes: Buffer): boolean =>
  (bytes.length === 4 || bytes.length === 2) && ping.startsWith(bytes.toString("latin1"))
