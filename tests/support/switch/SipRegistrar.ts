/**
 * A registrar and proxy for SIP over WebSocket, for tests with two phones that call each other. It checks digest
 * passwords like FreeSWITCH (each nonce works once), forwards calls without state (RFC 3261 §16.11), and keeps one
 * contact per user. It carries no sound.
 */
import { createHash, randomUUID } from "node:crypto"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { type WebSocket, WebSocketServer } from "ws"

const md5 = (text: string) => createHash("md5").update(text).digest("hex")

interface Binding {
  readonly contact: string
  readonly socket: WebSocket
}

/** A message: start line, header fields and body. */
interface Parts {
  readonly start: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string
}

const parts = (text: string): Parts => {
  const end = text.indexOf("\r\n\r\n")
  const [start = "", ...lines] = text.slice(0, end).split("\r\n")
  return {
    start,
    headers: lines.map(
      (line) => [line.slice(0, line.indexOf(":")).trim(), line.slice(line.indexOf(":") + 1).trim()] as const
    ),
    body: text.slice(end + 4)
  }
}
const written = ({ body, headers, start }: Parts): string =>
  [start, ...headers.map(([name, value]) => `${name}: ${value}`), "", body].join("\r\n")
const first = ({ headers }: Parts, name: string): string | undefined =>
  headers.find(([own]) => own.toLowerCase() === name)?.[1]
const branchOf = (via: string | undefined): string => /;branch=([^;,\s]+)/.exec(via ?? "")?.[1] ?? ""
const userOf = (uri: string | undefined): string => /sips?:([^@;>]+)@/.exec(uri ?? "")?.[1] ?? ""
const hostOf = (uri: string): string => /sips?:(?:[^@;>]+@)?([^;:>]+)/.exec(uri)?.[1] ?? ""

const own = "registrar.invalid"

export class SipRegistrar {
  /** Start lines of received messages, in order. */
  readonly heard: Array<string> = []
  /** Users that unregistered, in order. */
  readonly released: Array<string> = []
  /** Passwords by user name. Other users are unknown. */
  readonly passwords = new Map<string, string>()
  /** Caller numbers shown in place of a user's own number, by user. Simulates an external caller. */
  readonly callers = new Map<string, string>()
  readonly sockets = new Set<WebSocket>()
  readonly #bindings = new Map<string, Binding>()
  readonly #nonces = new Set<string>()
  readonly #ways = new Map<string, WebSocket>()
  readonly #server: WebSocketServer

