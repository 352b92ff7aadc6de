// Parts of the alarm benchmark: the suite as a child process, a sink that records arrival times, an SMTP device, and
// memory and processor time read from /proc.

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect, createServer as createTcp, type Socket } from "node:net"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** HTTP receiver that records when the first request for each path arrives. */
export class Sink {
  readonly arrivals = new Map<string, number>()
  /** While true, the sink simulates a failing receiver: it answers 503 and records nothing. */
  away = false
  #server: Server | undefined
  #port = 0

  async start(port = 0): Promise<number> {
    this.#server = createServer((request, response) => {
      const at = performance.now()
      request.resume()
      request.on("end", () => {
        if (!this.away && !this.arrivals.has(request.url!)) this.arrivals.set(request.url!, at)
        response.writeHead(this.away ? 503 : 200).end()
      })
    })
    this.#server.listen(port, "127.0.0.1")
    await once(this.#server, "listening")
    return (this.#port = (this.#server.address() as AddressInfo).port)
  }

  get port(): number {
    return this.#port
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }
}

/** TCP proxy for IMAP that records when the server sends EXISTS by itself. */
export class Wire {
  readonly exists: Array<number> = []
  readonly port: number

  private constructor(port: number) {
    this.port = port
  }

  static async to(server: number): Promise<Wire> {
    const listener = createTcp((client) => {
      const upstream = connect({ host: "127.0.0.1", port: server, noDelay: true })
      client.setNoDelay(true)
      upstream.on("data", (chunk) => {
        if (/^\* \d+ EXISTS\r\n/m.test(chunk.toString("latin1"))) wire.exists.push(performance.now())
        client.write(chunk)
      })
      client.on("data", (chunk) => upstream.write(chunk))
      for (const [side, other] of [
        [client, upstream],
        [upstream, client]
      ] as const) {
        side.on("error", () => other.destroy())
        side.on("close", () => other.destroy())
      }
    })
    listener.listen(0, "127.0.0.1")
    await once(listener, "listening")
    const wire = new Wire((listener.address() as AddressInfo).port)
    listener.unref()
    return wire
  }
}

/** One SMTP connection that sends one mail after the other. */
export class Device {
  #socket: Socket
  #lines: AsyncIterator<string>

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  }

  static async connect(port: number): Promise<Device> {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true })
    socket.on("error", () => {})
    await once(socket, "connect")
    const device = new Device(socket)
    await device.#reply()
    await device.#say("EHLO bench.test")
    return device
  }

  async #reply(): Promise<string> {
    while (true) {
      const next = await this.#lines.next()
      if (next.done) throw new Error("the SMTP server hung up")
      if (/^\d{3}( |$)/.test(next.value)) return next.value
    }
  }

  #say(line: string): Promise<string> {
    this.#socket.write(`${line}\r\n`)
    return this.#reply()
  }

  /** Sends one mail. Returns the times of the final dot and of its 250 reply. */
  async send(subject: string): Promise<{ readonly dot: number; readonly accepted: number }> {
    await this.#say("MAIL FROM:<bench@example.test>")
    await this.#say("RCPT TO:<alarm@example.test>")
    await this.#say("DATA")
    this.#socket.write(`From: bench@example.test\r\nTo: alarm@example.test\r\nSubject: ${subject}\r\n\r\nbench\r\n`)
    const dot = performance.now()
    const reply = await this.#say(".")
    if (!reply.startsWith("250")) throw new Error(`refused: ${reply}`)
    return { dot, accepted: performance.now() }
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** `signalbox run …` as a child process. */
export class Suite {
  readonly readyAfter: number
  readonly addresses: Readonly<Record<string, string>>
  readonly child: ChildProcess

  private constructor(child: ChildProcess, readyAfter: number, addresses: Readonly<Record<string, string>>) {
    this.child = child
    this.readyAfter = readyAfter
    this.addresses = addresses
  }

  static async start(env: Readonly<Record<string, string>>): Promise<Suite> {
    const before = performance.now()
    const child = spawn(`${root}bin/signalbox`, ["run", "alarm-bridge", "comm-dispatcher", "--json"], {
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], SIGNALBOX_LOG_LEVEL: "warn", ...env },
      stdio: ["ignore", "pipe", "inherit"]
    })
    const line = await Promise.race([
      once(createInterface(child.stdout!), "line") as Promise<[string]>,
      once(child, "exit").then(([code]) => Promise.reject(new Error(`signalbox ended with ${code}`)))
    ])
    return new Suite(child, performance.now() - before, JSON.parse(line[0]).addresses)
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const gone = once(this.child, "exit")
    this.child.kill(signal)
    await gone
  }
}

/** A process and all its descendants. */
const descendants = (pid: number): ReadonlyArray<number> => {
  const children = readdirSync("/proc")
    .map(Number)
    .filter((candidate) => {
      if (!(candidate > 0)) return false
      return statOf(candidate)?.[1] === String(pid)
    })
  return [pid, ...children.flatMap(descendants)]
}

/** Fields of /proc/PID/stat after the process name. */
const statOf = (pid: number): ReadonlyArray<string> | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  } catch {
    return undefined
  }
}

/** Proportional set size (PSS), which counts shared pages of Postgres's processes only once. Unit: MB. */
const memoryOf = (pid: number): number => {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Processor time since the start. Unit: seconds. The kernel counts ticks of 10 ms. */
const cpuOf = (pid: number): number => {
  const stat = statOf(pid)
  return stat === undefined ? 0 : (Number(stat[11]) + Number(stat[12])) / 100
}

/** Memory and processor time of the Node process and of its Postgres descendants. */
export const usage = (pid: number) => {
  const below = descendants(pid).slice(1)
  const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((a, b) => a + b, 0)
  return {
    node: { memory: memoryOf(pid), cpu: cpuOf(pid) },
    postgres: { memory: sum(below.map(memoryOf)), cpu: sum(below.map(cpuOf)) }
  }
}

export const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Waits until `done` is true. Throws after `seconds`. */
export const until = async (what: string, done: () => boolean, seconds: number): Promise<void> => {
  const deadline = performance.now() + seconds * 1000
  while (!done()) {
    if (performance.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`)
    await pause(5)
  }
}
