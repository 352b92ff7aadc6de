/**
 * What Postfix asks at the end of each mail that it takes: counted for its client when that has signed in, since
 * everybody else's mails are handed over by other mail servers, of which one may well bring twenty in ten minutes. The
 * answer is always `dunno`. Not placed: every mail-admin listens. Of two on one host the second waits for the port, and
 * has it within a second of the first one's end.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { type Component, Health } from "#core/daemon/Health.ts"
import { Actor, type ActorSpec, idle, Supervisor } from "#core/supervision/Supervisor.ts"
import { dunno } from "#protocols/postfix-policy/Action.ts"
import type { PolicyRequest } from "#protocols/postfix-policy/PolicyRequest.ts"
import { serve } from "#protocols/postfix-policy/PolicyServer.ts"
import { mailSpamSender } from "./BanRules.ts"
import { Bans } from "./Bans.ts"

/** How often a taken port is tried again. Unit: seconds. */
const portRetry = Duration.seconds(1)

/** Where the service stands, for `/health`. Written by its actor alone. */
export class PolicyState extends Context.Service<
  PolicyState,
  { state: "starting" | "listening" | "taken"; readonly host: string; port: number }
>()("signalbox/mail-admin/PolicyState") {}

/** Registers the service and its health component `policy_service`. `port` 0: any free one. */
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

/** The client that handed a mail in, by this request; undefined when it is about something else. */
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
        yield* Effect.logWarning(`port ${place.port} is held by another process: waiting for it`)
      state.state = "taken"
      yield* actor.note(`port ${place.port} is held by another process`)
      yield* actor.progress
      yield* Effect.sleep(portRetry)
    }
  })
}
