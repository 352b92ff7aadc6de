// The entry of a hashing thread: a password to hash, or to compare with a hash; the hash, or whether it fits. Built as a bundle of its own.
import { parentPort } from "node:worker_threads"
import { compareSync, hashSync } from "bcryptjs"

/** `against` undefined: hash it. */
export interface BcryptTask {
  readonly password: string
  readonly cost: number
  readonly against: string | undefined
}

parentPort?.on("message", ({ against, cost, password }: BcryptTask) => parentPort!.postMessage(against === undefined ? hashSync(password, cost) : compareSync(password, against)))
