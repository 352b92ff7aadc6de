/** IPv6 addresses in one spelling. Pure. */
import { isIPv6 } from "node:net"

/** Lower case, the longest run of zeros left out; undefined when it is no address, or one of a link (`%eth0`). Source: RFC 5952 §4. */
export const canonicalIPv6 = (text: string): string | undefined =>
  isIPv6(text) && !text.includes("%") ? new URL(`http://[${text}]`).hostname.slice(1, -1) : undefined
