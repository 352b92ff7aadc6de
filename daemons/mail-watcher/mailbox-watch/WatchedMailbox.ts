/** State of one watched mailbox in this process. Other actors use it to start a scan or to wake the mailbox's actor. */
import { type Policy, TokenBucket } from "#core/limits/TokenBucket.ts"
import { Deferred, type Duration, Effect, Option } from "effect"
import type { WatchConnection } from "#protocols/imap-watch/WatchConnection.ts"
import type { Account } from "../accounts/Exports.ts"
import type { WatchMode } from "./WatchStatus.ts"

/** How long a lazy mailbox stays connected after new mail. Unit: milliseconds. Reason: mails arrive in bursts. */
export const stayAfterNews = 60_000

/** How long a server that called our push endpoint counts as pushing. Unit: milliseconds. */
const pushMemory = 24 * 60 * 60_000

/**
 * Events and transactions of one mailbox at a foreign server. A hostile server could invent messages without end.
 * Excess events wait; none is dropped. Reason: the burst covers the mail of a busy mailbox after a long absence, the
 * rate is far above any person's mail.
 */
export const foreignEvents: Policy = { burst: 10_000, perSecond: 5 }

export class WatchedMailbox {
  readonly account: Account
  mode: WatchMode = "connecting"
  /** Undefined while disconnected. */
  connection: WatchConnection | undefined
  /** Time of the server's last push, from the database. Unit: milliseconds since 1970; 0: never. */
  pushedAt: number
  /** Until when a lazy mailbox stays connected. Unit: milliseconds since 1970. */
  stayUntil = 0
  /** Event limit of a foreign mailbox, across its connections. */
  readonly rateLimiter: TokenBucket | undefined
  #waiting: Deferred.Deferred<void> | undefined
  #woken = false

  constructor(account: Account, pushedAt: number) {
    this.account = account
    this.pushedAt = pushedAt
    this.rateLimiter = account.kind === "foreign" ? new TokenBucket(foreignEvents, Date.now()) : undefined
  }

  get name(): string {
    return `mailbox ${this.account.address} #${this.account.id}`
  }

  get isPushed(): boolean {
    return Date.now() - this.pushedAt < pushMemory
  }

  /** Records a push at this time. False: the push was already known. */
  recordPush(at: number): boolean {
    if (at <= this.pushedAt) return false
    this.pushedAt = at
    this.stayUntil = Date.now() + stayAfterNews
    this.wake()
    return true
  }

  /** Ends the current wait, or else the next one. */
  wake(): void {
    this.#woken = true
    if (this.#waiting !== undefined) Deferred.doneUnsafe(this.#waiting, Effect.void)
  }

  /** Waits at most this long; true when woken. */
  wait(atMost: Duration.Duration): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      if (this.#woken) return this.#answered
      this.#waiting = Deferred.makeUnsafe()
      return Effect.flatMap(Effect.timeoutOption(Deferred.await(this.#waiting), atMost), (woken) =>
        Option.isSome(woken) ? this.#answered : Effect.succeed(false)
      )
    })
  }

  get #answered(): Effect.Effect<boolean> {
    return Effect.sync(() => {
      this.#waiting = undefined
      this.#woken = false
      return true
    })
  }
}

/** Watched mailboxes of this process, by account id. */
export class WatchedMailboxes {
  readonly #all = new Map<number, WatchedMailbox>()

  add(mailbox: WatchedMailbox): void {
    this.#all.set(mailbox.account.id, mailbox)
  }

  remove(mailbox: WatchedMailbox): void {
    if (this.#all.get(mailbox.account.id) === mailbox) this.#all.delete(mailbox.account.id)
  }

  get(id: number): WatchedMailbox | undefined {
    return this.#all.get(id)
  }

  get all(): Iterable<WatchedMailbox> {
    return this.#all.values()
  }

  get size(): number {
    return this.#all.size
  }
}
