/** Password hashes of a low cost, for suites with edge-auth whose tests do not depend on the cost. */
import { Effect } from "effect"
import { BcryptCost } from "#daemons/edge-auth/accounts/Exports.ts"

/** Cost of cheap hashes: the lowest of bcrypt. */
export const cheapCost = 4

/** Starts a suite whose password hashes take 1 ms of processor time, in place of 250 ms. */
export const withCheapHashes = Effect.provideService(BcryptCost, cheapCost)
