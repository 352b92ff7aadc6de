/**
 * Reads the original request from the headers that a proxy sends. `core/http/Listener` has already removed such headers
 * of untrusted hops. Pure. Source: Traefik ForwardAuth, Caddy forward_auth, ngx_http_auth_request_module.
 */
import type { IncomingHttpHeaders } from "node:http"
import { hostOf } from "../edge/Host.ts"

export interface Asked {
  readonly scheme: "https" | "http"
  /** Normalised by `hostOf`. */
  readonly host: string
  /** Host as the proxy sent it, with its port. */
  readonly authority: string
  /** Path and query as the client sent them. */
  readonly target: string
}

/**
 * The request from X-Forwarded-Host and X-Forwarded-Uri, else from X-Original-URL, else from X-Original-URI and the
 * host. Undefined when all are missing or invalid: without a known request nobody may pass.
 */
export const askedOf = (headers: IncomingHttpHeaders): Asked | undefined => {
  const forwardedHost = one(headers["x-forwarded-host"])
  const forwardedUri = one(headers["x-forwarded-uri"])
  if (forwardedHost !== undefined && forwardedUri !== undefined)
    return of(one(headers["x-forwarded-proto"]), forwardedHost, forwardedUri)
  const url = one(headers["x-original-url"])
  if (url !== undefined) {
    const [, scheme, authority, target = "/"] = /^(https?):\/\/([^/?#\\@]+)(\/[^#]*|\?[^#]*)?$/i.exec(url) ?? []
    return authority === undefined ? undefined : of(scheme, authority, target)
  }
  const uri = one(headers["x-original-uri"])
  const host = forwardedHost ?? headers.host
  return uri === undefined || host === undefined ? undefined : of(one(headers["x-forwarded-proto"]), host, uri)
}

const one = (header: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof header === "string" && header !== "" ? header : undefined

const of = (scheme: string | undefined, authority: string, target: string): Asked | undefined => {
  const host = known.get(authority) ?? learned(authority)
  if (host === undefined || /[\0-\x20\x7f]/.test(target)) return undefined
  const path = target.startsWith("/") ? target : target.startsWith("?") ? `/${target}` : undefined
  return path === undefined
    ? undefined
    : { scheme: scheme?.toLowerCase() === "http" ? "http" : "https", host, authority, target: path }
}

/** Cache of normalised hosts by the text sent. Reason: nearly all requests are for the same few hosts. */
const known = new Map<string, string>()

/** Maximum number of entries of the cache. Reason: clients can send any host name. */
const mostKnown = 1_000

const learned = (authority: string): string | undefined => {
  const host = hostOf(authority)
  if (host !== undefined) {
    if (known.size >= mostKnown) known.clear()
    known.set(authority, host)
  }
  return host
}

/** Address of the original request, used as return address. */
export const urlOf = ({ authority, scheme, target }: Asked): string =>
  `${scheme}://${authority.trim().toLowerCase()}${target}`
