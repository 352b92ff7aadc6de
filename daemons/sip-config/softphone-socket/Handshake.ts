/**
 * Checks upgrade requests for SIP over WebSocket. Pure. Source: RFC 6455 §4.2.1; RFC 7118 §4.1 (sub-protocol `sip`).
 */
import type { Refusal } from "#core/http/Problem.ts"

export const sipPath = "/sip"

/** Parts of the request that are checked. Header values as Node.js joins them. */
export interface Facts {
  readonly method: string
  readonly path: string
  readonly upgrade: string | undefined
  readonly version: string | undefined
  readonly key: string | undefined
  readonly protocols: string | undefined
  readonly origin: string | undefined
  /** Requested host, with its port. */
  readonly host: string | undefined
}

export interface Refused {
  readonly refusal: Refusal
  readonly detail: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Reason to refuse the request; undefined when it is valid. `origins`: hosts whose pages may connect, `*.` for all
 * subdomains. Empty: only pages of the requested host.
 */
export const refuse = (facts: Facts, origins: ReadonlyArray<string>): Refused | undefined => {
  const no = (refusal: Refusal, detail: string, headers: Readonly<Record<string, string>> = {}): Refused => ({
    refusal,
    detail,
    headers
  })
  if (facts.path !== sipPath) return no(404, "The path of SIP over WebSocket is /sip.")
  if (facts.method !== "GET") return no(405, "A WebSocket handshake uses GET.", { allow: "GET" })
  if (facts.upgrade?.toLowerCase() !== "websocket") return no(400, "The Upgrade header must be websocket.")
  if (facts.version !== "13") return no(400, "Sec-WebSocket-Version must be 13.", { "sec-websocket-version": "13" })
  if (!/^[+/0-9A-Za-z]{22}==$/.test(facts.key ?? "")) return no(400, "Sec-WebSocket-Key must be 16 bytes in base64.")
  if (!(facts.protocols ?? "").split(",").some((name) => name.trim() === "sip"))
    return no(400, "Sec-WebSocket-Protocol must offer sip.")
  if (!mayConnect(facts.origin, facts.host, origins)) return no(403, "Pages of this origin must not connect.")
  return undefined
}

/** Whether the origin may connect. Clients without an Origin header are not browsers and may. */
export const mayConnect = (
  origin: string | undefined,
  host: string | undefined,
  origins: ReadonlyArray<string>
): boolean => {
  if (origin === undefined) return true
  const page = URL.parse(origin)
  if (page === null || (page.protocol !== "http:" && page.protocol !== "https:")) return false
  if (origins.length === 0) return host !== undefined && URL.parse(`http://${host}`)?.hostname === page.hostname
  return origins.some((own) => (own.startsWith("*.") ? page.hostname.endsWith(own.slice(1)) : page.hostname === own))
}
