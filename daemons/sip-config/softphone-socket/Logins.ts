/**
 * Tells refused passwords from the challenge that every registration begins with. Counts nothing; knows one connection.
 * Pure but for its own bounded table. Source: RFC 3261 §22.
 */
import { hash } from "node:crypto"
import { header, type Message } from "#protocols/sip/Message.ts"

/**
 * Requests with credentials whose answers are awaited. Unit: requests. Reason: a client has a few under way; the oldest
 * is forgotten.
 */
const maxPending = 64
/**
 * Refused credentials that are remembered. Unit: headers. Reason: a client says again the last ones of its registration
 * and of each account.
 */
const maxRefused = 16

export class Logins {
  /** Hashes of their credentials, by transaction. */
  readonly #pending = new Map<string, string>()
  /** Hashes of credentials that were refused, the first the first. */
  readonly #refused = new Set<string>()

  /** A request of the client's. */
  asked(message: Message): void {
    if (message.start._tag !== "Request") return
    const credentials = header(message, "authorization") ?? header(message, "proxy-authorization")
    if (credentials === undefined) return
    if (this.#pending.size >= maxPending) this.#pending.delete(this.#pending.keys().next().value!)
    // A header may have 32 KiB.
    this.#pending.set(transaction(message), hash("sha256", credentials, "base64"))
  }

  /**
   * Whether this answer of the switch's says that a password was wrong: 403 to a registration, or the challenge again
   * although there were credentials. Not a nonce that only got old; not 403 to a call, which is what a forbidden
   * destination gets; not the challenge to credentials that were refused before: sip.js begins its next registration
   * with them, and that is not another password.
   */
  refused(message: Message): boolean {
    if (message.start._tag !== "Response" || message.start.status < 200) return false
    const { status } = message.start
    const credentials = this.#pending.get(transaction(message))
    this.#pending.delete(transaction(message))
    if (status === 403) return /\sREGISTER$/.test(header(message, "cseq")!)
    if (status !== 401 && status !== 407) return false
    if (credentials === undefined || this.#refused.has(credentials)) return false
    if (
      /[,\s]stale\s*=\s*"?true/i.test(header(message, status === 401 ? "www-authenticate" : "proxy-authenticate") ?? "")
    )
      return false
    if (this.#refused.size >= maxRefused) this.#refused.delete(this.#refused.values().next().value!)
    this.#refused.add(credentials)
    return true
  }
}

const transaction = (message: Message): string => `${header(message, "cseq")} ${header(message, "call-id")}`
