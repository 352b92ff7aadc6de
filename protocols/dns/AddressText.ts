/**
 * Writes IP addresses in their canonical text form. Pure.
 *
 * The library ipaddr.js 2.5.0 writes the same text of an IPv6 address in 12 times the time (Node 24).
 */
import { isIPv6 } from "node:net"

/**
 * IPv6 address in lower case with the longest run of zeros shortened. Undefined when `text` is not an IPv6 address or
 * has a zone (`%eth0`). Source: RFC 5952 §4.
 */
export const canonicalIPv6 = (text: string): string | undefined =>
  isIPv6(text) && !text.includes("%") ? new URL(`http://[${text}]`).hostname.slice(1, -1) : undefined

/** IPv4 address of the four octets at `offset`. */
export const ipv4Text = (octets: Buffer, offset: number): string =>
  `${octets[offset]}.${octets[offset + 1]}.${octets[offset + 2]}.${octets[offset + 3]}`

/** Canonical IPv6 address of the sixteen octets at `offset`. */
export const ipv6Text = (octets: Buffer, offset: number): string => {
  let longest = 0
  let from = -1
  for (let at = 0, run = 0; at < 8; at++) {
    run = octets.readUInt16BE(offset + 2 * at) === 0 ? run + 1 : 0
    if (run > longest) {
      longest = run
      from = at + 1 - run
    }
  }
  let text = ""
  for (let at = 0; at < 8; at++) {
    if (longest > 1 && at === from) {
      text += at === 0 ? "::" : ":"
      at += longest - 1
    } else text += octets.readUInt16BE(offset + 2 * at).toString(16) + (at < 7 ? ":" : "")
  }
  return text
}
