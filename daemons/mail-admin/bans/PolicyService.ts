/**
 * Policy service that Postfix calls at the end of each mail. Counts the mail for its client if the client
 * authenticated. Mail from unauthenticated clients comes from other mail servers, which may well send twenty in ten
 * minutes. The answer is always `dunno`.
 */
import { Effect, Layer } from "effect"
import { type Component, Health } from "#core/daemon/Health.ts"
import * as PortActor from "#core/daemon/PortActor.ts"
import { trustedFrom } from "#core/http/ClientAddress.ts"
import { dunno } from "#protocols/postfix-policy/Action.ts"
import type { PolicyRequest } from "#protocols/postfix-policy/PolicyRequest.ts"
import { serve } from "#protocols/postfix-policy/PolicyServer.ts"
import { mailSpamSender } from "./BanRules.ts"
import { banSettings } from "./BanSettings.ts"
import { Bans } from "./Bans.ts"

/**
 * Registers the service and its health component `policy_service`, for a port beside the socket `policy_service_port`.
 * `clients`: networks (CIDR) that may connect to a port.
 */
export const layer = (places: ReadonlyArray<PortActor.Place>, clients: ReadonlyArray<string>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const bans = yield* Bans
      const handler = (request: PolicyRequest) =>
        Effect.sync(() => {
          const sender = senderOf(request)
          if (sender !== undefined) bans.offend(mailSpamSender, sender)
          return dunno
        })
      if (places.length === 0) yield* Health.component("policy_service", Effect.succeed(unconfigured))
      for (const [index, place] of places.entries()) {
        yield* PortActor.register({
          name: index === 0 ? "policy service" : "policy service port",
          component: index === 0 ? "policy_service" : "policy_service_port",
          place,
          setting: banSettings.policyPort.name,
          serve: serve({ place, handler, admits: trustedFrom(clients) }),
          isTaken: (error) => error.why === "EADDRINUSE"
        })
      }
    })
  )

const unconfigured: Component = {
  status: "unconfigured",
  detail:
    "mails of signed-in users are not counted: set SIGNALBOX_POSTFIX_DIR, or SIGNALBOX_POLICY_PORT with " +
    "SIGNALBOX_POLICY_CLIENTS"
}

/** Address of the authenticated client that submitted a mail; undefined for any other request. */
export const senderOf = ({ clientAddress, protocolState, saslUsername }: PolicyRequest): string | undefined =>
  protocolState === "END-OF-MESSAGE" && saslUsername !== undefined ? clientAddress : undefined
