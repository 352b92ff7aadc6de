/**
 * Addresses of this host, from the tables of the kernel: `os.networkInterfaces` opens a netlink socket, which the
 * shipped unit forbids. Source: Linux, net/ipv4/fib_trie.c and net/ipv6/addrconf.c.
 */
import { readFileSync } from "node:fs"

/** Local addresses in the text of `/proc/net/fib_trie`. Pure. */
export const localIpv4 = (text: string): ReadonlyArray<string> => [
  ...new Set(Array.from(text.matchAll(/\|-- (\S+)\n\s+\/32 host LOCAL/g), ([, address]) => address!))
]

/** Addresses in the text of `/proc/net/if_inet6`. Pure. */
export const localIpv6 = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/^[0-9a-f]{32}/gm), ([digits]) => digits.match(/.{4}/g)!.join(":"))

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // Without IPv6 the file is missing.
    return ""
  }
}

export const hostAddresses = (): ReadonlyArray<string> => [
  ...localIpv4(read("/proc/self/net/fib_trie")),
  ...localIpv6(read("/proc/self/net/if_inet6"))
]
