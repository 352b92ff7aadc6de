/** Controls the process of the load client. */
import type { ChildProcess } from "node:child_process"
import { ask, end, start } from "./Child.ts"
import type { Order, Outcome } from "./Load.ts"

export class LoadClient {
  readonly #child: ChildProcess = start("Load.ts")

  /** Runs one order. Rejects when an answer was not as expected. */
  async run(order: Order): Promise<Outcome> {
    const outcome = await ask<Outcome>(this.#child, order)
    if (outcome.failure !== undefined) throw new Error(`port ${order.port}: ${outcome.failure}`)
    return outcome
  }

  end(): Promise<void> {
    return end(this.#child)
  }
}

/** Authorization header of a caller. */
export const basicOf = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`

/** A form POST as a mail server sends it. */
export const post = (path: string, authorization: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: dovecot-oauth2-passdb/2.3.19.1\r\nConnection: Keep-Alive\r\n` +
  `Authorization: ${authorization}\r\n` +
  `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`
