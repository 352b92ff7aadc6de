/** Whose mail is written or sent now, in one process: so many at once, few of them one user's, and strangers' mail servers keep nobody from ours. */
import { Effect, Semaphore } from "effect"
import type { Account } from "../accounts/Exports.ts"

/** Mails at once, at our mail server and as many at others. Unit: mails. Reason: each is in memory several times, 35 MiB at most; the others wait. */
export const maxUnderWay = 6

/** Of one user. Unit: mails. Reason: one has twenty accounts elsewhere, and a mail takes four minutes where a server is slow on purpose. */
export const maxOfOne = 2

interface Owner {
  readonly turns: Semaphore.Semaphore
  present: number
}

export class SendingLimiter {
  readonly #own = Semaphore.makeUnsafe(maxUnderWay)
  readonly #foreign = Semaphore.makeUnsafe(maxUnderWay)
  readonly #owners = new Map<string, Owner>()

  /** Waits for the user's turn, then for a place. */
  take<A, E, R>(
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
