import type { Incoming } from "../HttpDouble.ts"
import { HttpDouble } from "../HttpDouble.ts"

/**
 * - `500`: answers 500. `html502`: a gateway before it answers 502 with a page. `html200`: an unrelated page with 200.
 *   `redirect`: redirects to `redirectTo`.
 * - `cut-before`, `cut-after`: closes the socket without an answer, before or after doing the request. `hang`: never
 *   answers.
 * - `echo`: refuses, and repeats the credentials in the error text.
 */
export type ApiFailure = "500" | "html502" | "html200" | "redirect" | "cut-before" | "cut-after" | "hang" | "echo"

export interface ApiCall {
  readonly method: string
  /** Path with query. */
  readonly path: string
  /** Status of the answer; 0: none. */
  readonly status: number
  readonly body: unknown
}

/** Answer. `headers`: beside the content type; `json` undefined: no body. */
export interface Answered {
  readonly status: number
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Base of the doubles of provider APIs: a request log, ordered failures, a rate limit. */
export abstract class ApiDouble {
  /** Every request, in order. */
  readonly calls: Array<ApiCall> = []
  /** Target of `redirect`. */
  redirectTo = "http://127.0.0.1:9/"
  /** Whether a change fails, by its number (from 1, over all zones). */
  broken: (change: number) => boolean = () => false
  readonly #http = new HttpDouble((incoming) => this.#handle(incoming))
  readonly #failures: Array<{ readonly failure: ApiFailure; readonly changes: boolean }> = []
  #limited = 0

  start(): Promise<string> {
    return this.#http.start()
  }

  stop(): Promise<void> {
    return this.#http.stop()
  }

  /** The next requests fail like this, one failure each. */
  failNext(...failures: ReadonlyArray<ApiFailure>): void {
    this.#failures.push(...failures.map((failure) => ({ failure, changes: false })))
  }

  /** The next requests that change data fail like this, one failure each. */
  failNextChange(...failures: ReadonlyArray<ApiFailure>): void {
    this.#failures.push(...failures.map((failure) => ({ failure, changes: true })))
  }

  /** Removes the ordered failures. */
  mend(): void {
    this.#failures.length = 0
  }

  /** Answers the next requests with the rate limit error. */
  limitNext(requests: number): void {
    this.#limited = requests
  }

  /** All requests for a change, successful or not. */
  get changes(): ReadonlyArray<ApiCall> {
    return this.calls.filter(({ method }) => method !== "GET")
  }

  /** Performs one request and returns its answer. */
  protected abstract answer(method: string, url: URL, body: unknown, incoming: Incoming): Answered
  /** Rate limit answer of this API. */
  protected abstract tooMany(): Answered
  /** Refusal of this API with a text. */
  protected abstract refusal(text: string): Answered
  /** Credentials of the request. */
  protected abstract credentials(incoming: Incoming): string

  #handle(incoming: Incoming): void {
    const { body, request, response } = incoming
    const method = request.method ?? ""
    const path = request.url ?? ""
    const json = body === "" ? undefined : parsed(body)
    const called = (status: number) => this.calls.push({ method, path, status, body: json })
    const send = ({ headers = {}, json: value, status }: Answered) => {
      called(status)
      response.writeHead(status, { ...(value === undefined ? {} : { "content-type": "application/json" }), ...headers })
      response.end(value === undefined ? undefined : JSON.stringify(value))
    }
    const page = (status: number, headers = {}) => {
      called(status)
      response
        .writeHead(status, { "content-type": "text/html", ...headers })
        .end("<html><body><h1>Gateway</h1></body></html>")
    }
    if (this.#limited > 0) {
      this.#limited--
      return send(this.tooMany())
    }
    if (method !== "GET" && this.broken(this.changes.length + 1))
      return send({ ...this.refusal("internal error"), status: 500 })
    const at = this.#failures.findIndex(({ changes }) => !changes || method !== "GET")
    const failure = at < 0 ? undefined : this.#failures.splice(at, 1)[0]?.failure
    switch (failure) {
      case "500":
        return send({ ...this.refusal("internal error"), status: 500 })
      case "html502":
        return page(502)
      case "html200":
        return page(200)
      case "redirect":
        return page(301, { location: this.redirectTo })
      case "echo":
        return send(this.refusal(`these credentials are odd: ${this.credentials(incoming)}`))
      case "hang":
        return void called(0)
      case "cut-before":
        called(0)
        return void request.socket.destroy()
      case "cut-after":
        this.answer(method, new URL(path, "http://double"), json, incoming)
        called(0)
        return void request.socket.destroy()
      case undefined:
        return send(this.answer(method, new URL(path, "http://double"), json, incoming))
    }
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
