/**
 * Parses the address of a DNS server in settings: `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:5353` or
 * `2001:db8::53`. Pure.
 *
 * Node's `SocketAddress.parse` (Node 24) does not suffice: it refuses `2001:db8::53`, and reads `1.2.3:53` as 1.2.0.3
 * and `192.0.2.53:53/x` as port 53.
 */
import { isIP } from "node:net"

/** Standard port of DNS. Source: RFC 1035 §4.2. */
export const dnsPort = 53

export interface ServerAddress {
  readonly address: string
  readonly port: number
}

/** Undefined when the text is not such an address. */
export const parseServer = (text: string): ServerAddress | undefined => {
  if (isIP(text) !== 0) return { address: text, port: dnsPort }
  const [, address, digits] =
    /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d{1,5})$/i
      .exec(text)
      ?.slice(0, 4)
      .filter((part, at) => at === 0 || part !== undefined) ?? []
  const port = Number(digits)
  return address !== undefined && isIP(address) !== 0 && port > 0 && port <= 65_535 ? { address, port } : undefined
}

/** Problem of an item in a list of servers; undefined when the item is valid. */
export const serverProblem = (text: string): string | undefined =>
  parseServer(text) === undefined
    ? `${text} is not the address of a DNS server such as 192.0.2.53 or [2001:db8::53]:5353`
    : undefined
