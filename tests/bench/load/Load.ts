/**
 * Process of the load client. It sends prepared requests over kept-alive raw sockets, one at a time per socket, and
 * checks every answer. A status other than 200 and 304, or an
 * answer without the expected text, ends the run. The parent controls
 * it by messages (LoadClient.ts).
 */
import { connect, type Socket } from "node:net"

/** Number of connections. Source: the most that Dovecot's HTTP client opens for lookups (wire sheet). */
const connections = 10

/** Sends requests one after the other on each connection, until the time is over or each was sent once. */
export interface ClosedLoop {
  readonly kind: "closed"
  readonly port: number
  readonly requests: ReadonlyArray<string>
  /** Text that the body must contain. */
  readonly expect: string
  /** Unit: milliseconds; 0: send every request once. */
  readonly duration: number
}

/**
 * Sends requests at fixed times, independent of the answers. A latency counts from the time at which its request was
 * due.
 */
export interface OpenLoop {
  readonly kind: "open"
  readonly port: number
  readonly requests: ReadonlyArray<string>
  readonly expect: string
  readonly duration: number
  /** Requests per second. */
  readonly rate: number
}

export type Order = ClosedLoop | OpenLoop

export interface Outcome {
  readonly answered: number
  /** Duration of the run. Unit: milliseconds. */
  readonly elapsed: number
  /** Latencies of an open loop. Unit: milliseconds. */
  readonly latencies: ReadonlyArray<number>
  readonly failure?: string
}

/** One kept-alive connection. `ask` calls back when the complete answer has arrived. */
class Wire {
  readonly #socket: Socket
  readonly #expect: string
  #answer = ""
  #done: (() => void) | undefined

  private constructor(socket: Socket, expect: string, fail: (reason: string) => void) {
    this.#socket = socket
    this.#expect = expect
    socket.on("data", (chunk) => {
      this.#answer = this.#answer === "" ? chunk.toString("latin1") : this.#answer + chunk.toString("latin1")
      const text = this.#answer
      const head = text.indexOf("\r\n\r\n")
      if (head === -1) return
      // An answer without a body contains the expected text in its headers.
      const unchanged = text.startsWith("HTTP/1.1 304")
      if (text.length < head + 4 + (unchanged ? 0 : lengthIn(text, head))) return
      const good = unchanged || text.startsWith("HTTP/1.1 200")
      if (!good || !text.includes(this.#expect, unchanged ? 0 : head)) return fail(`answered ${text}`)
      const done = this.#done
      this.#answer = ""
      this.#done = undefined
      done?.()
    })
    socket.on("error", (error) => fail(error.message))
    socket.on("close", () => fail("the server closed a connection"))
  }

  static open(port: number, expect: string, fail: (reason: string) => void): Promise<Wire> {
    return new Promise((resolve) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(new Wire(socket, expect, fail)))
      socket.once("error", (error) => fail(error.message))
    })
  }

  get free(): boolean {
    return this.#done === undefined
  }

  ask(request: string, done: () => void): void {
    this.#done = done
    this.#socket.write(request, "latin1")
  }

  close(): void {
    this.#socket.removeAllListeners("close")
    this.#socket.destroy()
  }
}

/** Content-Length of the answer. All answers with a body have one. */
const lengthIn = (text: string, head: number): number => {
  const found = /\r\ncontent-length: (\d+)\r\n/i.exec(text.slice(0, head + 2))
  if (found === null) throw new Error(`no length in ${text}`)
  return Number(found[1])
}

const closed = (order: ClosedLoop, wires: ReadonlyArray<Wire>): Promise<Outcome> =>
  new Promise((resolve) => {
    const { requests } = order
    const began = performance.now()
    const end = order.duration === 0 ? Infinity : began + order.duration
    let sent = 0
    let answered = 0
    let busy = wires.length
    const next = (wire: Wire) => {
      if ((order.duration === 0 && sent >= requests.length) || performance.now() >= end) {
        if (--busy === 0) resolve({ answered, elapsed: performance.now() - began, latencies: [] })
        return
      }
      wire.ask(requests[sent++ % requests.length]!, () => {
        answered++
        next(wire)
      })
    }
    // Busy-waits instead of sleeping. Waking a process on a different core costs the server that writes to it as much
    // as an answer. A server slightly slower than the client would pay this for each answer, a slightly faster one
    // never.
    const stayAwake = () => {
      if (busy > 0) setImmediate(stayAwake)
    }
    stayAwake()
    for (const wire of wires) next(wire)
  })

const open = (order: OpenLoop, wires: ReadonlyArray<Wire>): Promise<Outcome> =>
  new Promise((resolve) => {
    const { rate, requests } = order
    const total = Math.round((order.duration / 1000) * rate)
    const latencies: Array<number> = []
    const began = performance.now()
    let sent = 0
    let turn = 0
    const send = () => {
      const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * rate))
      for (let looked = 0; looked < wires.length && sent < due; looked++) {
        // Uses the connections in turn, so that none idles until its server closes it.
        const wire = wires[turn++ % wires.length]!
        if (!wire.free) continue
        const dueAt = began + (sent / rate) * 1000
        wire.ask(requests[sent++ % requests.length]!, () => {
          latencies.push(performance.now() - dueAt)
          // Sends requests that are overdue because all connections were busy.
          send()
        })
      }
      if (latencies.length === total) {
        clearInterval(timer)
        resolve({ answered: total, elapsed: performance.now() - began, latencies })
      }
    }
    const timer = setInterval(send, 1)
  })

process.on("message", async (order: Order) => {
  let failure: string | undefined
  let broken: (outcome: Outcome) => void = () => {}
  const failed = new Promise<Outcome>((resolve) => (broken = resolve))
  const fail = (reason: string) => {
    failure ??= reason
    broken({ answered: 0, elapsed: 0, latencies: [], failure })
  }
  const opened = Promise.all(Array.from({ length: connections }, () => Wire.open(order.port, order.expect, fail)))
  const outcome = await Promise.race([
    failed,
    opened.then((wires) => (order.kind === "closed" ? closed(order, wires) : open(order, wires)))
  ])
  if (failure === undefined) for (const wire of await opened) wire.close()
  process.send!(outcome)
})
process.on("disconnect", () => process.exit(0))
