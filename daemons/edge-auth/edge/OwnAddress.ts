/**
 * Our own address as a visitor reached it. A trusted proxy names host and scheme of the request; headers of others are
 * removed by the listener. Only pages for this visitor use it, and their cookies are bound to the same host. Pure.
 */
import { isIP } from "node:net"
import { hostOf } from "./Host.ts"
import { type Home, isCovered } from "./ReturnTo.ts"

type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const first = (value: string | ReadonlyArray<string> | undefined): string =>
  (typeof value === "string" ? value : "").split(",", 1)[0]!.trim()

/** Origin of the request; undefined when its host is no host name. */
const originOf = (headers: Headers): string | undefined => {
  const authority = first(headers["x-forwarded-host"]) || first(headers["host"])
  const scheme = first(headers["x-forwarded-proto"]).toLowerCase() === "https" ? "https" : "http"
  return hostOf(authority) === undefined || !URL.canParse(`${scheme}://${authority}`)
    ? undefined
    : new URL(`${scheme}://${authority}`).origin
}

/**
 * The home for one request. `fixed`: SIGNALBOX_EDGE_AUTH_URL is set and counts alone. A host that does not get the
 * session cookie is not used.
 */
export const homeFor = (home: Home, fixed: boolean, headers: Headers): Home => {
  const base = fixed ? undefined : originOf(headers)
  if (base === undefined) return home
  return home.cookieDomain === undefined || isCovered(hostOf(new URL(base).host) ?? "", home) ? { ...home, base } : home
}

/** Whether browsers store the session cookie, which is Secure, for pages at `base`. Source: Secure Contexts §3.1. */
export const keepsCookies = (base: string): boolean => {
  const { hostname, protocol } = new URL(base)
  const name = hostname.replace(/^\[(.*)\]$/, "$1")
  return (
    protocol === "https:" ||
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "::1" ||
    (isIP(name) === 4 && name.startsWith("127."))
  )
}
