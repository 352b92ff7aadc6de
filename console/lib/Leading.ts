/** Where an address leads: to a page of the console, which the router opens, or to somebody else. Pure. */

/** Path of a page of ours; undefined: it leads elsewhere. `origin`: ours. */
export const ownPath = (address: string, origin: string): string | undefined => {
  const url = URL.parse(address, origin)
  return url !== null && url.origin === origin && /^\/console(\/|$)/.test(url.pathname)
    ? url.pathname + url.search + url.hash
    : undefined
}

/** Whether a click may follow it: what a browser would run is none. */
export const isFollowable = (address: string, origin: string): boolean =>
  /^https?:$/.test(URL.parse(address, origin)?.protocol ?? "")
