/**
 * How long a body may be, by path: a megabyte everywhere but where a route takes uploads and says so. Pure.
 */

/** Longest body of an ordinary request. Unit: bytes. */
export const maxBodySize = 1024 * 1024

/** What a route says of its bodies. */
export interface BodyRoute {
  /** Matches itself and what is below it. */
  readonly prefix: string
  /** Unit: bytes. Default `maxBodySize`. */
  readonly maxBody?: number | undefined
}

/** Longest body of a request to this target (path, with or without query). Unit: bytes. */
export type BodyBound = (target: string) => number

/** The bound of these routes; the longest prefix that fits counts, as in the route table. */
export const make = (routes: ReadonlyArray<BodyRoute>): BodyBound => {
  const longer = routes
    .filter(({ maxBody }) => maxBody !== undefined && maxBody > maxBodySize)
    .sort((a, b) => b.prefix.length - a.prefix.length)
  // Few routes accept uploads.
  return longer.length === 0
    ? ordinary
    : (target) => {
        const found = longer.find(({ prefix }) => target.startsWith(prefix) && ends.has(target.charAt(prefix.length)))
        return found?.maxBody ?? maxBodySize
      }
}

const ordinary: BodyBound = () => maxBodySize
const ends: ReadonlySet<string> = new Set(["", "/", "?"])
