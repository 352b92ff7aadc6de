/** Test client of the event socket: authenticates, subscribes and collects frames. */
import { once } from "node:events"
import WebSocket from "ws"

export interface HeardEvent {
  readonly id: string
  readonly type: string
  readonly data: any
}

export class EventClient {
  readonly events: Array<HeardEvent> = []
  readonly controls: Array<{ readonly type: string; readonly data: any }> = []
  closed: { readonly code: number; readonly reason: string } | undefined
  /** Id of the last event, to send on reconnect. */
  last: string | undefined
  readonly socket: WebSocket
  readonly #listeners = new Set<() => void>()

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on("message", (data) => {
      const frame = JSON.parse(String(data))
      if (frame.id === undefined) this.controls.push(frame)
      else this.events.push(frame)
      if (frame.id !== undefined) this.last = frame.id
      if (frame.type === "subscribed") this.last ??= frame.data.last_event_id
      this.#tell()
    })
    socket.on("error", () => undefined)
    socket.on("close", (code, reason) => {
      this.closed = { code, reason: String(reason) }
      this.#tell()
    })
  }

  /** `base`: address of the daemon or the gateway, `http://…`. */
  static async connect(base: string): Promise<EventClient> {
    const socket = new WebSocket(`${base.replace("http", "ws")}/api/v1/ws`)
    const client = new EventClient(socket)
    await once(socket, "open")
    return client
  }

  /** Connects, authenticates and subscribes. */
  static async listening(
    base: string,
    auth: object,
    patterns: ReadonlyArray<string> = ["*"],
    lastEventId?: string
  ): Promise<EventClient> {
    const client = await EventClient.connect(base)
    client.say("auth", auth)
    client.say("subscribe", { patterns, ...(lastEventId === undefined ? {} : { last_event_id: lastEventId }) })
    await client.until(() => client.controls.some(({ type }) => type === "subscribed"))
    return client
  }

  say(type: string, data: unknown): void {
    this.socket.send(JSON.stringify({ type, data }))
  }

  /** Resolves when `look` is true. Rejects when the socket closes first, or after `milliseconds`. */
  until(look: () => boolean, milliseconds = 15_000): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (done: () => void) => {
        clearTimeout(timer)
        this.#listeners.delete(check)
        done()
      }
      const check = () => {
        if (look()) end(resolve)
        else if (this.closed !== undefined)
          end(() => reject(new Error(`closed: ${this.closed!.code} ${this.closed!.reason}`)))
      }
      const timer = setTimeout(
        () => end(() => reject(new Error(`not within ${milliseconds} ms; heard ${this.events.length} events`))),
        milliseconds
      )
      this.#listeners.add(check)
      check()
    })
  }

  end(): void {
    this.socket.terminate()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
