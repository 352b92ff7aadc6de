/** Result of reading a proxy's configuration. */

/** One block of the configuration for one host. */
export interface ProxyLocation {
  /** Normalised by `hostOf`. */
  readonly host: string
  /** Whether the proxy asks for each request before it forwards it. */
  readonly asks: boolean
  /** Place in the file, for display: `site.conf:12 location /api`. */
  readonly where: string
}

export interface Read {
  readonly places: ReadonlyArray<ProxyLocation>
  /** One sentence for each part that could not be understood. */
  readonly unread: ReadonlyArray<string>
  /** Paths or patterns of included files. */
  readonly includes: ReadonlyArray<string>
}

/** Deepest nesting of blocks. Reason: files written by hand have less, and deeper nesting could overflow the stack. */
export const maxDepth = 32
