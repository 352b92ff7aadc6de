/** Decides whether an address is a page of the console, which the router opens, or an external one. Pure. */

/** Path of a console page; undefined for other addresses. `origin`: the console's origin. */
export const ownPath = (address: string, origin: string): string | undefined => {
  const url = URL.parse(address, origin)
  return url !== null && url.origin === origin && /^\/console(\/|$)/.test(url.pathname)
    ? url.pathname + url.search + url.hash
    : undefined
}

/** Whether a link may have this address. `javascript:` and other schemes are refused. */
export const isFollowable = (address: string, origin: string): boolean =>
  /^https?:$/.test(URL.parse(address, origin)?.protocol ?? "")
