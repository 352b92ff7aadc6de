/** Addresses and records of the measurement's DNS. */

/** UDP port, the same at each address. */
export const port = 20_053
export const resolver = "127.0.0.1"
export const nameServers = [
  { name: "ns1.all.test", address: "127.0.0.2" },
  { name: "ns2.all.test", address: "127.0.0.3" }
] as const
export const addresses = { ipv4: "192.0.2.10", ipv6: "2001:db8::10" } as const

/**
 * Queries of one check of a domain: the resolver for the name servers and the three records, then both name servers for
 * the three records.
 */
export const questionsOf = (
  domain: string
): ReadonlyArray<{
  readonly name: string
  readonly type: "A" | "AAAA" | "NS"
  readonly address: string
  readonly recursive: boolean
}> => {
  const records = [
    { name: domain, type: "A" },
    { name: domain, type: "AAAA" },
    { name: `www.${domain}`, type: "A" }
  ] as const
  return [
    { name: domain, type: "NS", address: resolver, recursive: true },
    ...records.map((record) => ({ ...record, address: resolver, recursive: true })),
    ...nameServers.flatMap(({ address }) => records.map((record) => ({ ...record, address, recursive: false })))
  ]
}
