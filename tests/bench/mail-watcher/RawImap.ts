/**
 * A bare IMAP client over TLS that says what it is told and waits for the tagged answer: the floor that the daemon is
 * measured against.
 */
import { once } from "node:events"
import { connect, type TLSSocket } from "node:tls"

export class RawImap {
  readonly #socket: TLSSocket
  #tag = 0
  #tail = ""
  #waiting: { readonly mark: string; readonly resolve: () => void } | undefined
  /** Called with each chunk that comes while nothing is asked. */
  onIdle: ((chunk: string) => void) | undefined

  private constructor(socket: TLSSocket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on("data", (bytes) => {
      const waiting = this.#waiting
      const chunk = bytes.toString("latin1")
      if (waiting === undefined) return this.onIdle?.(chunk)
      // Only the end is looked at: a client that reads nothing is what cannot be beaten.
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

  /** Whole commands, with what follows their literals (LITERAL+), in one breath. */
  ask(...commands: ReadonlyArray<string>): Promise<void> {
    const text = commands.map((command) => `b${++this.#tag} ${command}\r\n`).join("")
    return this.#until(`b${this.#tag} OK`, text)
  }

  /** Begins to idle; `onIdle` gets what is said from now on. */
  idle(): Promise<void> {
    return this.#until("+ idling", `b${++this.#tag} IDLE\r\n`)
  }

  /** Ends the idling. */
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
