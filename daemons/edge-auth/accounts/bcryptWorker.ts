// Entry of a hashing thread, built as a bundle of its own. Each message asks to hash a password or to compare it with a
// hash; the answer is the hash, or whether the password matches.
import { parentPort } from "node:worker_threads"
import { compareSync, hashSync } from "bcryptjs"

/** One message to the thread. `against`: hash to compare with; undefined: hash the password. */
export interface BcryptTask {
  readonly password: string
  readonly cost: number
  readonly against: string | undefined
  /** Further hashes to compare, only to spend the same time for each account. */
  readonly beside: ReadonlyArray<string>
}

parentPort?.on("message", ({ against, beside, cost, password }: BcryptTask) => {
  if (against === undefined) return parentPort!.postMessage(hashSync(password, cost))
  const fits = compareSync(password, against)
  for (const filler of beside) compareSync(password, filler)
  parentPort!.postMessage(fits)
})
