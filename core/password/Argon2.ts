/**
 * Computes one argon2id hash synchronously. Runs in the hashing threads, so it imports no other module of core. Source:
 * RFC 9106.
 */
import { argon2Sync } from "node:crypto"
import type { Argon2Parameters } from "./PasswordHash.ts"

export interface Argon2Job {
  readonly password: Uint8Array
  readonly salt: Uint8Array
  readonly parameters: Argon2Parameters
  /** Length of the hash. Unit: bytes. */
  readonly length: number
  /** Optional inputs that the suite leaves empty; the test vectors of the RFC use them. */
  readonly secret?: Uint8Array
  readonly associatedData?: Uint8Array
}

export const argon2id = (job: Argon2Job): Uint8Array =>
  argon2Sync("argon2id", {
    message: job.password,
    nonce: job.salt,
    memory: job.parameters.memory,
    passes: job.parameters.passes,
    parallelism: job.parameters.parallelism,
    tagLength: job.length,
    secret: job.secret,
    associatedData: job.associatedData
  })
