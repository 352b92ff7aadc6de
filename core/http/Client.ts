/**
 * Origin of the current request, for lists, counters and the audit log.
 */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { clientAddress } from "./ClientAddress.ts"

export interface Client {
  /** The peer's address, or the address that trusted proxies name (ClientAddress). */
  readonly address: string
  /** Unchecked text of the User-Agent header, as long as a header may be. */
  readonly userAgent: string | undefined
}

/** Client of the current request. */
export const client: Effect.Effect<Client, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  (request) => ({
    address: clientAddress(NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage),
    userAgent: request.headers["user-agent"]
  })
)
