/**
 * Rules for failed sign-ins, the same in every daemon with a sign-in. Pure; the daemon keeps the counts.
 *
 * An attempt is counted by client address and by account before it is checked, and given back when it succeeds.
 * Accounts that do not exist are counted too. A stranger's guesses must not lock out the owner: an address from which
 * the account signed in recently (`knownFor`) counts under `pair` instead of `account`.
 */
import { Duration } from "effect"
import { createHmac } from "node:crypto"
import { clientKey } from "../http/ClientKey.ts"

/** How long an address is remembered after a sign-in. Reason: covers a holiday. */
export const knownFor = Duration.days(30)

/**
 * Attempts that are checked within a window. Failures above AUTH_RATE_LIMIT_MAX block, so one more than that is
 * checked. Source: interface document 3 §4.2, rule 6.
 */
export const checkedWithin = (max: number): number => max + 1

/**
 * Keys under which an attempt is counted. Hashed with a key that is not in the database, so that the table does not
 * reveal who signs in from where. A plain hash would not suffice, because mail and IP addresses can be guessed.
 */
export interface AttemptKeys {
  /** The account, from any client. */
  readonly account: string
  /** The account from this client. */
  readonly pair: string
  /** The client, for any account. */
  readonly address: string
}

/** `email`: normalised, or as typed when invalid. `address`: the client's; of IPv6 its /64 network. */
export const keysOf = (secret: Uint8Array, email: string, address: string): AttemptKeys => {
  const client = clientKey(address)
  const of = (...parts: ReadonlyArray<string>) =>
    createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url")
  return { account: of("account", email), pair: of("pair", email, client), address: of("address", client) }
}
