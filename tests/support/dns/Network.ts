// Addresses of loopback for the servers of one test: a network of its own, so that tests that run at the same time do
// not meet.

/** What DNS servers of a test live in. */
export interface Network {
  /** For allow lists. */
  readonly cidr: string
  /** `host`: 1 to 254. */
  readonly address: (host: number) => string
}

/** One of 127.64.0.0/10: three million addresses that nothing else on a machine uses. */
export const makeNetwork = (): Network => {
  const prefix = `127.${64 + Math.floor(Math.random() * 64)}.${Math.floor(Math.random() * 256)}`
  return { cidr: `${prefix}.0/24`, address: (host) => `${prefix}.${host}` }
}
