/**
 * One client and its own connection to the switch: messages are checked, rewritten and passed on; whichever side closes
 * takes the other along; a side that does not read stops the reading of the other. Decides nothing about other clients.
 */
import { isUtf8 } from "node:buffer"
import { type RawData, WebSocket } from "ws"
import * as Message from "#protocols/sip/Message.ts"
import { type Bounds, type Closing, closing, farewellTime } from "./Bounds.ts"
import { Logins } from "./Logins.ts"
import { type ClientSide, learn, toClient, toSwitch } from "./Rewrite.ts"

/** What a link tells of its client. */
export interface LinkEvents {
  /** Takes room for one frame; false: the client is over its rate. */
  readonly take: () => boolean
  readonly misused: (what: "malformed" | "over_rate") => void
  readonly loginRefused: () => void
  readonly passed: (to: "switch" | "client") => void
  /** A message of the switch's that is none; it is dropped, for the client has other calls. */
  readonly unreadable: (why: Message.Malformed) => void
  readonly ended: () => void
}

/** Both lines of a keep-alive, and its answer. Source: RFC 5626 §3.5.1. */
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
  /** Since when a side has more unsent than it may. */
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
    // The library closes with what RFC 6455 has for it.
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

  /** Looks at the clock: pings, silence, slowness. */
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
    // One that is not read at the moment cannot be heard answering; its slowness is looked at instead.
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
    // A text frame must be UTF-8 (RFC 6455 §5.6); a header in Latin-1 from the telephone network is not.
    this.#send("client", written, !isUtf8(written))
  }

  #send(to: "client" | "switch", bytes: Buffer, binary: boolean): void {
    const target = to === "client" ? this.#client : this.#switch
    target.send(bytes, { binary }, () => this.#pace(to, Date.now()))
    this.#pace(to, Date.now())
  }

  /**
   * Stops reading one side while the other one does not take what it was sent, and goes on when most of that is gone.
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

  /** What the client sent is no WebSocket, or longer than a message may be. */
  #fail(): void {
    if (this.#closed) return
    this.#closed = true
    this.#events.misused("malformed")
    this.#leave()
  }

  /** The client is gone. */
  #end(): void {
    this.#closed = true
    this.#leave()
    this.#events.ended()
  }

  #leave(): void {
    if (this.#switch.isPaused) this.#switch.resume()
    // The switch forgets the registration of a closed connection.
    if (this.#switch.readyState === WebSocket.OPEN) this.#switch.close(1000)
    // One that reads nothing does not read the farewell either.
    setTimeout(() => {
      this.#client.terminate()
      this.#switch.terminate()
    }, farewellTime).unref()
  }
}

const isKeepAlive = (bytes: Buffer): boolean =>
  (bytes.length === 4 || bytes.length === 2) && ping.startsWith(bytes.toString("latin1"))
