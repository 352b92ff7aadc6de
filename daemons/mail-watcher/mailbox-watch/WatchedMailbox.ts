/** What a process knows of one mailbox while it watches it, and how others reach into the watching: to look now, to go on at once. */
import { Deferred, type Duration, Effect, Option } from "effect"
import type { WatchConnection } from "#protocols/imap-watch/WatchConnection.ts"
import type { Account } from "../accounts/Exports.ts"
import { EventRateLimiter } from "./EventRateLimiter.ts"
import type { WatchMode } from "./WatchStatus.ts"

/** How long a lazy mailbox stays connected after the last news. Unit: milliseconds. Reason: mails come in bursts. */
export const stayAfterNews = 60_000

/** For how long a server that called is believed to call again. Unit: milliseconds. */
const pushesBelieved = 24 * 60 * 60_000

export class WatchedMailbox {
  readonly account: Account
  mode: WatchMode = "connecting"
  /** While it is connected. */
  connection: WatchConnection | undefined
  /** When its server called last, as the database has it. Unit: milliseconds since 1970; 0: never. */
  pushedAt: number
  /** A lazy one is connected until then. Unit: milliseconds since 1970. */
  stayUntil = 0
  /** Of a stranger's: over all its connections. */
  readonly pace: EventRateLimiter | undefined
  #waiting: Deferred.Deferred<void> | undefined
  #woken = false

  constructor(account: Account, pushedAt: number) {
    this.account = account
    this.pushedAt = pushedAt
    this.pace = account.kind === "foreign" ? new EventRateLimiter(Date.now()) : undefined
  }

  get name(): string {
    return `mailbox ${this.account.address} #${this.account.id}`
  }

  get isPushed(): boolean {
    return Date.now() - this.pushedAt < pushesBelieved
  }

  /** Its server called at this time: false when that was known. */
  recordPush(at: number): boolean {
    if (at <= this.pushedAt) return false
    this.pushedAt = at
    this.stayUntil = Date.now() + stayAfterNews
    this.wake()
    return true
  }

  /** Ends the wait that stands, or else the next one. */
  wake(): void {
    this.#woken = true
    if (this.#waiting !== undefined) Deferred.doneUnsafe(this.#waiting, Effect.void)
  }

  /** Waits until it is woken, at most so long; whether it was. */
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

/** All that this process watches. */
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
