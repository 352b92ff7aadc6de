/** Versions of Postgres servers: comparison, and the minor versions that were the newest when this version was made. */

/** Number of a version, such as 18.6: major 18, minor 6. */
export interface ServerVersion {
  readonly major: number
  readonly minor: number
}

/**
 * Newest minor version of each major one. Minor versions repair security problems and appear for all major versions on
 * the same day. Source: Debian's security archive in November 2026 (15.20); 18.4 and 15.18 are of May 2026.
 */
const newestMinors: Readonly<Record<number, number>> = { 15: 20, 16: 16, 17: 12, 18: 6 }

/** Reads a version such as `18.4`, `18.4.0-beta.17` (npm) or `15.20 (Debian 15.20-0+deb12u1)`. Pure. */
export const parseVersion = (text: string): ServerVersion => {
  const found = /(\d+)(?:\.(\d+))?/.exec(text)
  return { major: Number(found?.[1] ?? 0), minor: Number(found?.[2] ?? 0) }
}

/** Order for sorting, older first. Pure. */
export const compareVersions = (a: ServerVersion, b: ServerVersion): number => a.major - b.major || a.minor - b.minor

/** The sentence for an operator whose server is old; undefined: it is not. `embedded`: we start it ourselves. Pure. */
export const oldServer = (text: string, embedded: boolean): string | undefined => {
  const { major, minor } = parseVersion(text)
  const newest = newestMinors[major]
  if (newest === undefined || minor >= newest) return undefined
  return (
    `Postgres ${major}.${minor} is older than ${major}.${newest}, which repairs known problems. ` +
    (embedded
      ? `With the package postgresql-${major} of apt.postgresql.org on this machine, the next start uses its server`
      : "Install the update of its distribution")
  )
}
