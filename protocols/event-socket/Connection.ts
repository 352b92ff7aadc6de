/**
 * One TCP connection to the switch. It turns bytes into messages, hands answers to the waiting commands in order, and
 * passes on events. It always reads the socket and never waits. It does not reconnect, and it does not interpret events
 * or answers.
 */
import { Deferred, Effect, Result } from "effect"
import { connect, type Socket } from "node:net"
import type { EventSocketReason } from "./EventSocketError.ts"
import { Framing, type Message } from "./Framing.ts"
import { decodeEvent, type SwitchEvent } from "./SwitchEvent.ts"

/**
 * Maximum number of commands that wait for answers. Reason: far above what calls need; a switch that does not answer is
 * detected earlier.
 */
export const maxPending = 1_000

/** Maximum number of unsent bytes. Reason: detects a switch that stops reading. */
export const maxUnsentBytes = 1024 * 1024

/**
 * Idle time after which TCP keep-alive checks the peer. Unit: milliseconds. Reason: only a fallback; the probe command
 * is faster.
 */
const keepAliveAfter = 30_000

export type Answered = Deferred.Deferred<Message, EventSocketReason>

export interface ConnectionEvents {
  readonly onEvent: (event: SwitchEvent) => void
  /** Called once at the end, before waiting fibers fail. */
  readonly onEnd: (reason: EventSocketReason) => void
}

export class Connection {
  /** Completes when the switch requests authentication. */
  readonly greeted: Answered = Deferred.makeUnsafe()
  /** Fails when the connection has ended. */
  readonly ended = Deferred.makeUnsafe<never, EventSocketReason>()
  readonly #socket: Socket
  readonly #framing = new Framing()
  readonly #events: ConnectionEvents
  #pending: Array<Answered> = []
  #over: EventSocketReason | undefined
  #notice = ""

  /** Starts to connect. `greeted` or `ended` reports the result. */
  constructor(host: string, port: number, events: ConnectionEvents) {
    this.#events = events
    let connected = false
    this.#socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveAfter })
    this.#socket.on("connect", () => (connected = true))
    this.#socket.on("data", (bytes) => this.#read(bytes))
    this.#socket.on("error", (error: NodeJS.ErrnoException) => {
      const why = error.code ?? "socket error"
      this.end(connected ? { _tag: "Lost", why, sent: true } : { _tag: "NotConnected", why })
    })
    this.#socket.on("end", () => this.#closed())
    this.#socket.on("close", () => this.#closed())
  }

  /** Sends a command. The returned deferred completes with the answer; answers arrive in the order of the commands. */
  send(text: string): Answered {
    const answered: Answered = Deferred.makeUnsafe()
    if (this.#over !== undefined) refuse(answered, "the connection has ended")
    else if (this.#pending.length >= maxPending || this.#socket.writableLength > maxUnsentBytes)
      refuse(answered, "the switch does not answer")
    else {
      this.#pending.push(answered)
      this.#socket.write(text)
    }
    return answered
  }

  /** Ends the connection. Only the first reason counts. */
  end(reason: EventSocketReason): void {
    if (this.#over !== undefined) return
    this.#over = reason
    this.#socket.destroy()
    this.#events.onEnd(reason)
    const pending = this.#pending
    this.#pending = []
    for (const answered of pending) Deferred.doneUnsafe(answered, Effect.fail(whileWaiting(reason)))
    Deferred.doneUnsafe(this.greeted, Effect.fail(reason))
    Deferred.doneUnsafe(this.ended, Effect.fail(reason))
  }

  #closed(): void {
    this.end({ _tag: "Lost", why: this.#notice === "" ? "closed by the switch" : this.#notice, sent: true })
  }

  #read(bytes: Buffer): void {
    if (this.#over !== undefined) return
    const { fault, messages } = this.#framing.push(bytes)
    for (const message of messages) this.#dispatch(message)
    if (fault !== undefined) this.#protocol(fault)
  }

  #dispatch(message: Message): void {
    switch (message.contentType) {
      case "auth/request":
        return void Deferred.doneUnsafe(this.greeted, Effect.succeed(message))
      case "command/reply":
      case "api/response": {
        const answered = this.#pending.shift()
        return answered === undefined
          ? this.#protocol("an answer that nothing asked for")
          : void Deferred.doneUnsafe(answered, Effect.succeed(message))
      }
      case "text/event-json":
      case "text/event-plain":
        return Result.match(decodeEvent(message), {
          onFailure: (why) => this.#protocol(why),
          onSuccess: (event) => this.#hear(event)
        })
      case "text/rude-rejection":
        return this.end({ _tag: "Refused", by: "acl" })
      case "text/disconnect-notice":
        // The switch closes the connection next; answers that are still on the way count until then.
        if (message.headers["Content-Disposition"] !== "linger") this.#notice = firstLine(message.body.toString("utf8"))
        return
      default:
        return
    }
  }

  #hear(event: SwitchEvent): void {
    if (this.#over === undefined) this.#events.onEvent(event)
  }

  /**
   * Ends the connection, because an unreadable event may have been a hang-up. After a reconnect, callers check their
   * calls.
   */
  #protocol(why: string): void {
    this.end({ _tag: "Protocol", why, sent: true })
  }
}

/** The switch's answer to a command, from `Reply-Text` or the body, without its line end. */
export const answerText = (message: Message): string =>
  (message.contentType === "api/response"
    ? message.body.toString("utf8")
    : (message.headers["Reply-Text"] ?? "")
  ).trimEnd()

/**
 * The failure of commands that were already sent when the connection ended. It is never `NotConnected`, because the
 * switch may have executed them.
 */
const whileWaiting = (reason: EventSocketReason): EventSocketReason =>
  reason._tag === "Protocol" || reason._tag === "Refused"
    ? reason
    : { _tag: "Lost", why: "why" in reason ? reason.why : reason._tag, sent: true }

const refuse = (answered: Answered, why: string): void =>
  void Deferred.doneUnsafe(answered, Effect.fail({ _tag: "NotConnected", why }))

/** Longest text kept of a disconnect notice. Unit: characters. */
const maxNotice = 100

const firstLine = (text: string): string => text.split("\n", 1)[0]!.trim().slice(0, maxNotice)
