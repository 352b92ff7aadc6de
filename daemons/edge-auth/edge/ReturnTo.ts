/** Where somebody is sent after signing in: to where they wanted, and nowhere a stranger wants. Pure. */
import { hostOf } from "./Host.ts"

/** Longest address that is come back to. Unit: characters. Reason: it travels in an address itself. */
export const maxReturn = 2_048

export interface Home {
  /** Domain of the cookie; undefined: the login host alone. */
  readonly cookieDomain: string | undefined
  /** Our own address. */
  readonly base: string
}

/** Whether the cookie reaches `host`. */
export const isCovered = (host: string, { base, cookieDomain }: Home): boolean =>
  cookieDomain === undefined
    ? host === hostOf(new URL(base).host)
    : host === cookieDomain || host.endsWith(`.${cookieDomain}`)

/**
 * `wanted` as an address that a browser may be sent to as far as its form goes, serialised anew: https (or the scheme
 * of our own address), no user, no other port; or a path of our own. Which hosts are gone to is for who calls.
 */
export const safeUrl = (wanted: string | undefined, home: Home): URL | undefined => {
  if (wanted === undefined || wanted === "" || wanted.length > maxReturn || /[\0-\x20\x7f\\]/.test(wanted))
    return undefined
  if (wanted.startsWith("/")) return wanted.startsWith("//") ? undefined : new URL(wanted, home.base)
  // A scheme without its slashes (`https:evil.example`) is read as one of ours by parsers that are in a good mood.
  if (!/^https?:\/\/[^/]/i.test(wanted) || !URL.canParse(wanted)) return undefined
  const url = new URL(wanted)
  const own = new URL(home.base)
  if (url.username !== "" || url.password !== "") return undefined
  if (url.protocol !== "https:" && url.protocol !== own.protocol) return undefined
  return url.port !== "" && url.port !== own.port ? undefined : url
}

/** `wanted` where it is our own page or the cookie reaches its host, or undefined. */
export const returnTo = (wanted: string | undefined, home: Home): string | undefined => {
  const url = safeUrl(wanted, home)
  const host = url === undefined ? undefined : hostOf(url.hostname)
  if (url === undefined || host === undefined) return undefined
  return url.origin === new URL(home.base).origin || isCovered(host, home) ? url.href : undefined
}

/** The login page, with the way back. */
export const loginAddress = (base: string, wanted: string): string =>
  `${base}/login${wanted.length > maxReturn ? "" : `?rd=${encodeURIComponent(wanted)}`}`
