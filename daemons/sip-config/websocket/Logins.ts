/**
 * Tells refused passwords from the challenge that every registration begins with. Counts nothing; knows one connection. Pure but for
 * its own bounded table. Source: RFC 3261 §22.
 */
import { header, type Message } from "#protocols/sip/Message.ts"

/** Requests with credentials whose answers are awaited. Unit: requests. Reason: a client has a few under way; the oldest is forgotten. */
const maxPending = 64

export class Logins {
  readonly #pending = new Set<string>()

  /** A request of the client's. */
  asked(message: Message): void {
    if (message.start._tag !== "Request") return
    if (header(message, "authorization") === undefined && header(message, "proxy-authorization") === undefined) return
    if (this.#pending.size >= maxPending) this.#pending.delete(this.#pending.keys().next().value!)
    this.#pending.add(transaction(message))
  }

  /**
   * Whether this answer of the switch's says that a password was wrong: 403 to a registration, or the challenge again although there were
   * credentials. Not a nonce that only got old; not 403 to a call, which is what a forbidden destination gets.
   */
  refused(message: Message): boolean {
    if (message.start._tag !== "Response" || message.start.status < 200) return false
    const { status } = message.start
    const hadCredentials = this.#pending.delete(transaction(message))
    if (status === 403) return /\sREGISTER$/.test(header(message, "cseq")!)
    if (status !== 401 && status !== 407) return false
    return hadCredentials && !/[,\s]stale\s*=\s*"?true/i.test(header(message, status === 401 ? "www-authenticate" : "proxy-authenticate") ?? "")
  }
}

const transaction = (message: Message): string => `${header(message, "cseq")} ${header(message, "call-id")}`
