/**
 * One TLS connection to an IMAP server. It decodes responses, hands each tagged answer to the waiting command, and
 * passes all other responses to the watcher. It never waits, and between reads it keeps only an unfinished line. It
 * does not decide which commands to send.
 */
import { Deferred, Effect, Result } from "effect"
import { isIP } from "node:net"
import { connect, type SecureContext, type TLSSocket } from "node:tls"
import * as Commands from "./Commands.ts"
import { type ImapWatchReason, kept } from "./ImapWatchError.ts"
import { Lines } from "./Lines.ts"
import { read, type Response } from "./Untagged.ts"

/**
 * Idle time after which TCP keep-alive checks the peer; without an answer the connection ends 10 s later. Unit:
 * milliseconds.
 */
const keepAliveAfter = 60_000

/**
 * Limit for sending LOGOUT. Unit: milliseconds. Reason: LOGOUT is only a courtesy; the server also notices the closed
 * connection.
 */
const farewellTime = 1_000

/**
 * Limits the time spent on reading one connection: `readAtOnce` milliseconds at once, and then a share `readShare` of
 * the time. Reason: a server that sends without end would occupy the whole event loop. 10,000 messages that arrive
 * together are read within `readAtOnce`.
 */
const readAtOnce = 500
const readShare = 0.05

export type State = Extract<Response, { readonly _tag: "State" }>
export type Answered = Deferred.Deferred<State, ImapWatchReason>

export interface WireOptions {
  readonly host: string
  readonly port: number
  /** Host name for SNI and certificate validation. Default: `host`, unless it is an IP address. */
  readonly servername?: string | undefined
  /**
   * TLS context shared by all connections; made by `tls.createSecureContext`. Reason: a separate context costs about 20
   * KB per connection.
   */
  readonly secureContext: SecureContext
}

export interface WireEvents {
  /** Receives an untagged response. A returned reason ends the connection. */
  readonly hear: (response: Response) => ImapWatchReason | undefined
  /** Called once, at the end. */
  readonly ended: (reason: ImapWatchReason) => void
}

export interface Idle {
  readonly idling: Deferred.Deferred<void, ImapWatchReason>
  readonly answered: Answered
}

interface Pending {
  readonly tag: string
  readonly name: string
  /** Pieces that are not sent yet. */
  readonly pieces: Array<string>
  readonly answered: Answered
  /** For an IDLE: completes when the server sends `+`. */
  readonly idling: Deferred.Deferred<void, ImapWatchReason> | undefined
  /** For an IDLE: whether DONE was sent. */
  done: boolean
}

export class Wire {
  /** Completes with the server's greeting. */
  readonly greeted: Answered = Deferred.makeUnsafe()
  readonly #socket: TLSSocket
  readonly #events: WireEvents
  readonly #lines = new Lines()
  /** Commands in the order in which they were sent. */
  readonly #pending: Array<Pending> = []
  #unsent = ""
  #tag = 0
  #over: ImapWatchReason | undefined
  /** Time spent on reading, minus the allowed share of the time since. Unit: milliseconds. */
  #spent = 0
  #readAt = 0

