/**
 * Tells refused passwords from the challenge that every registration begins with. Counts nothing; knows one connection. Pure but for
 * its own bounded table. Source: RFC 3261 §22.
 */
import { header, type Message } from "#protocols/sip/Message.ts"

/** Requests with credentials whose answers are awaited. Unit: requests. Reason: a client has a few under way; the oldest is forgotten. */
const maxPending = 64

export class Logins {
  /** Their credentials, by transaction. */
  readonly #pending = new Map<string, string>()
  /** Credentials that were refused last. */
  #refused: string | undefined

  /** A request of the client's. */
  asked(message: Message): void {
    if (message.start._tag !== "Request") return
    const credentials = header(message, "authorization") ?? header(message, "proxy-authorization")
    if (credentials === undefined) return
    if (this.#pending.size >= maxPending) this.#pending.delete(this.#pending.keys().next().value!)
    this.#pending.set(transaction(message), credentials)
  }

  /**
   * Whether this answer of the switch's says that a password was wrong: 403 to a registration, or the challenge again although there were
   * credentials. Not a nonce that only got old; not 403 to a call, which is what a forbidden destination gets; not the challenge to
   * credentials that were refused before: sip.js begins its next registration with them, and that is not another password.
   */
  refused(message: Message): boolean {
    if (message.start._tag !== "Response" || message.start.status < 200) return false
    const { status } = message.start
    const credentials = this.#pending.get(transaction(message))
    this.#pending.delete(transaction(message))
    if (status === 403) return /\sREGISTER$/.test(header(message, "cseq")!)
    if (status !== 401 && status !== 407) return false
    if (credentials === undefined || credentials === this.#refused) return false
    if (/[,\s]stale\s*=\s*"?true/i.test(header(message, status === 401 ? "www-authenticate" : "proxy-authenticate") ?? "")) return false
    this.#refused = credentials
    return true
  }
}

const transaction = (message: Message): string => `${header(message, "cseq")} ${header(message, "call-id")}`
