/**
 * Actor that serves a port which only one process of a host can have, and the health component of that service. Not
 * placed: every process tries to listen, and one that finds the port in use takes it within a second after it is free.
 */
import { Duration, Effect, type Scope } from "effect"
import { type Component, Health } from "./Health.ts"
import { Actor, idle, Supervisor } from "../supervision/Supervisor.ts"

/** Retry interval when the port is in use. Unit: seconds. */
const portRetry = Duration.seconds(1)

export interface PortActorOptions<E, R> {
  /** Name of the actor. */
  readonly name: string
  /** Name of the health component. */
  readonly component: string
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Listens until the scope ends. Returns the bound port. */
  readonly serve: Effect.Effect<{ readonly port: number }, E, R | Scope.Scope>
  /** Whether the failure means that the port is in use. */
  readonly isTaken: (error: E) => boolean
}

/** Registers the actor and the component. */
export const register = <E, R>({ component, host, isTaken, name, port, serve }: PortActorOptions<E, R>) => {
  let state: { readonly step: "starting" | "listening" | "taken"; readonly port: number } = { step: "starting", port }
  const taken = `port ${port} is held by another process`
  const shown = (): Component =>
    state.step === "listening"
      ? { status: "ok", host, port: state.port }
      : { status: "degraded", detail: state.step === "taken" ? taken : "not listening yet", host, port }
  const run = Effect.gen(function* () {
    const actor = yield* Actor
    while (true) {
      const opened = yield* Effect.catchIf(serve, isTaken, () => Effect.succeed(undefined))
      if (opened !== undefined) {
        state = { step: "listening", port: opened.port }
        yield* actor.note(`listening on ${host}:${opened.port}`)
        return yield* Effect.ensuring(
          idle,
          Effect.sync(() => (state = { step: "starting", port }))
        )
      }
      if (state.step !== "taken") yield* Effect.logWarning(`${taken}; waiting until it is free`)
      state = { step: "taken", port }
      yield* actor.note(taken)
      yield* actor.progress
      yield* Effect.sleep(portRetry)
    }
  })
  return Effect.andThen(Supervisor.actor({ name, run }), Health.component(component, Effect.sync(shown)))
}