  /** Starts to connect. */
  constructor(options: WireOptions, events: WireEvents) {
    this.#events = events
    this.#socket = connect({
      host: options.host,
      port: options.port,
      secureContext: options.secureContext,
      ...(options.servername !== undefined
        ? { servername: options.servername }
        : isIP(options.host) === 0
          ? { servername: options.host }
          : {})
    })
    this.#socket.setKeepAlive(true, keepAliveAfter)
    this.#socket.setNoDelay(true)
    this.#socket.on("data", (bytes) => this.#inTurn(bytes))
    this.#socket.on("error", (error: NodeJS.ErrnoException) => this.#broken(error.code ?? "socket error"))
    this.#socket.on("close", () => this.#broken("closed by the server"))
  }

  /**
   * Sends a command; the returned deferred completes with its tagged answer. Fails while another command waits for `+`
   * or while an IDLE is active.
   */
  send(command: Commands.Command): Answered {
    return this.#begin(command, undefined)
  }

  /** Starts an IDLE. `idling` completes when the server idles, `answered` after `stopIdle`. */
  idle(): Idle {
    const idling = Deferred.makeUnsafe<void, ImapWatchReason>()
    return { idling, answered: this.#begin(Commands.idle, idling) }
  }

  stopIdle(): void {
    const idle = this.#pending.find(({ done, idling }) => idling !== undefined && !done)
    if (idle === undefined) return
    idle.done = true
    this.#write(Commands.done)
  }

  /** Ends the connection at once. Only the first reason counts. */
  end(reason: ImapWatchReason): void {
    if (this.#finish(reason)) this.#socket.destroy()
  }

  /** Sends LOGOUT without waiting for the answer, and closes the connection. */
  close(): void {
    if (this.#over !== undefined) return
    const farewell = `${this.#unsent}${this.#pending.some(idles) ? Commands.done : ""}Z ${Commands.logout.pieces[0]}`
    this.#finish({ _tag: "Lost", why: "closed here" })
    this.#socket.end(farewell, "latin1")
    this.#socket.resume()
    setTimeout(() => this.#socket.destroy(), farewellTime).unref()
  }

  #begin(command: Commands.Command, idling: Deferred.Deferred<void, ImapWatchReason> | undefined): Answered {
    const answered: Answered = Deferred.makeUnsafe()
    if (this.#over !== undefined || this.#pending.some((pending) => idles(pending) || pending.pieces.length > 0)) {
      const reason: ImapWatchReason = this.#over ?? { _tag: "Protocol", why: "a command before the answer to the last" }
      Deferred.doneUnsafe(answered, Effect.fail(reason))
      if (idling !== undefined) Deferred.doneUnsafe(idling, Effect.fail(reason))
      return answered
    }
    this.#tag = (this.#tag % 999_999) + 1
    const tag = `A${this.#tag}`
    const [first, ...pieces] = command.pieces
    this.#pending.push({ tag, name: command.name, pieces, answered, idling, done: false })
    this.#write(`${tag} ${first}`)
    return answered
  }

  /**
   * Sends all texts of one microtask in one write. Reason: the server answers them together, and no text waits 40 ms
   * for the acknowledgement of the previous one.
   */
  #write(text: string): void {
    if (this.#unsent === "") queueMicrotask(() => this.#flush())
    this.#unsent += text
  }

  #flush(): void {
    if (this.#over === undefined) this.#socket.write(this.#unsent, "latin1")
    this.#unsent = ""
  }

  /** Reads a chunk and pauses the socket when the connection used up its time. */
  #inTurn(bytes: Buffer): void {
    const begun = performance.now()
    this.#spent = Math.max(0, this.#spent - (begun - this.#readAt) * readShare)
    this.#read(bytes)
    this.#readAt = performance.now()
    this.#spent += this.#readAt - begun
    if (this.#spent < readAtOnce || this.#over !== undefined) return
    this.#socket.pause()
    setTimeout(() => this.#socket.resume(), (this.#spent - readAtOnce) / readShare).unref()
  }

  #read(bytes: Buffer): void {
    if (this.#over !== undefined) return
    const { fault, lines } = this.#lines.push(bytes)
    for (const line of lines) {
      const response = read(line)
      if (Result.isFailure(response)) return this.#protocol(response.failure)
      this.#dispatch(response.success)
      if (this.#over !== undefined) return
    }
    if (fault !== undefined) this.#protocol(`bytes that are no IMAP (${fault})`)
  }

  #dispatch(response: Response): void {
    if (response._tag === "Continue") return this.#continue()
    if (response._tag === "State" && response.tag !== "*") return this.#answer(response)
    if (response._tag === "State" && response.word === "BYE") {
      // Some servers repeat the login command, with its password, in BYE.
      return this.end({
        _tag: "Bye",
        text: this.#pending.some(({ name }) => secret.has(name)) ? "" : kept(response.text)
      })
    }
    const reason = this.#events.hear(response)
    if (reason !== undefined) return this.end(reason)
    // Completed after `hear`: the waiting fiber continues at once and may need the greeting's capabilities.
    if (response._tag === "State" && !Deferred.isDoneUnsafe(this.greeted))
      Deferred.doneUnsafe(this.greeted, Effect.succeed(response))
  }

  #continue(): void {
    const pending = this.#pending.find((one) => one.pieces.length > 0 || idles(one))
    const piece = pending?.pieces.shift()
    if (piece !== undefined) return this.#write(piece)
    if (pending?.idling === undefined) return this.#protocol("a continuation that nothing asked for")
    Deferred.doneUnsafe(pending.idling, Effect.void)
  }

  #answer(state: State): void {
    const at = this.#pending.findIndex(({ tag }) => tag === state.tag)
    const pending = this.#pending[at]
    if (pending === undefined) return this.#protocol("an answer that nothing asked for")
    this.#pending.splice(at, 1)
    if (idles(pending)) {
      if (Deferred.isDoneUnsafe(pending.idling!)) return this.end({ _tag: "Lost", why: "the server stopped idling" })
      Deferred.doneUnsafe(pending.idling!, Effect.fail({ _tag: "Rejected", answer: kept(state.text) }))
    }
    Deferred.doneUnsafe(pending.answered, Effect.succeed(state))
  }

  #broken(why: string): void {
    if (this.#finish(Deferred.isDoneUnsafe(this.greeted) ? { _tag: "Lost", why } : { _tag: "NotConnected", why }))
      this.#socket.destroy()
  }

  #protocol(why: string): void {
    this.end({ _tag: "Protocol", why })
  }

  #finish(reason: ImapWatchReason): boolean {
    if (this.#over !== undefined) return false
    this.#over = reason
    const pending = this.#pending.splice(0)
    this.#events.ended(reason)
    for (const waiting of [this.greeted, ...pending.flatMap(({ answered, idling }) => [answered, idling])]) {
      if (waiting !== undefined) Deferred.doneUnsafe(waiting as Answered, Effect.fail(reason))
    }
    return true
  }
}

/** Commands that contain a password or token. */
const secret = new Set(["LOGIN", "AUTHENTICATE"])

/** Whether the command is an IDLE without DONE. */
const idles = ({ done, idling }: Pending): boolean => idling !== undefined && !done
