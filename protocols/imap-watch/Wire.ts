/**
 * One TLS connection to an IMAP server: bytes to answers, each tagged answer to the command that waits for it, all else
 * to whoever watches. Nothing here waits, and nothing is kept between two reads but an unfinished line. Not: what to
 * say when.
 */
import { Deferred, Effect, Result } from "effect"
import { isIP } from "node:net"
import { connect, type SecureContext, type TLSSocket } from "node:tls"
import * as Commands from "./Commands.ts"
import { type ImapWatchReason, kept } from "./ImapWatchError.ts"
import { Lines } from "./Lines.ts"
import { read, type Response } from "./Untagged.ts"

/**
 * Silence after which the kernel asks whether the peer's host is there; gone without an answer 10 s later. Unit:
 * milliseconds.
 */
const keepAliveAfter = 60_000

/**
 * How long a farewell may take to be sent. Unit: milliseconds. Reason: it is a courtesy; the server notices the end as
 * well.
 */
const farewellTime = 1_000

/**
 * How long a connection's answers may be read at once, and which share of the time after that. Unit of the first:
 * milliseconds. Reason: a server that talks without end would have the whole event loop; 10,000 messages that came
 * together are read within the first.
 */
const readAtOnce = 500
const readShare = 0.05

export type State = Extract<Response, { readonly _tag: "State" }>
export type Answered = Deferred.Deferred<State, ImapWatchReason>

export interface WireOptions {
  readonly host: string
  readonly port: number
  /** For SNI and the certificate's check. Default: the host, unless that is an address. */
  readonly servername?: string | undefined
  /**
   * One for all connections; made by `tls.createSecureContext`. Reason: one of its own costs each connection about 20
   * KB.
   */
  readonly secureContext: SecureContext
}

export interface WireEvents {
  /** An answer to no command; a reason ends the connection. */
  readonly hear: (response: Response) => ImapWatchReason | undefined
  /** Once, at the end. */
  readonly ended: (reason: ImapWatchReason) => void
}

export interface Idle {
  readonly idling: Deferred.Deferred<void, ImapWatchReason>
  readonly answered: Answered
}

interface Pending {
  readonly tag: string
  readonly name: string
  /** Not sent yet. */
  readonly pieces: Array<string>
  readonly answered: Answered
  /** Of an IDLE: done when the server says `+`. */
  readonly idling: Deferred.Deferred<void, ImapWatchReason> | undefined
  /** Of an IDLE: DONE was said. */
  done: boolean
}

export class Wire {
  /** The server's first words. */
  readonly greeted: Answered = Deferred.makeUnsafe()
  readonly #socket: TLSSocket
  readonly #events: WireEvents
  readonly #lines = new Lines()
  /** In the order in which they were said. */
  readonly #pending: Array<Pending> = []
  #unsent = ""
  #tag = 0
  #over: ImapWatchReason | undefined
  /** Time that reading took, less its share of the time since. Unit: milliseconds. */
  #spent = 0
  #readAt = 0

  /** Begins to dial. */
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
   * Sends a command; its tagged answer completes what is returned. Not while another one waits for the server's `+`, or
   * idles.
   */
  send(command: Commands.Command): Answered {
    return this.#begin(command, undefined)
  }

  /** Begins to idle: `idling` is done when the server does, `answered` after `stopIdle`. */
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

  /** Ends it for a reason, at once. The first reason stands. */
  end(reason: ImapWatchReason): void {
    if (this.#finish(reason)) this.#socket.destroy()
  }

  /** Takes leave, as far as that goes without waiting. */
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
   * What is said in one breath goes in one piece. Reason: the server answers it in one, and no piece waits 40 ms for
   * the last to be acknowledged.
   */
  #write(text: string): void {
    if (this.#unsent === "") queueMicrotask(() => this.#flush())
    this.#unsent += text
  }

  #flush(): void {
    if (this.#over === undefined) this.#socket.write(this.#unsent, "latin1")
    this.#unsent = ""
  }

  /** Reads, and lets the server wait when it has had its time. */
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
      // Some repeat what they were told.
      return this.end({
        _tag: "Bye",
        text: this.#pending.some(({ name }) => secret.has(name)) ? "" : kept(response.text)
      })
    }
    const reason = this.#events.hear(response)
    if (reason !== undefined) return this.end(reason)
    // After it was heard: whoever waits goes on at once, and may want its capabilities.
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

/** Commands that hold a password or token. */
const secret = new Set(["LOGIN", "AUTHENTICATE"])

/** An IDLE that was not ended. */
const idles = ({ done, idling }: Pending): boolean => idling !== undefined && !done
