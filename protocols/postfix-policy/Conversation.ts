/**
 * One connection of Postfix's: reads requests, has each answered in its turn, ends when it stalls or stops making
 * sense.
 */
import { Duration, Result } from "effect"
import type { Socket } from "node:net"
import { Framing } from "./Framing.ts"
import { decode, type PolicyRequest } from "./PolicyRequest.ts"

/**
 * Requests that may come in one piece. Reason: Postfix waits for each answer; a handler that hangs must not be owed
 * hundreds.
 */
export const maxPipelined = 16

export interface ConversationOptions {
  readonly requestTimeout: Duration.Duration
  readonly idleTimeout: Duration.Duration
  /** Must never reject. */
  readonly answer: (request: PolicyRequest) => Promise<string>
  /** Told once, before the connection is ended. */
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
    // A reset is an end like any other.
    socket.on("error", () => undefined)
    socket.once("close", () => clearTimeout(this.#deadline))
    socket.on("data", (chunk: Buffer) => void this.#hear(chunk))
  }

  /** Nothing more is read until everything in this piece is answered. */
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

  /** Done when it is off our hands; a client that does not read runs into the idle time. */
  #write(text: string): Promise<void> {
    return new Promise((resolve) => this.#socket.write(text, () => resolve()))
  }

  #fault(why: string): void {
    if (this.#socket.destroyed) return
    this.#options.onFault(why)
    this.#socket.destroy()
  }
}
