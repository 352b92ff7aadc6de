/** Hosts that no webhook may reach, in many spellings. */
import { networkInterfaces } from "node:os"

const own = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .map(({ address, family }) => (family === "IPv6" ? `[${address.split("%", 1)[0]}]` : address))

/** Forbidden addresses, in different spellings. */
const forbidden: ReadonlyArray<readonly [kind: string, ...hosts: ReadonlyArray<string>]> = [
  ["loopback", "127.0.0.1", "127.0.0.2", "127.255.255.254", "[::1]", "[0:0:0:0:0:0:0:1]"],
  ["unspecified", "0.0.0.0", "0", "[::]"],
  [
    "private",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "100.64.0.1",
    "[fc00::1]",
    "[fd12:3456::1]",
    "[fec0::1]"
  ],
  ["link-local", "169.254.169.254", "169.254.0.1", "[fe80::1]", "[febf::1]"],
  ["cloud hosts", "[fd00:ec2::254]", "168.63.129.16", "192.0.0.192", "100.100.100.200"],
  [
    "multicast, broadcast, reserved",
    "224.0.0.1",
    "255.255.255.255",
    "240.0.0.1",
    "[ff02::1]",
    "198.18.0.1",
    "192.0.2.1"
  ],
  [
    "IPv4-mapped",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[::ffff:10.0.0.1]",
    "[::ffff:169.254.169.254]",
    "[::ffff:0:127.0.0.1]"
  ],
  ["IPv4-compatible", "[::127.0.0.1]", "[::7f00:1]", "[::10.0.0.1]"],
  ["6to4", "[2002:7f00:1::]", "[2002:7f00:1::1]", "[2002:a00:1::1]", "[2002:a9fe:a9fe::]", "[2002:c0a8:1::1]"],
  [
    "NAT64",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b:1::7f00:1]",
    "[64:ff9b:1:a00:1::]"
  ],
  // The client's address is the inverse of the last 32 bits; the server's address follows the prefix.
  ["Teredo", "[2001:0:4136:e378:8000:63bf:80ff:fffe]", "[2001:0:7f00:1::]", "[2001::f5ff:fffe]"],
  ["decimal", "2130706433", "3232235521", "2852039166", "167772161"],
  ["octal", "0177.0.0.1", "017700000001", "0177.0.0.01", "00000177.0.0.1", "012.0.0.1", "0300.0250.0.1"],
  ["hex", "0x7f.0.0.1", "0x7f000001", "0x7F.0x0.0x0.0x1", "0xa9fea9fe", "0x0a000001"],
  ["mixed and short", "127.1", "127.0.1", "0x7f.1", "0177.1", "10.1", "192.168.1", "0x7f.0.01"],
  ["final dot", "127.0.0.1.", "2130706433.", "0x7f.1.", "169.254.169.254."],
  [
    "other scripts and escapes",
    "１２７.0.0.1",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "127%2e0%2e0%2e1",
    "127.0.0.\u00ad1",
    "127.0\t.0.1"
  ],
  ["names of this machine", "localhost", "LOCALHOST", "ｌocalhost", "local\u00adhost", "%6cocalhost"],
  ["this machine", ...own]
]
/** Kind and host of each. */
export const rows = forbidden.flatMap(([kind, ...hosts]) => hosts.map((host) => [kind, host] as const))
