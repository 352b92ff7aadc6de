/**
 * One connection from Postfix: reads requests and answers them in order. Closes the connection when it stalls or breaks
 * the protocol.
 */
import { Duration, Result } from "effect"
import type { Socket } from "node:net"
import { Framing } from "./Framing.ts"
import { decode, type PolicyRequest } from "./PolicyRequest.ts"

/**
 * Maximum number of requests in one chunk. Reason: Postfix waits for each answer, so more are a protocol violation. The
 * limit also bounds the work that queues up behind a slow handler.
 */
export const maxPipelined = 16

export interface ConversationOptions {
  readonly requestTimeout: Duration.Duration
  readonly idleTimeout: Duration.Duration
  /** Must never reject. */
  readonly answer: (request: PolicyRequest) => Promise<string>
  /** Called once, before the connection is closed. */
  readonly onFault: (why: string) => void
}

export class Conversation {
  readonly #framing = new Framing()
  readonly #socket: Socket
  readonly #options: ConversationOptions
  #deadline: NodeJS.Timeout | undefined

  constructor(socket: Socket, options: ConversationOptions) {
    this.#socket = socket
    this.#options = options
    socket.setTimeout(Duration.toMillis(options.idleTimeout), () => socket.destroy())
    // A connection reset is handled like a normal close.
    socket.on("error", () => undefined)
    socket.once("close", () => clearTimeout(this.#deadline))
    socket.on("data", (chunk: Buffer) => void this.#hear(chunk))
  }

  /** Reads no more input until all requests of this chunk are answered. */
  async #hear(chunk: Buffer): Promise<void> {
    this.#socket.pause()
    const { fault, requests } = this.#framing.push(chunk)
    if (requests.length > maxPipelined) return this.#fault(`more than ${maxPipelined} requests at once`)
    if (requests.length > 0) this.#relax()
    for (const attributes of requests) {
      const request = decode(attributes)
      if (Result.isFailure(request)) return this.#fault(request.failure)
      const answer = await this.#options.answer(request.success)
      if (this.#socket.destroyed) return
      await this.#write(answer)
    }
    if (fault !== undefined) return this.#fault(fault)
    if (this.#framing.unfinished) this.#hurry()
    this.#socket.resume()
  }

  #hurry(): void {
    this.#deadline ??= setTimeout(
      () => this.#fault("a request that does not end"),
      Duration.toMillis(this.#options.requestTimeout)
    )
  }

  #relax(): void {
    clearTimeout(this.#deadline)
    this.#deadline = undefined
  }

  /** Resolves when the socket has sent the text. A client that does not read is cut off by the idle timeout. */
  #write(text: string): Promise<void> {
    return new Promise((resolve) => this.#socket.write(text, () => resolve()))
  }

  #fault(why: string): void {
    if (this.#socket.destroyed) return
    this.#options.onFault(why)
    this.#socket.destroy()
  }
}
