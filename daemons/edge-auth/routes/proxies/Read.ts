/** What a proxy's configuration says of its hosts, as far as it can be read. */

/** A host as one block of the configuration answers it. */
export interface ProxyLocation {
  /** As Host.hostOf gives it. */
  readonly host: string
  /** Whether requests are asked about first. */
  readonly asks: boolean
  /** For people: `site.conf:12 location /api`. */
  readonly where: string
}

export interface Read {
  readonly places: ReadonlyArray<ProxyLocation>
  /** What could not be read, a sentence each: about these hosts nothing is said. */
  readonly unread: ReadonlyArray<string>
  /** Files that it wants read as well, by path or pattern. */
  readonly includes: ReadonlyArray<string>
}

/**
 * Deepest nesting that is read. Unit: blocks. Reason: nobody writes more by hand; a file that does is refused instead
 * of a stack overflow.
 */
export const maxDepth = 32
