/**
 * Who may read the details of `/health`, and `/metrics`: callers with the permission `system.read` of the provider's
 * tenant, platform tokens, and clients whose own address is listed (`SIGNALBOX_HEALTH_ADDRESSES`). Everybody else gets
 * the verdict of each daemon only. Details name peers, accounts and figures that help an attacker.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import { permits } from "../auth/Authentication.ts"
import { type CallerInfo, providerTenant } from "../auth/Caller.ts"
import type { Permission } from "../auth/Permissions.ts"
import { ServiceTokens } from "../auth/ServiceTokens.ts"
import { UserVerifier } from "../auth/UserVerifier.ts"
import { isForwarded, isLoopback, peerAddress, trustedFrom } from "../http/ClientAddress.ts"

/** Permission that shows the details. */
const permission: Permission = "system.read"

/** `refused`: the request carries credentials that are not valid. */
export type Reader = "details" | "verdict" | "refused"

export class HealthAccess extends Context.Service<
  HealthAccess,
  { readonly readerOf: (request: IncomingMessage) => Effect.Effect<Reader> }
>()("signalbox/core/HealthAccess") {}

/** `addresses`: listed networks, in CIDR notation. */
export const layer = (
  addresses: ReadonlyArray<string>
): Layer.Layer<HealthAccess, never, ServiceTokens | UserVerifier> =>
  Layer.effect(
    HealthAccess,
    Effect.gen(function* () {
      const tokens = yield* ServiceTokens
      const verifier = yield* UserVerifier
      const listed = trustedFrom(addresses)

      const ofToken = (token: string) =>
        Effect.map(tokens.find(Redacted.make(token)), (found) =>
          found === undefined
            ? "refused"
            : readerOf({ kind: "service", tokenId: found.id, name: found.name, scopes: found.scopes })
        )

      const ofCaller = Effect.fnUntraced(function* (service: string | undefined, bearer: string | undefined) {
        if (service !== undefined) return yield* ofToken(service)
        if (bearer === undefined) return "verdict"
        // Prometheus and other collectors can send only a bearer token. A user's token is a JWT, which contains dots.
        if (!bearer.includes(".")) return yield* ofToken(bearer)
        return yield* Effect.map(verifier.verify(Redacted.make(bearer)), readerOf)
      })

      return HealthAccess.of({
        readerOf: (request) => {
          if (isListed(request, listed)) return Effect.succeed("details")
          const { authorization = "", "x-service-token": service } = request.headers
          return ofCaller(
            typeof service === "string" && service !== "" ? service : undefined,
            /^bearer +(\S+)$/i.exec(authorization)?.[1]
          ).pipe(
            Effect.catchTags({
              TokenRefused: () => Effect.succeed("refused" as const),
              // The database is away, so credentials cannot be checked. Monitors still need the verdict.
              NotFresh: () => Effect.succeed("verdict" as const)
            }),
            Effect.map((reader): Reader => reader)
          )
        }
      })
    })
  )

/** What a caller with valid credentials may read. Pure. */
const readerOf = (caller: CallerInfo): Reader =>
  permits(caller, permission) && (caller.kind === "service" || caller.tenantId === providerTenant)
    ? "details"
    : "verdict"

/**
 * Whether the client itself has a listed address. A forwarded request never counts: its address would be that of the
 * proxy. A proxy on this machine that sends no forwarding header usually keeps the visitor's host name, so a client of
 * this machine must name the host as an address or `localhost`. This also stops web pages that rebind their own name to
 * loopback.
 */
const isListed = (request: IncomingMessage, listed: (address: string) => boolean): boolean => {
  if (isForwarded(request)) return false
  const peer = peerAddress(request)
  if (isLoopback(peer) || request.socket.remoteAddress === request.socket.localAddress)
    return isLocalName(request.headers.host ?? "") && (listed(peer) || listed("127.0.0.1"))
  return listed(peer)
}

const isLocalName = (host: string): boolean => {
  const name = host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1")
  return name === "localhost" || isIP(name) !== 0
}

/** Explains to a client without access what is missing. */
export const refusalDetail =
  "Send a service token of the platform, or ask from an address of SIGNALBOX_HEALTH_ADDRESSES without a proxy."
