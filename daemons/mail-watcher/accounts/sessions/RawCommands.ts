/**
 * Sends IMAP commands and reads their responses without the parser of imapflow, which takes 6.6 times as long for a
 * listed message as protocols/imap-watch (50 messages, imapflow 2.1.2, Node 24). The commands use the library's
 * connection while it runs no command itself; several commands go out in one write. Responses that no command requested
 * are passed to imapflow.
 */
import type { ImapFlow } from "imapflow"
import { bytesOf, type Line, type LineFault, Lines } from "#protocols/imap-watch/Lines.ts"
import { maxAnswers, maxBytes, ofOneRawAnswer } from "./AnswerLimits.ts"
import type { LibrarySocket } from "./LibrarySocket.ts"

interface Exchange {
  /** Tags of commands without a final response. */
  readonly tags: Set<string>
  readonly take: (line: Line) => boolean
  readonly settle: (failure?: Error) => void
  refusal: Error | undefined
  /** The server sent a response that no command requested. */
  news: boolean
  answers: number
  bytes: number
}

export class RawCommands {
  readonly #client: ImapFlow
  readonly #socket: LibrarySocket
  readonly #lines = new Lines(ofOneRawAnswer)
  #exchange: Exchange | undefined
  #tag = 0

  constructor(client: ImapFlow, socket: LibrarySocket) {
    this.#client = client
    this.#socket = socket
    socket.divert = (bytes) => {
      if (!this.#reads) return false
      this.#hear(bytes)
      return true
    }
  }

  /** Whether this class reads the input. */
  get #reads(): boolean {
    return this.#exchange !== undefined || this.#lines.unfinished
  }

  /**
   * Sends the commands in one write. `take` receives each untagged response and returns whether a command requested it.
   * All other responses go to imapflow; true is returned if there were any. Commands must not contain literals. Throws
   * errors of the library's form.
   */
  async ask(commands: ReadonlyArray<string>, take: (line: Line) => boolean): Promise<boolean> {
    if (this.#socket.amid) await this.#client.noop()
    const news = await this.#exchanged(commands, take)
    // The response to NOOP arrives after everything that was passed on.
    if (news) await this.#client.noop()
    return news
  }

  #exchanged(commands: ReadonlyArray<string>, take: (line: Line) => boolean): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (!this.#client.usable) return reject(connectionLost())
      const closed = () => settle(connectionLost())
      const settle = (failure?: Error) => {
        this.#exchange = undefined
        this.#client.off("close", closed)
        if (failure === undefined) resolve(exchange.news)
        else reject(failure)
      }
      const tagged = commands.map((command) => ({ command, tag: `P${++this.#tag}` }))
      const exchange: Exchange = {
        tags: new Set(tagged.map(({ tag }) => tag)),
        take,
        settle,
        refusal: undefined,
        news: false,
        answers: 0,
        bytes: 0
      }
      this.#exchange = exchange
      this.#client.on("close", closed)
      this.#socket.write(tagged.map(({ command, tag }) => `${tag} ${command}\r\n`).join(""))
    })
  }

  #hear(chunk: Buffer): void {
    const exchange = this.#exchange
    try {
      const { fault, lines } = this.#lines.push(chunk)
      for (const line of lines) this.#hearLine(line)
      if (fault !== undefined) throw unread(fault)
      if (exchange === undefined) return
      exchange.bytes += chunk.length
      exchange.answers += lines.length
      if (exchange.bytes > maxBytes || exchange.answers > maxAnswers) throw unread("TooMuch")
    } catch (error) {
      // An exception would end the socket's data handler.
      exchange?.settle(error as Error)
      this.#client.close()
    }
  }

  #hearLine(line: Line): void {
    const exchange = this.#exchange
    const answered = exchange === undefined ? null : tagForm.exec(line[0]!)
    if (exchange !== undefined && answered !== null && exchange.tags.delete(answered[1]!)) {
      if (answered[2]!.toUpperCase() !== "OK") exchange.refusal ??= refusal(answered[2]!, answered[3] ?? "")
      if (exchange.tags.size === 0) exchange.settle(exchange.refusal)
    } else if (exchange === undefined || !exchange.take(line)) {
      if (exchange !== undefined) exchange.news = true
      this.#socket.pass(bytesOf(line))
    }
  }
}

const tagForm = /^(P\d+) (OK|NO|BAD)(?: |$)(?:\[[^\]]*\] ?)?(.*)$/i

const codes: Readonly<Record<LineFault | "TooMuch", string>> = {
  TooLong: "LineTooLarge",
  LiteralTooLong: "LiteralTooLarge",
  TooMuch: "ResponseTooLarge",
  Malformed: "Unreadable"
}

const unread = (why: LineFault | "TooMuch"): Error =>
  Object.assign(new Error("a response that cannot be read"), { code: codes[why] })

const refusal = (word: string, text: string): Error =>
  Object.assign(new Error("the server refused"), { responseStatus: word.toUpperCase(), responseText: text })

const connectionLost = (): Error => Object.assign(new Error("the connection is lost"), { code: "NoConnection" })
