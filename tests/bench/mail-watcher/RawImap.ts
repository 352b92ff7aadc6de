/**
 * A bare IMAP client over TLS: sends commands and waits for the tagged answer. It is the baseline of the daemon's
 * measurement.
 */
import { once } from "node:events"
import { connect, type TLSSocket } from "node:tls"

export class RawImap {
  readonly #socket: TLSSocket
  #tag = 0
  #tail = ""
  #waiting: { readonly mark: string; readonly resolve: () => void } | undefined
  /** Called with each chunk that arrives without a pending command. */
  onIdle: ((chunk: string) => void) | undefined

  private constructor(socket: TLSSocket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on("data", (bytes) => {
      const waiting = this.#waiting
      const chunk = bytes.toString("latin1")
      if (waiting === undefined) return this.onIdle?.(chunk)
      // Checks only the end of the data. A client that parses nothing is the fastest possible baseline.
      this.#tail = (this.#tail + chunk).slice(-4096)
      if (!this.#tail.includes(waiting.mark)) return
      this.#waiting = undefined
      waiting.resolve()
    })
  }

  static async login(port: number, ca: string, user: string, password: string): Promise<RawImap> {
    const socket = connect({ host: "127.0.0.1", port, ca })
    await once(socket, "secureConnect")
    await once(socket, "data")
    const client = new RawImap(socket)
    await client.ask(`LOGIN ${user} ${password}`)
    return client
  }

  /** Sends complete commands at once, with their literals (LITERAL+), and waits for the last one. */
  ask(...commands: ReadonlyArray<string>): Promise<void> {
    const text = commands.map((command) => `b${++this.#tag} ${command}\r\n`).join("")
    return this.#until(`b${this.#tag} OK`, text)
  }

  /** Starts IDLE. `onIdle` gets the data from now on. */
  idle(): Promise<void> {
    return this.#until("+ idling", `b${++this.#tag} IDLE\r\n`)
  }

  /** Ends IDLE. */
  async done(then?: () => void): Promise<void> {
    await this.#until(`b${this.#tag} OK`, "DONE\r\n")
    then?.()
  }

  close(): void {
    this.#socket.destroy()
  }

  #until(mark: string, text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#tail = ""
      this.#waiting = { mark, resolve }
      this.#socket.write(text)
    })
  }
}
