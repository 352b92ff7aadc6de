/**
 * Commands whose answers the IMAP library does not take apart: it reads an answer in ten times the time that the server needs for it. They go
 * over its own connection, while it has no command of its own there, several in one breath. What comes unasked is handed on to it.
 */
import type { ImapFlow } from "imapflow"
import type { Socket } from "node:net"
import { bytesOf, type Line, type LineFault, Lines } from "#protocols/imap-watch/Lines.ts"
import { maxAnswers, maxBytes, ofOneRawAnswer } from "./AnswerLimits.ts"

/** Of the library: what it is given to read, and where it writes. */
interface Inside {
  readonly streamer: {
    write: (chunk: Buffer) => boolean
    _transform: (chunk: Buffer, encoding: BufferEncoding, next: () => void) => void
    readonly writableLength: number
  }
  readonly socket: Socket
}

interface Exchange {
  /** Not answered yet. */
  readonly tags: Set<string>
  readonly take: (line: Line) => boolean
  readonly settle: (failure?: Error) => void
  refusal: Error | undefined
  /** Something was said that was not asked for. */
  news: boolean
  answers: number
  bytes: number
}

export class RawCommands {
  readonly #client: ImapFlow
  readonly #read: Inside["streamer"]["_transform"]
  readonly #lines = new Lines(ofOneRawAnswer)
  #exchange: Exchange | undefined
  #tag = 0
  /** The library has read a line only in part, as far as can be told by its end. */
  #amid = false

  /** To be called before the client connects. */
  constructor(client: ImapFlow) {
    this.#client = client
    const { streamer } = client as unknown as Inside
    this.#read = streamer._transform.bind(streamer)
    streamer._transform = (chunk, encoding, next) => {
      if (!this.#reads) {
        this.#amid = !lineEnd.test(chunk.toString("latin1", Math.max(0, chunk.length - longestMark)))
        return this.#read(chunk, encoding, next)
      }
      this.#hear(chunk)
      next()
    }
    const write = streamer.write.bind(streamer)
    // The stream's own machinery takes as long for a piece of an answer as it takes to read it.
    streamer.write = (chunk) => {
      if (!this.#reads || streamer.writableLength > 0) return write(chunk)
      this.#hear(chunk)
      return true
    }
  }

  /** What comes is read here. */
  get #reads(): boolean {
    return this.#exchange !== undefined || this.#lines.unfinished
  }

  /**
   * Sends these commands at once. `take` is given each answer without a tag, and says whether it was asked for; whatever else was said the
   * library has heard when this is done, and true is answered. Commands hold no literals. Throws as the library does.
   */
  async ask(commands: ReadonlyArray<string>, take: (line: Line) => boolean): Promise<boolean> {
    if (this.#amid) await this.#client.noop()
    const news = await this.#exchanged(commands, take)
    // Its answer comes after all that was handed on.
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
      ;(this.#client as unknown as Inside).socket.write(
        tagged.map(({ command, tag }) => `${tag} ${command}\r\n`).join(""),
        "latin1"
      )
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
      // Nobody above may see it: a socket would.
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
      this.#read(bytesOf(line), "latin1", () => undefined)
    }
  }
}

/** Ends a line that no literal follows. */
const lineEnd = /(?:^|[^}])\r?\n$/

/** Unit: bytes. */
const longestMark = 3

const tagForm = /^(P\d+) (OK|NO|BAD)(?: |$)(?:\[[^\]]*\] ?)?(.*)$/i

const codes: Readonly<Record<LineFault | "TooMuch", string>> = {
  TooLong: "LineTooLarge",
  LiteralTooLong: "LiteralTooLarge",
  TooMuch: "ResponseTooLarge",
  Malformed: "Unreadable"
}

const unread = (why: LineFault | "TooMuch"): Error =>
  Object.assign(new Error("an answer that is not read"), { code: codes[why] })

const refusal = (word: string, text: string): Error =>
  Object.assign(new Error("the server refused"), { responseStatus: word.toUpperCase(), responseText: text })

const connectionLost = (): Error => Object.assign(new Error("the connection is lost"), { code: "NoConnection" })
