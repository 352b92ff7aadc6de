/**
 * Limits mails that one process composes and sends at the same time: in total, per user, and separately for our own and
 * for foreign mail servers.
 */
import { Effect, Semaphore } from "effect"
import type { Account } from "../accounts/Exports.ts"

/**
 * Maximum number of concurrent mails at our mail server, and as many at foreign ones. Reason: each is in memory several
 * times with up to 35 MiB.
 */
export const maxUnderWay = 6

/**
 * Maximum number of concurrent mails of one user. Reason: a user may have twenty foreign accounts, and a slow server
 * takes four minutes per mail.
 */
export const maxOfOne = 2

interface Owner {
  readonly turns: Semaphore.Semaphore
  present: number
}

export class SendingLimiter {
  readonly #own = Semaphore.makeUnsafe(maxUnderWay)
  readonly #foreign = Semaphore.makeUnsafe(maxUnderWay)
  readonly #owners = new Map<string, Owner>()

  /** Waits for the user's limit, then for the total limit. */
  run<A, E, R>(
    account: Pick<Account, "id" | "kind" | "tenant_id" | "user_id">,
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> {
    const key = account.user_id === null ? `account ${account.id}` : `${account.tenant_id}/${account.user_id}`
    const places = account.kind === "own" ? this.#own : this.#foreign
    return Effect.acquireUseRelease(
      Effect.sync(() => {
        const owner = this.#owners.get(key) ?? { turns: Semaphore.makeUnsafe(maxOfOne), present: 0 }
        owner.present += 1
        this.#owners.set(key, owner)
        return owner
      }),
      ({ turns }) => turns.withPermits(1)(places.withPermits(1)(work)),
      (owner) =>
        Effect.sync(() => {
          owner.present -= 1
          if (owner.present === 0) this.#owners.delete(key)
        })
    )
  }
}
