/** Normalises host names, so that routes are found by one form of the name. Pure. */
import { isIP } from "node:net"

/** Longest host name. Unit: bytes. Source: RFC 1035 §2.3.4. */
const maxHost = 253

/**
 * Host name in lower case, without port and final dot, IPv6 in its shortest form; undefined for any other text. A comma
 * list (one value of each hop) is refused, because it does not show which host the client asked for.
 */
export const hostOf = (text: string): string | undefined => {
  if (text.length > maxHost + 8) return undefined
  const [, bracketed, name] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(text.trim()) ?? []
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? new URL(`http://[${bracketed}]`).hostname : undefined
  if (name === undefined) return undefined
  const host = name.toLowerCase().replace(/\.$/, "")
  return host !== "" && host.length <= maxHost && !host.includes("..") && !host.startsWith(".") ? host : undefined
}
