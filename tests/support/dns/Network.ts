// A private range of loopback addresses for the servers of one test, so that concurrent tests do not collide.

/** Loopback addresses for the DNS servers of a test. */
export interface Network {
  /** The range, for allow lists. */
  readonly cidr: string
  /** Address of a host. `host`: 1 to 254. */
  readonly address: (host: number) => string
}

/** Picks a random /24 from 127.64.0.0/10, which other programs do not use. */
export const makeNetwork = (): Network => {
  const prefix = `127.${64 + Math.floor(Math.random() * 64)}.${Math.floor(Math.random() * 256)}`
  return { cidr: `${prefix}.0/24`, address: (host) => `${prefix}.${host}` }
}
