/**
 * A bank whose requests and whose receiver's tables show the steps of fetches, for tests that strike between two steps:
 * kill -9 of processes, or a restart of Postgres.
 */
import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { BankDouble } from "#support/bank/BankDouble.ts"

/**
 * Moments between two steps. `before`: the bank has the request and did nothing; `after`: it acted, and its answer is
 * lost. `stored`, `parsed`, `matched`: the tables show the result of the step.
 */
export const moments = [
  "before Initialisation",
  "after Initialisation",
  "before Transfer",
  "after Transfer",
  "before Receipt",
  "after Receipt",
  "stored",
  "parsed",
  "matched"
] as const
export type Moment = (typeof moments)[number]

export class SteppedBank {
  readonly double = new BankDouble({ segments: 3 })
  /** Files that got receipt 0 although they were not durable. Must stay empty. */
  readonly tooEarly: Array<number> = []
  readonly #files: ReadonlyArray<Buffer>
  readonly #isDurable: (sha256: string) => Promise<boolean>
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  /** Number of the file of each transaction. */
  readonly #fileOf = new Map<string, number>()
  #armed: { readonly moment: Moment; readonly strike: () => Promise<void> } | undefined

  constructor(files: ReadonlyArray<Buffer>, isDurable: (sha256: string) => Promise<boolean>) {
    this.#files = files
    this.#isDurable = isDurable
    this.double.offer("C53", ...files)
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ebics`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /**
   * Number of files that the bank no longer has. Two receipts may name the same file: a process that Postgres did not
   * hear for some seconds sends its receipt although another process has begun the fetch again.
   */
  get confirmed(): number {
    return this.#files.length - this.double.waiting("C53")
  }

  /** Strikes at the next such moment. */
  arm(moment: Moment, strike: () => Promise<void>): void {
    this.#armed = { moment, strike }
  }

  get isArmed(): boolean {
    return this.#armed !== undefined
  }

  /** Strikes no more. */
  disarm(): void {
    this.#armed = undefined
  }

  /** The moment has come. Resolves after the strike, if one was armed for it. */
  async reached(moment: Moment): Promise<boolean> {
    if (this.#armed?.moment !== moment) return false
    const { strike } = this.#armed
    this.#armed = undefined
    await strike()
    return true
  }

  async #serve(request: IncomingMessage, response: ServerResponse) {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const phase = /<TransactionPhase>(\w+)</.exec(text)?.[1] ?? "none"
    if (await this.reached(`before ${phase}` as Moment)) return void request.socket.destroy()
    if (text.includes("<ReceiptCode>0<")) {
      const file = this.#fileOf.get(idOf(text) ?? "")
      if (file !== undefined && !(await this.#isDurable(sha256(this.#files[file]!)))) this.tooEarly.push(file)
    }
    const next = this.confirmed
    const answer = this.double.answer(Buffer.from(text))
    const id = idOf(answer)
    if (phase === "Initialisation" && id !== undefined) this.#fileOf.set(id, next)
    if (await this.reached(`after ${phase}` as Moment)) return void request.socket.destroy()
    response.writeHead(200, { "content-type": "text/xml" }).end(answer)
  }
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const idOf = (xml: string) => /<TransactionID>(\w+)</.exec(xml)?.[1]
