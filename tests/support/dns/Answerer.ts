/**
 * A resolver and the name server of all domains, on one loopback port. Each name of two labels is a zone with the
 * single server `ns.all.test` at 127.0.0.1. For tests that count queries or check thousands of domains; other tests use
 * real servers.
 */
import { createSocket, type Socket } from "node:dgram"
import packet from "dns-packet"

export interface Question {
  readonly name: string
  readonly type: string
  /** Whether the query asks a resolver (recursion desired) or a name server. */
  readonly recursive: boolean
  /** Time of the query, of performance.now(). Unit: milliseconds. */
  readonly at: number
}

export interface AnswererOptions {
  /** Answer to every A query except for the server's own name. */
  readonly ipv4: string
  /** Answer to every AAAA query; undefined: none. */
  readonly ipv6?: string
  /** Time to live of all answers. Unit: seconds. */
  readonly ttl: number
  readonly onQuestion?: (question: Question) => void
}

export const server = { name: "ns.all.test", address: "127.0.0.1" }

/** Receive buffer of the socket. Unit: bytes. Reason: the system default drops bursts of hundreds of queries. */
const buffer = 4 * 1024 * 1024

export class Answerer {
  readonly #socket: Socket = createSocket({ type: "udp4", recvBufferSize: buffer })
  readonly #options: AnswererOptions
  asked = 0

  constructor(options: AnswererOptions) {
    this.#options = options
    this.#socket.on("message", (message, { address, port }) => {
      const answer = this.answer(message)
      if (answer !== undefined) this.#socket.send(answer, port, address)
    })
  }

  /** Listens and resolves to its port. */
  start(port = 0): Promise<number> {
    return new Promise((resolve) => this.#socket.bind(port, server.address, () => resolve(this.#socket.address().port)))
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#socket.close(() => resolve()))
  }

  answer(message: Buffer): Buffer | undefined {
    const query = packet.decode(message)
    const [question] = query.questions ?? []
    if (question === undefined) return undefined
    const { name: spelled, type } = question
    const name = spelled.toLowerCase()
    const recursive = ((query.flags ?? 0) & packet.RECURSION_DESIRED) !== 0
    this.asked++
    this.#options.onQuestion?.({ name, type, recursive, at: performance.now() })
    const data = this.#data(name, type)
    return packet.encode({
      type: "response",
      id: query.id ?? 0,
      flags: packet.AUTHORITATIVE_ANSWER | (recursive ? packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE : 0),
      questions: [question],
      answers:
        data === undefined ? [] : [{ name: spelled, type: type as "A", class: "IN", ttl: this.#options.ttl, data }]
    })
  }

  #data(name: string, type: string): string | undefined {
    if (name === server.name) return type === "A" ? server.address : undefined
    if (type === "A") return this.#options.ipv4
    if (type === "AAAA") return this.#options.ipv6
    return type === "NS" && name.split(".").length <= 2 ? server.name : undefined
  }
}
