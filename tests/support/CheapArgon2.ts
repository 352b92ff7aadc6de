/** Password hashes of a low cost, for tests whose subject is not the cost. */
import { randomBytes } from "node:crypto"
import { argon2id } from "#core/password/Argon2.ts"
import { type Argon2Parameters, encode, hashBytes, saltBytes } from "#core/password/PasswordHash.ts"

/** A hash takes less than 0.1 ms of processor time, in place of 33 ms. */
export const cheapArgon2: Argon2Parameters = { memory: 64, passes: 1, parallelism: 1 }

/** A cheap hash, as it is stored. */
export const cheapHash = (password: string): string => {
  const salt = randomBytes(saltBytes)
  const job = { password: Buffer.from(password), salt, parameters: cheapArgon2, length: hashBytes }
  return encode({ parameters: cheapArgon2, salt, hash: argon2id(job) })
}
