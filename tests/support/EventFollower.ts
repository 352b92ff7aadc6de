/**
 * A client of the event socket as a good one behaves: whenever it is cut off it comes back with the id that it saw
 * last.
 */
import { setTimeout as sleep } from "node:timers/promises"
import WebSocket from "ws"
import type { HeardEvent } from "./EventClient.ts"

/** How long it waits before it comes back, so that not all come at once. Unit: milliseconds. */
const pause = { least: 50, most: 500 }

export class EventFollower {
  readonly events: Array<HeardEvent> = []
  /** How often it was let in. */
  joined = 0
  /** Every code that a connection of it was closed with. */
  readonly codes: Array<number> = []
  #last: string | undefined
  #socket: WebSocket | undefined
  #ended = false
  readonly #base: () => string | undefined
  readonly #token: string
  readonly #address: string

  /** `base`: where the server is now, if it is anywhere. `address`: from where a trusted proxy says that it comes. */
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

  /** Cuts the connection, as a network does. */
  cut(): void {
    this.#socket?.terminate()
  }

  end(): void {
    this.#ended = true
    this.#socket?.terminate()
  }
}
