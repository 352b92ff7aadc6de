/**
 * The TLS socket of an imapflow client, read here before the library. imapflow has no hook for its input, so this file
 * uses Node's: the option `onread` of `tls.connect`, which imapflow's option `tls` passes on, gives the bytes to this
 * file instead of the stream. Node's diagnostics channel `net.client.socket` tells which socket is imapflow's. `push`
 * then puts the bytes meant for imapflow into the stream of that socket.
 */
import type { ImapFlow } from "imapflow"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type { OnReadOpts, Socket } from "node:net"
import type { ConnectionOptions, SecureContext } from "node:tls"
import { LibraryInput } from "./LibraryInput.ts"

/**
 * Buffer for all sockets. Unit: bytes. Reason: each chunk is read before the next one arrives, and TLS delivers at most
 * one record (RFC 8446 §5.1).
 */
const readBuffer = Buffer.allocUnsafeSlow(16 * 1024)

export class LibrarySocket {
  /** Options of imapflow for this socket. */
  readonly options: ConnectionOptions & { readonly onread: OnReadOpts }
  /**
   * Reads input instead of imapflow, if it returns true. The bytes are valid only during the call. It must not throw.
   */
  divert: (bytes: Buffer) => boolean = () => false
  readonly #input = new LibraryInput()
  readonly #exceeded: () => void
  #socket: Socket | undefined
  #over = false

  /** `exceeded` is called once, when the input exceeds a limit. imapflow gets no more input then. */
  constructor(secureContext: SecureContext, exceeded: () => void) {
    this.#exceeded = exceeded
    this.options = {
      secureContext,
      onread: {
        buffer: readBuffer,
        callback: (length, buffer) => {
          const bytes = Buffer.from(buffer.buffer, buffer.byteOffset, length)
          return this.divert(bytes) || this.pass(bytes)
        }
      }
    }
  }

  /** Connects the client that was made with `options`. Rejects with the errors of imapflow. */
  async connect(client: ImapFlow): Promise<void> {
    const created = (message: unknown) => {
      this.#socket ??= (message as { readonly socket: Socket }).socket
    }
    subscribe(channel, created)
    let connected: Promise<void>
    try {
      connected = client.connect()
    } finally {
      unsubscribe(channel, created)
    }
    if (this.#socket === undefined) {
      connected.catch(() => undefined)
      client.close()
      throw new Error("imapflow created no socket in connect()")
    }
    await connected
    // The library writes one command in several pieces. With Nagle's algorithm every second piece would wait 40 ms for
    // the server's delayed acknowledgement.
    this.#socket.setNoDelay(true)
  }

  /** Whether imapflow received only a part of a response. */
  get amid(): boolean {
    return this.#input.amid
  }

  /** Resets the limits for the next piece of work. */
  begin(): void {
    this.#input.begin()
  }

  write(text: string): void {
    this.#socket!.write(text, "latin1")
  }

  /** Passes input to imapflow. False: it cannot take more now. */
  pass(bytes: Buffer): boolean {
    const taken = this.#input.take(bytes)
    if (taken !== undefined) return this.#socket!.push(taken)
    if (!this.#over) {
      this.#over = true
      this.#exceeded()
    }
    return false
  }
}

const channel = "net.client.socket"
