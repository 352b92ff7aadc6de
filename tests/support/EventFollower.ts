/**
 * A well-behaved client of the event socket: after each disconnection it reconnects with the id of the last event that
 * it received.
 */
import { setTimeout as sleep } from "node:timers/promises"
import WebSocket from "ws"
import type { HeardEvent } from "./EventClient.ts"

/** Pause before a reconnect, random so that clients do not reconnect together. Unit: milliseconds. */
const pause = { least: 50, most: 500 }

export class EventFollower {
  readonly events: Array<HeardEvent> = []
  /** Number of accepted connections. */
  joined = 0
  /** Close codes of its connections. */
  readonly codes: Array<number> = []
  #last: string | undefined
  #socket: WebSocket | undefined
  #ended = false
  readonly #base: () => string | undefined
  readonly #token: string
  readonly #address: string

  /** `base`: current address of the server, if it has one. `address`: client address that a trusted proxy forwards. */
  constructor(base: () => string | undefined, token: string, address: string) {
    this.#base = base
    this.#token = token
    this.#address = address
    void this.#follow()
  }

  async #follow(): Promise<void> {
    while (!this.#ended) {
      const base = this.#base()
      if (base !== undefined) await this.#once(base)
      await sleep(pause.least + Math.random() * (pause.most - pause.least))
    }
  }

  #once(base: string): Promise<void> {
    return new Promise((resolve) => {
      const socket = new WebSocket(`${base.replace("http", "ws")}/api/v1/ws`, {
        headers: { "x-forwarded-for": this.#address },
        perMessageDeflate: false
      })
      this.#socket = socket
      const say = (type: string, data: unknown) => socket.send(JSON.stringify({ type, data }))
      socket.on("open", () => {
        say("auth", { token: this.#token })
        say("subscribe", { patterns: ["*"], ...(this.#last === undefined ? {} : { last_event_id: this.#last }) })
      })
      socket.on("message", (data) => {
        const frame = JSON.parse(String(data))
        if (frame.id !== undefined) {
          this.events.push(frame)
          this.#last = frame.id
        } else if (frame.type === "subscribed") {
          this.#last ??= frame.data.last_event_id
          this.joined += 1
        }
      })
      socket.on("error", () => undefined)
      socket.on("close", (code) => {
        this.codes.push(code)
        resolve()
      })
    })
  }

  /** Cuts the connection without a close frame, like a network failure. */
  cut(): void {
    this.#socket?.terminate()
  }

  end(): void {
    this.#ended = true
    this.#socket?.terminate()
  }
}
