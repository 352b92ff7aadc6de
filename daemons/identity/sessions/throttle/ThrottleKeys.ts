/**
 * Keys under which an attempt is counted. Pure. Hashed with a key that is not in the database, so that the table does
 * not reveal who signs in from where. A plain hash would not suffice, because mail and IP addresses can be guessed.
 */
import { createHmac } from "node:crypto"
import { clientKey } from "#core/http/ClientKey.ts"

export interface ThrottleKeys {
  /** The account, from any client. */
  readonly account: string
  /** The account from this client. */
  readonly pair: string
  /** The client, for any account. */
  readonly address: string
}

/** `email`: normalised, or as typed when invalid. `address`: the client's; of IPv6 its /64 network. */
export const keysOf = (secret: Uint8Array, email: string, address: string): ThrottleKeys => {
  const client = clientKey(address)
  const of = (...parts: ReadonlyArray<string>) =>
    createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url")
  return { account: of("account", email), pair: of("pair", email, client), address: of("address", client) }
}
