/**
 * What a proxy asks about, from the headers it sends. Those of an untrusted hop were taken away before
 * (core/http/Listener), so what is left is the proxy's own word. Pure. Source: Traefik ForwardAuth, Caddy forward_auth,
 * ngx_http_auth_request_module.
 */
import type { IncomingHttpHeaders } from "node:http"
import { hostOf } from "../edge/Host.ts"

export interface Asked {
  readonly scheme: "https" | "http"
  /** As Host.hostOf gives it. */
  readonly host: string
  /** The host as it was written, with its port. */
  readonly authority: string
  /** Path and query, as the client sent them. */
  readonly target: string
}

/**
 * By X-Forwarded-Host and -Uri, else X-Original-URL, else X-Original-URI with Host. Undefined when none of them is
 * there or they are not to be read: nobody may be let pass for a question that was not asked.
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

/** Hosts by how they were written. Reason: the same few come with every question. */
const known = new Map<string, string>()

/** Unit: hosts. Reason: a stranger can ask for any. */
const mostKnown = 1_000

const learned = (authority: string): string | undefined => {
  const host = hostOf(authority)
  if (host !== undefined) {
    if (known.size >= mostKnown) known.clear()
    known.set(authority, host)
  }
  return host
}

/** The address that was asked for, to come back to. */
export const urlOf = ({ authority, scheme, target }: Asked): string =>
  `${scheme}://${authority.trim().toLowerCase()}${target}`