  private constructor(server: WebSocketServer) {
    this.#server = server
    server.on("connection", (socket) => {
      this.sockets.add(socket)
      socket.on("error", () => undefined)
      socket.on("close", () => {
        this.sockets.delete(socket)
        for (const [user, binding] of this.#bindings) if (binding.socket === socket) this.#bindings.delete(user)
      })
      socket.on("message", (data) => {
        const text = (data as Buffer).toString("utf8")
        if (text.trim() !== "") this.#take(parts(text), socket)
      })
    })
  }

  static async start(port = 0): Promise<SipRegistrar> {
    const server = new WebSocketServer({ port, host: "127.0.0.1", handleProtocols: () => "sip" })
    await once(server, "listening")
    return new SipRegistrar(server)
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Registered users. */
  get registered(): ReadonlyArray<string> {
    return [...this.#bindings.keys()].sort()
  }

  /** Cuts every connection without a close frame. */
  cut(): void {
    for (const socket of this.sockets) socket.terminate()
  }

  async stop(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #take(message: Parts, socket: WebSocket): void {
    this.heard.push(message.start)
    if (message.start.startsWith("SIP/2.0 ")) return this.#answered(message)
    const method = message.start.split(" ", 1)[0]!
    if (method === "REGISTER") return this.#register(message, socket)
    const begins = method === "INVITE" && !/;tag=/.test(first(message, "to") ?? "")
    if (begins && !this.#proven(message, "proxy-authorization", userOf(first(message, "from")))) {
      return this.#refuse(message, socket, "407 Proxy Authentication Required", [
        ["Proxy-Authenticate", this.#challenge(message)]
      ])
    }
    this.#pass(message, socket, begins)
  }

  #register(message: Parts, socket: WebSocket): void {
    const user = userOf(first(message, "to"))
    if (first(message, "authorization") === undefined)
      return this.#refuse(message, socket, "401 Unauthorized", [["WWW-Authenticate", this.#challenge(message)]])
    const proven = this.#proven(message, "authorization", user)
    if (proven === undefined)
      return this.#refuse(message, socket, "401 Unauthorized", [
        ["WWW-Authenticate", `${this.#challenge(message)}, stale=true`]
      ])
    if (!proven) return this.#refuse(message, socket, "403 Forbidden")
    const contact = first(message, "contact") ?? ""
    const expires = Number(/;expires=(\d+)/.exec(contact)?.[1] ?? first(message, "expires") ?? 300)
    if (expires === 0) {
      this.#bindings.delete(user)
      this.released.push(user)
    } else this.#bindings.set(user, { contact: /<([^>]+)>/.exec(contact)?.[1] ?? contact, socket })
    this.#refuse(message, socket, "200 OK", expires === 0 ? [] : [["Contact", contact]])
  }

  #challenge(message: Parts): string {
    const nonce = randomUUID()
    this.#nonces.add(nonce)
    return `Digest realm="${hostOf(first(message, "to") ?? "")}", nonce="${nonce}", algorithm=MD5, qop="auth"`
  }

  /** Whether the credentials are valid; undefined: the nonce was already used. Source: RFC 2617 §3.2.2. */
  #proven(message: Parts, header: string, user: string): boolean | undefined {
    const credentials = first(message, header)
    if (credentials === undefined) return false
    const of = (name: string) => new RegExp(`\\b${name}="?([^",]+)`).exec(credentials)?.[1] ?? ""
    if (!this.#nonces.delete(of("nonce"))) return undefined
    const ha1 = md5(`${user}:${of("realm")}:${this.passwords.get(user)}`)
    const ha2 = md5(`${message.start.split(" ", 1)[0]}:${of("uri")}`)
    return (
      this.passwords.has(user) &&
      of("response") === md5(`${ha1}:${of("nonce")}:${of("nc")}:${of("cnonce")}:auth:${ha2}`)
    )
  }

  /** Forwards a request to the called phone, or to the other side of a call. */
  #pass(message: Parts, socket: WebSocket, begins: boolean): void {
    const [method, uri = ""] = message.start.split(" ")
    const user = userOf(uri)
    const binding =
      this.#bindings.get(user) ?? [...this.#bindings.values()].find(({ contact }) => userOf(contact) === user)
    const via = first(message, "via")
    if (binding === undefined) return method === "ACK" ? undefined : this.#refuse(message, socket, "404 Not Found")
    this.#ways.set(branchOf(via), socket)
    const caller = this.callers.get(userOf(first(message, "from")))
    const headers = message.headers
      .filter(([name]) => !/^(route|proxy-authorization|authorization)$/i.test(name))
      .map(([name, value]) =>
        begins && caller !== undefined && /^from$/i.test(name)
          ? ([name, value.replace(/.*sip:[^@]+@/, `<sip:${caller}@`)] as const)
          : ([name, value] as const)
      )
    binding.socket.send(
      written({
        ...message,
        start: `${method} ${binding.contact} SIP/2.0`,
        headers: [
          ["Via", `SIP/2.0/WS ${own};branch=z9hG4bK.${branchOf(via)}`],
          ...(begins ? [["Record-Route", `<sip:${own};transport=ws;lr>`] as const] : []),
          ...headers
        ]
      })
    )
  }

  /** Forwards a response along the path of its request. */
  #answered(message: Parts): void {
    const at = message.headers.findIndex(([name]) => name.toLowerCase() === "via")
    const headers = message.headers.filter((_, index) => index !== at)
    this.#ways.get(branchOf(first({ ...message, headers }, "via")))?.send(written({ ...message, headers }))
  }

  #refuse(
    message: Parts,
    socket: WebSocket,
    status: string,
    more: ReadonlyArray<readonly [string, string]> = []
  ): void {
    const kept = message.headers.filter(([name]) => /^(via|from|call-id|cseq)$/i.test(name))
    const to = first(message, "to") ?? ""
    socket.send(
      written({
        start: `SIP/2.0 ${status}`,
        headers: [
          ...kept,
          ["To", /;tag=/.test(to) ? to : `${to};tag=${randomUUID()}`],
          ...more,
          ["Content-Length", "0"]
        ],
        body: ""
      })
    )
  }
}
