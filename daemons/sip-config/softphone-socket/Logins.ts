/**
 * Detects wrong passwords on one connection. Every registration begins with a challenge, so a challenge alone is no
 * failure. No input or output; the tables are bounded. Source: RFC 3261 §22.
 */
import { hash } from "node:crypto"
import { header, type Message } from "#protocols/sip/Message.ts"

/**
 * Maximum number of requests with credentials that await a response. Reason: clients have only a few at once; the
 * oldest is dropped.
 */
const maxPending = 64
/**
 * Maximum number of refused credentials in memory. Unit: headers. Reason: a client repeats only the last ones of its
 * registration and of each account.
 */
const maxRefused = 16

export class Logins {
  /** Hashes of the credentials, by transaction. */
  readonly #pending = new Map<string, string>()
  /** Hashes of refused credentials, oldest first. */
  readonly #refused = new Set<string>()

  /** Records a request from the client. */
  asked(message: Message): void {
    if (message.start._tag !== "Request") return
    const credentials = header(message, "authorization") ?? header(message, "proxy-authorization")
    if (credentials === undefined) return
    if (this.#pending.size >= maxPending) this.#pending.delete(this.#pending.keys().next().value!)
    // The hash bounds memory: a header may have 32 KiB.
    this.#pending.set(transaction(message), hash("sha256", credentials, "base64"))
  }

  /**
   * Whether a response of the switch means a wrong password: 403 to a registration, or a new challenge despite
   * credentials. These cases do not count:
   * - A stale nonce.
   * - 403 to a call, which means a forbidden destination.
   * - Credentials refused before: sip.js repeats them at the start of its next registration.
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
