/** Checks the address that a user returns to after signing in, so that links cannot redirect users elsewhere. Pure. */
import { hostOf } from "./Host.ts"

/** Longest return address. Unit: characters. Reason: it is part of the query of another address. */
export const maxReturn = 2_048

export interface Home {
  /** Domain of the cookie; undefined: only the login host. */
  readonly cookieDomain: string | undefined
  /** Our own address. */
  readonly base: string
}

/** Whether browsers send the session cookie to `host`. */
export const isCovered = (host: string, { base, cookieDomain }: Home): boolean =>
  cookieDomain === undefined
    ? host === hostOf(new URL(base).host)
    : host === cookieDomain || host.endsWith(`.${cookieDomain}`)

/**
 * `wanted` parsed as a redirect target, or undefined. Accepts https (or the scheme of our own address) without user and
 * without a foreign port, or a path on our own host. The caller checks the host.
 */
export const safeUrl = (wanted: string | undefined, home: Home): URL | undefined => {
  if (wanted === undefined || wanted === "" || wanted.length > maxReturn || /[\0-\x20\x7f\\]/.test(wanted))
    return undefined
  if (wanted.startsWith("/")) return wanted.startsWith("//") ? undefined : new URL(wanted, home.base)
  // Requires the slashes: some parsers read `https:evil.example` as a relative address of our host.
  if (!/^https?:\/\/[^/]/i.test(wanted) || !URL.canParse(wanted)) return undefined
  const url = new URL(wanted)
  const own = new URL(home.base)
  if (url.username !== "" || url.password !== "") return undefined
  if (url.protocol !== "https:" && url.protocol !== own.protocol) return undefined
  return url.port !== "" && url.port !== own.port ? undefined : url
}

/** `wanted` when it is a page of ours or the cookie reaches its host; else undefined. */
export const returnTo = (wanted: string | undefined, home: Home): string | undefined => {
  const url = safeUrl(wanted, home)
  const host = url === undefined ? undefined : hostOf(url.hostname)
  if (url === undefined || host === undefined) return undefined
  return url.origin === new URL(home.base).origin || isCovered(host, home) ? url.href : undefined
}

/** Address of the login page with the return address as query; an overlong return address is dropped. */
export const loginAddress = (base: string, wanted: string): string =>
  `${base}/login${wanted.length > maxReturn ? "" : `?rd=${encodeURIComponent(wanted)}`}`
