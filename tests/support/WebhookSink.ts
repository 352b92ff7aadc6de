import type { IncomingHttpHeaders } from "node:http"
import { HttpDouble, type Incoming } from "./HttpDouble.ts"

export interface SinkRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly key: string | undefined
  /** Time at which the body was complete. Unit: epoch milliseconds. */
  readonly at: number
  /** Status of the answer, also when the caller disconnected before it; 0 for `cut` and `hang`. */
  readonly answered: number
}

/** Answer of the sink. `cut`: the socket closes without an answer, after the request is recorded. `hang`: no answer. */
export interface SinkBehaviour {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Time before the answer. Unit: milliseconds. */
  readonly delay?: number
  readonly cut?: boolean
  readonly hang?: boolean
}

/**
 * A webhook receiver on loopback. It records all requests and counts those that an idempotent receiver would process.
 */
export class WebhookSink {
  readonly requests: Array<SinkRequest> = []
  /** Behaviour without an entry of `next`. The function gets the request and the number of earlier ones on its path. */
  behaviour: SinkBehaviour | ((request: Omit<SinkRequest, "answered">, before: number) => SinkBehaviour) = {}
  readonly #seen = new Map<string, number>()
  readonly #http = new HttpDouble((incoming) => this.#handle(incoming))
  #next: Array<SinkBehaviour> = []

  start(port = 0): Promise<string> {
    return this.#http.start(port)
  }

  stop(): Promise<void> {
    return this.#http.stop()
  }

  /** The next requests get these answers, one each. */
  next(...behaviours: ReadonlyArray<SinkBehaviour>): void {
    this.#next.push(...behaviours)
  }

  /** Requests that a receiver with Idempotency-Key processes: the first of each key, and all without a key. */
  get acted(): ReadonlyArray<SinkRequest> {
    const keys = new Set<string>()
    return this.requests.filter(({ key }) => key === undefined || (!keys.has(key) && keys.add(key) !== undefined))
  }

  #handle({ body, request, response }: Incoming): void {
    const key = request.headers["idempotency-key"]
    const received = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body,
      key: typeof key === "string" ? key : undefined,
      at: Date.now()
    }
    const before = this.#seen.get(received.path) ?? 0
    this.#seen.set(received.path, before + 1)
    const behaviour = typeof this.behaviour === "function" ? this.behaviour(received, before) : this.behaviour
    const { body: answer = "", cut, delay = 0, hang, headers = {}, status = 200 } = this.#next.shift() ?? behaviour
    this.requests.push({ ...received, answered: cut || hang ? 0 : status })
    if (cut) return void request.socket.destroy()
    if (hang) return
    const respond = () => response.writeHead(status, headers).end(answer)
    if (delay === 0) return void respond()
    const timer = setTimeout(respond, delay)
    response.once("close", () => clearTimeout(timer))
  }
}
