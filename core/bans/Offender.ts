/** Whom an offence is counted against. Pure. */
import ipaddr from "ipaddr.js"
import { clientKey } from "../http/ClientKey.ts"
import { loopback, trustedFrom } from "../http/ClientAddress.ts"

/**
 * The address, or the /64 of an IPv6 address, as it is banned; undefined for nobody's: no address, loopback, and
 * `exempt` (CIDR), which are hosts that bring many people from one address.
 */
export const offenderOf = (exempt: ReadonlyArray<string>) => {
  const isExempt = trustedFrom([...loopback, ...exempt])
  return (address: string | undefined): string | undefined => {
    if (address === undefined || address.includes("%")) return undefined
    if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return undefined
    return isExempt(address) ? undefined : clientKey(address)
  }
}
