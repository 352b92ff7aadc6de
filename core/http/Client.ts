/** Where the request that is being answered comes from, for lists, counters and the audit log. */
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { clientAddress } from "./ClientAddress.ts"

export interface Client {
  /** The peer's address, or what trusted proxies say it is (Listener). */
  readonly address: string
  /** As the client calls itself; unchecked, as long as a header may be. */
  readonly userAgent: string | undefined
}

/** Of the request in hand. */
export const client: Effect.Effect<Client, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  (request) => ({
    address: clientAddress(NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage),
    userAgent: request.headers["user-agent"]
  })
)
