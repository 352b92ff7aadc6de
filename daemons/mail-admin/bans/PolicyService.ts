/**
 * Policy service that Postfix calls at the end of each mail. Counts the mail for its client if the client
 * authenticated. Mail from unauthenticated clients comes from other mail servers, which may well send twenty in ten
 * minutes. The answer is always `dunno`. Not placed: every mail-admin listens. When two run on one host, the second
 * waits for the port and takes it within a second after the first ends.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { type Component, Health } from "#core/daemon/Health.ts"
import { Actor, type ActorSpec, idle, Supervisor } from "#core/supervision/Supervisor.ts"
import { dunno } from "#protocols/postfix-policy/Action.ts"
import type { PolicyRequest } from "#protocols/postfix-policy/PolicyRequest.ts"
import { serve } from "#protocols/postfix-policy/PolicyServer.ts"
import { mailSpamSender } from "./BanRules.ts"
import { Bans } from "./Bans.ts"

/** Retry interval when the port is in use. Unit: seconds. */
const portRetry = Duration.seconds(1)

/** State of the service for `/health`. Only its actor writes it. */
export class PolicyState extends Context.Service<
  PolicyState,
  { state: "starting" | "listening" | "taken"; readonly host: string; port: number }
>()("signalbox/mail-admin/PolicyState") {}

/** Registers the service and its health component `policy_service`. Port 0: any free port. */
export const layer = (host: string, port: number) => {
  const state = Layer.sync(PolicyState, () => PolicyState.of({ state: "starting", host, port }))
  const registered = Effect.andThen(
    Supervisor.actor(policyService),
    Health.component("policy_service", Effect.map(PolicyState, component))
  )
  return Layer.provide(Layer.effectDiscard(registered), state)
}

const component = ({ host, port, state }: PolicyState["Service"]): Component =>
  state === "listening"
    ? { status: "ok", host, port }
    : {
        status: "degraded",
        detail: state === "taken" ? `port ${port} is held by another process` : "not listening yet",
        host,
        port
      }

/** Address of the authenticated client that submitted a mail; undefined for any other request. */
export const senderOf = ({ clientAddress, protocolState, saslUsername }: PolicyRequest): string | undefined =>
  protocolState === "END-OF-MESSAGE" && saslUsername !== undefined ? clientAddress : undefined

export const policyService: ActorSpec<Bans | PolicyState> = {
  name: "policy service",
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const bans = yield* Bans
    const state = yield* PolicyState
    const place = { host: state.host, port: state.port }
    const handler = (request: PolicyRequest) =>
      Effect.sync(() => {
        const sender = senderOf(request)
        if (sender !== undefined) bans.offend(mailSpamSender, sender)
        return dunno
      })
    while (true) {
      const opened = yield* Effect.catchIf(
        serve({ place, handler }),
        (error) => error.reason._tag === "Listen" && error.reason.why === "EADDRINUSE",
        () => Effect.succeed(undefined)
      )
      if (opened !== undefined) {
        state.state = "listening"
        state.port = opened.port
        yield* actor.note(`listening on ${state.host}:${opened.port}`)
        return yield* Effect.ensuring(
          idle,
          Effect.sync(() => {
            state.state = "starting"
            state.port = place.port
          })
        )
      }
      if (state.state !== "taken")
        yield* Effect.logWarning(`port ${place.port} is held by another process; waiting until it is free`)
      state.state = "taken"
      yield* actor.note(`port ${place.port} is held by another process`)
      yield* actor.progress
      yield* Effect.sleep(portRetry)
    }
  })
}
