/**
 * Longest request body by path: a megabyte, except for routes that take uploads. Pure.
 */

/** Longest body of an ordinary request. Unit: bytes. */
export const maxBodySize = 1024 * 1024

/** Body limit of a route. */
export interface BodyRoute {
  /** Matches this path and all paths below it. */
  readonly prefix: string
  /** Largest body. Unit: bytes. Default: `maxBodySize`. */
  readonly maxBody?: number | undefined
}

/** Longest body of a request to this target (path, with or without query). Unit: bytes. */
export type BodyBound = (target: string) => number

/** Limit of these routes; the longest matching prefix wins, as in the route table. */
export const make = (routes: ReadonlyArray<BodyRoute>): BodyBound => {
  const longer = routes
    .filter(({ maxBody }) => maxBody !== undefined && maxBody > maxBodySize)
    .sort((a, b) => b.prefix.length - a.prefix.length)
  // Most daemons have no uploads and get the constant limit.
  return longer.length === 0
    ? ordinary
    : (target) => {
        const found = longer.find(({ prefix }) => target.startsWith(prefix) && ends.has(target.charAt(prefix.length)))
        return found?.maxBody ?? maxBodySize
      }
}

const ordinary: BodyBound = () => maxBodySize
const ends: ReadonlySet<string> = new Set(["", "/", "?"])
