/** Maps a client address to the address that is banned. Pure. */
import ipaddr from "ipaddr.js"
import { clientKey } from "../http/ClientKey.ts"
import { loopback, trustedFrom } from "../http/ClientAddress.ts"

/**
 * Returns the address, or the /64 network of an IPv6 address. Undefined for no address, loopback, and ranges in
 * `exempt` (CIDR): hosts with many users behind one address.
 */
export const offenderOf = (exempt: ReadonlyArray<string>) => {
  const isExempt = trustedFrom([...loopback, ...exempt])
  return (address: string | undefined): string | undefined => {
    if (address === undefined || address.includes("%")) return undefined
    if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return undefined
    return isExempt(address) ? undefined : clientKey(address)
  }
}
