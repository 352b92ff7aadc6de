/**
 * Under which keys a try is counted. Pure. Hashed with a key that is not in the database, so that the table is no list
 * of who signs in from where: addresses of both kinds are few enough to be guessed through a plain hash.
 */
import { createHmac } from "node:crypto"
import { clientKey } from "#core/http/ClientKey.ts"

export interface ThrottleKeys {
  /** The account, from wherever it is tried. */
  readonly account: string
  /** The account from this client. */
  readonly pair: string
  /** The client, whatever it tries. */
  readonly address: string
}

/** `email`: normalised, or as typed where it is no address. `address`: the client's; of IPv6 its /64 counts. */
export const keysOf = (secret: Uint8Array, email: string, address: string): ThrottleKeys => {
  const client = clientKey(address)
  const of = (...parts: ReadonlyArray<string>) =>
    createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url")
  return { account: of("account", email), pair: of("pair", email, client), address: of("address", client) }
}
