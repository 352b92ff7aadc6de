/**
 * One TCP connection to the switch: bytes to messages, answers to the commands that wait for them, events to whoever
 * asked. The socket is read whatever happens, and nothing here waits. Not: reconnecting, nor what an event or an answer
 * means.
 */
import { Deferred, Effect, Result } from "effect"
import { connect, type Socket } from "node:net"
import type { EventSocketReason } from "./EventSocketError.ts"
import { Framing, type Message } from "./Framing.ts"
import { decodeEvent, type SwitchEvent } from "./SwitchEvent.ts"

/**
 * Commands that may wait for their answers. Reason: far above what calls need; a switch that answers nothing is found
 * out sooner.
 */
export const maxPending = 1_000

/** What may wait to be sent. Unit: bytes. Reason: as above, for a switch that reads nothing. */
export const maxUnsentBytes = 1024 * 1024

/**
 * Silence after which the kernel asks whether the peer's host is there. Unit: milliseconds. Reason: the probe is
 * quicker; this is the fallback.
 */
const keepAliveAfter = 30_000

export type Answered = Deferred.Deferred<Message, EventSocketReason>

export interface ConnectionEvents {
  readonly onEvent: (event: SwitchEvent) => void
  /** Once, at the end, before any fiber that waits is told. */
  readonly onEnd: (reason: EventSocketReason) => void
}

export class Connection {
  /** Completes when the switch asks for authentication. */
  readonly greeted: Answered = Deferred.makeUnsafe()
  /** Fails when the connection is over. */
  readonly ended = Deferred.makeUnsafe<never, EventSocketReason>()
  readonly #socket: Socket
  readonly #framing = new Framing()
  readonly #events: ConnectionEvents
  #pending: Array<Answered> = []
  #over: EventSocketReason | undefined
  #notice = ""

  /** Begins to dial. `greeted` or `ended` tells what came of it. */
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

  /** Sends a command; the answer, in its turn, completes what is returned. */
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

  /** Ends it, whoever began. The first reason stands. */
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
        // Its FIN follows; until then answers that are on the way still count.
        if (message.headers["Content-Disposition"] !== "linger") this.#notice = firstLine(message.body.toString("utf8"))
        return
      default:
        return
    }
  }

  #hear(event: SwitchEvent): void {
    if (this.#over === undefined) this.#events.onEvent(event)
  }

  /** An event that cannot be read may have been a hang-up: only a new connection says for sure what is missed. */
  #protocol(why: string): void {
    this.end({ _tag: "Protocol", why, sent: true })
  }
}

/** `Reply-Text` or body: what the switch said to a command, without its line end. */
export const answerText = (message: Message): string =>
  (message.contentType === "api/response"
    ? message.body.toString("utf8")
    : (message.headers["Reply-Text"] ?? "")
  ).trimEnd()

/** What a command that was sent is told when the connection ends: never that the switch was not there. */
const whileWaiting = (reason: EventSocketReason): EventSocketReason =>
  reason._tag === "Protocol" || reason._tag === "Refused"
    ? reason
    : { _tag: "Lost", why: "why" in reason ? reason.why : reason._tag, sent: true }

const refuse = (answered: Answered, why: string): void =>
  void Deferred.doneUnsafe(answered, Effect.fail({ _tag: "NotConnected", why }))

/** Unit: characters of a notice kept. */
const maxNotice = 100

const firstLine = (text: string): string => text.split("\n", 1)[0]!.trim().slice(0, maxNotice)
