/**
 * A resolver and the name server of every domain at once, on one port of the loopback: each name of two labels is a
 * zone, whose only server is `ns.all.test` at 127.0.0.1. For what counts questions and asks thousands of domains; what
 * servers do otherwise is shown by real ones.
 */
import { createSocket, type Socket } from "node:dgram"
import packet from "dns-packet"

export interface Question {
  readonly name: string
  readonly type: string
  /** Of a resolver, or of a name server. */
  readonly recursive: boolean
  /** Unit: milliseconds of performance.now(). */
  readonly at: number
}

export interface AnswererOptions {
  /** Every A but the server's own. */
  readonly ipv4: string
  /** Every AAAA; undefined: there is none. */
  readonly ipv6?: string
  /** Unit: seconds. */
  readonly ttl: number
  readonly onQuestion?: (question: Question) => void
}

export const server = { name: "ns.all.test", address: "127.0.0.1" }

/** Unit: bytes. Reason: the system's own drops bursts of hundreds of questions. */
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

  /** Answers its port. */
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
