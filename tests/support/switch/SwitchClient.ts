/**
 * One client connection of the double: parses commands, keeps answers in order, and delays events while an `api`
 * command blocks.
 */
import type { Socket } from "node:net"
import { type DoubleEvent, writeEvent } from "./DoubleEvent.ts"

export interface Command {
  /** The first line of the command. */
  readonly line: string
  readonly headers: Readonly<Record<string, string>>
}

/** Time after which an unauthenticated connection is closed. Unit: real milliseconds. Source: mod_event_socket.c. */
const authTimeout = 25_000

const farewell = "Disconnected, goodbye.\nSee you at ClueCon! http://www.cluecon.com/\n"

export class SwitchClient {
  readonly socket: Socket
  authenticated = false
  /** Half-open: neither sends nor processes anything. */
  muted = false
  format: "json" | "plain" = "plain"
  readonly subscribed = new Set<string>()
  /** Subscribed subclasses of CUSTOM events. */
  readonly subclasses = new Set<string>()
  readonly #onCommand: (client: SwitchClient, command: Command) => void
  readonly #authTimer: ReturnType<typeof setTimeout>
  #input = ""
  #commands: Array<Command> = []
  #blocked: "no" | "reply" | "all" = "no"
  #held: Array<DoubleEvent> = []
  #ended = false

  constructor(socket: Socket, onCommand: (client: SwitchClient, command: Command) => void) {
    this.socket = socket
    this.#onCommand = onCommand
    this.#authTimer = setTimeout(() => this.authenticated || this.bye(), authTimeout).unref()
    socket.setEncoding("utf8")
    socket.on("data", (text: string) => this.#read(text))
    socket.on("end", () => this.bye())
    socket.on("error", () => undefined)
    socket.on("close", () => {
      this.#ended = true
      clearTimeout(this.#authTimer)
    })
  }

  write(text: string): void {
    if (!this.muted && !this.#ended) this.socket.write(text)
  }

  reply(text: string, headers = ""): void {
    this.write(`Content-Type: command/reply\nReply-Text: ${text}\n${headers}\n`)
  }

  response(body: string): void {
    this.write(`Content-Type: api/response\nContent-Length: ${Buffer.byteLength(body)}\n\n${body}`)
  }

  /** `all`: delays commands and events, like a blocking `api` command. `reply`: delays only commands. */
  block(what: "reply" | "all"): void {
    this.#blocked = what
  }

  unblock(): void {
    this.#blocked = "no"
    for (const event of this.#held.splice(0)) this.event(event)
    this.#pump()
  }

  event(event: DoubleEvent): void {
    if (!this.subscribed.has(event["Event-Name"])) return
    if (event["Event-Name"] === "CUSTOM" && !this.subclasses.has(event["Event-Subclass"] ?? "")) return
    if (this.#blocked === "all") this.#held.push(event)
    else this.write(writeEvent(event, this.format))
  }

  bye(notice = farewell): void {
    this.write(`Content-Type: text/disconnect-notice\nContent-Length: ${Buffer.byteLength(notice)}\n\n${notice}`)
    if (!this.muted) this.socket.end()
    this.#ended = true
  }

  #read(text: string): void {
    if (this.muted) return
    this.#input += text.replaceAll("\r\n", "\n")
    for (;;) {
      this.#input = this.#input.replace(/^\n+/, "")
      const end = this.#input.indexOf("\n\n")
      if (end === -1) break
      const [line = "", ...rest] = this.#input.slice(0, end).split("\n")
      this.#input = this.#input.slice(end + 2)
      const headers = Object.fromEntries(
        rest.map((header) => [
          header.slice(0, header.indexOf(":")).toLowerCase(),
          header.slice(header.indexOf(":") + 1).trim()
        ])
      )
      this.#commands.push({ line, headers })
    }
    this.#pump()
  }

  #pump(): void {
    while (this.#blocked === "no" && !this.#ended) {
      const command = this.#commands.shift()
      if (command === undefined) return
      this.#onCommand(this, command)
    }
  }
}
