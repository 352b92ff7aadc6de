// The entry of a hashing thread: a password to hash, or to compare with a hash; the hash, or whether it fits. Built as
// a bundle of its own.
import { parentPort } from "node:worker_threads"
import { compareSync, hashSync } from "bcryptjs"

/** `against` undefined: hash it. */
export interface BcryptTask {
  readonly password: string
  readonly cost: number
  readonly against: string | undefined
  /** Compared as well, and of no account. */
  readonly beside: ReadonlyArray<string>
}

parentPort?.on("message", ({ against, beside, cost, password }: BcryptTask) => {
  if (against === undefined) return parentPort!.postMessage(hashSync(password, cost))
  const fits = compareSync(password, against)
  for (const filler of beside) compareSync(password, filler)
  parentPort!.postMessage(fits)
})
