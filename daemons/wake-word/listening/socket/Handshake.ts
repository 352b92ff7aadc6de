/** Decides about upgrade requests for the audio socket. Pure. Source: RFC 6455 §4.2.1. */
import type { Refusal } from "#core/http/Problem.ts"

/** Paths of the socket: behind the gateway also the short one. Source: interface document 3 §4.3. */
export const socketPaths = ["/api/v1/wakeword/ws", "/wakeword/ws"] as const

/** Parts of the request that are checked. */
export interface Facts {
  readonly method: string
  readonly upgrade: string | undefined
  readonly version: string | undefined
  readonly key: string | undefined
  readonly origin: string | undefined
  /** Query of the address. */
  readonly ticket: string | null
}

export interface Entry {
  /** Hosts whose pages may connect without ticket; `*.` for all subdomains. */
  readonly origins: ReadonlyArray<string>
  /** Whether any client may connect without ticket. */
  readonly open: boolean
}

export type Decision =
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly detail: string }
  | { readonly kind: "ticket"; readonly ticket: string }
  /** Without ticket, for the provider's tenant. */
  | { readonly kind: "bare" }

/** What becomes of the request. */
export const decide = (facts: Facts, { open, origins }: Entry): Decision => {
  const no = (refusal: Refusal, detail: string): Decision => ({ kind: "refused", refusal, detail })
  if (facts.method !== "GET") return no(405, "A WebSocket handshake uses GET.")
  if (facts.upgrade?.toLowerCase() !== "websocket") return no(400, "The Upgrade header must be websocket.")
  if (facts.version !== "13") return no(400, "Sec-WebSocket-Version must be 13.")
  if (!/^[+/0-9A-Za-z]{22}==$/.test(facts.key ?? "")) return no(400, "Sec-WebSocket-Key must be 16 bytes in base64.")
  if (facts.ticket !== null) return { kind: "ticket", ticket: facts.ticket }
  if (open || isListed(facts.origin, origins)) return { kind: "bare" }
  return no(401, "Get an address with a ticket from GET /api/v1/wakeword/status.")
}

/** Whether the page of this origin may connect without ticket. A client without Origin header may not. */
export const isListed = (origin: string | undefined, origins: ReadonlyArray<string>): boolean => {
  if (origin === undefined) return false
  const page = URL.parse(origin)
  if (page === null || (page.protocol !== "http:" && page.protocol !== "https:")) return false
  return origins.some((own) => (own.startsWith("*.") ? page.hostname.endsWith(own.slice(1)) : page.hostname === own))
}
