/**
 * Policy service that Postfix calls at the end of each mail. Counts the mail for its client if the client
 * authenticated. Mail from unauthenticated clients comes from other mail servers, which may well send twenty in ten
 * minutes. The answer is always `dunno`.
 */
import { Effect, Layer } from "effect"
import * as PortActor from "#core/daemon/PortActor.ts"
import { dunno } from "#protocols/postfix-policy/Action.ts"
import type { PolicyRequest } from "#protocols/postfix-policy/PolicyRequest.ts"
import { serve } from "#protocols/postfix-policy/PolicyServer.ts"
import { mailSpamSender } from "./BanRules.ts"
import { Bans } from "./Bans.ts"

/** Registers the service and its health component `policy_service`. Port 0: any free port. */
export const layer = (host: string, port: number) =>
  Layer.effectDiscard(
    Effect.flatMap(Bans, (bans) =>
      PortActor.register({
        name: "policy service",
        component: "policy_service",
        host,
        port,
        serve: serve({
          place: { host, port },
          handler: (request) =>
            Effect.sync(() => {
              const sender = senderOf(request)
              if (sender !== undefined) bans.offend(mailSpamSender, sender)
              return dunno
            })
        }),
        isTaken: (error) => error.reason._tag === "Listen" && error.reason.why === "EADDRINUSE"
      })
    )
  )

/** Address of the authenticated client that submitted a mail; undefined for any other request. */
export const senderOf = ({ clientAddress, protocolState, saslUsername }: PolicyRequest): string | undefined =>
  protocolState === "END-OF-MESSAGE" && saslUsername !== undefined ? clientAddress : undefined
