/**
 * Actor that serves a port or unix socket which only one process of a host can have, and the health component of that
 * service. Not placed: every process tries to listen, and one that finds the address in use takes it within a second
 * after it is free.
 */
import { Duration, Effect, type Scope } from "effect"
import { type Component, Health, healthSentence } from "./Health.ts"
import { holderOf } from "../http/PortHolder.ts"
import { Actor, idle, Supervisor } from "../supervision/Supervisor.ts"

/** Address to listen on. `port` 0: any free port. */
export type Place = { readonly host: string; readonly port: number } | { readonly path: string }

/** Retry interval when the address is in use. Unit: seconds. */
const portRetry = Duration.seconds(1)

export interface PortActorOptions<E, R> {
  /** Name of the actor. */
  readonly name: string
  /** Name of the health component. */
  readonly component: string
  readonly place: Place
  /** Variable of the port, named when the port is in use. */
  readonly setting?: string | undefined
  /** Listens until the scope ends. Returns the bound port. */
  readonly serve: Effect.Effect<{ readonly port: number }, E, R | Scope.Scope>
  /** Whether the failure means that the address is in use. */
  readonly isTaken: (error: E) => boolean
}

/** Registers the actor and the component. */
export const register = <E, R>({ component, isTaken, name, place, serve, setting }: PortActorOptions<E, R>) => {
  let state: { readonly step: "starting" | "listening" | "taken"; readonly at: Place } = { step: "starting", at: place }
  let taken = ""
  /** Read once: the look through all processes is expensive. */
  const describeTaken = () =>
    "path" in place
      ? healthSentence(`${place.path} is held by another process`)
      : healthSentence(`port ${place.port} is held by ${holderOf(place.port) ?? "another process"}`) +
        (setting === undefined ? "" : healthSentence(`; ${setting} sets another port`))
  const shown = (): Component =>
    state.step === "listening"
      ? { status: "ok", ...state.at }
      : { status: "degraded", detail: state.step === "taken" ? taken : "not listening yet", ...state.at }
  const run = Effect.gen(function* () {
    const actor = yield* Actor
    while (true) {
      const opened = yield* Effect.catchIf(serve, isTaken, () => Effect.succeed(undefined))
      if (opened !== undefined) {
        const at = "path" in place ? place : { host: place.host, port: opened.port }
        state = { step: "listening", at }
        yield* actor.note(`listening on ${"path" in at ? at.path : `${at.host}:${at.port}`}`)
        return yield* Effect.ensuring(
          idle,
          Effect.sync(() => (state = { step: "starting", at: place }))
        )
      }
      if (state.step !== "taken") {
        taken = describeTaken()
        yield* Effect.logWarning(`${taken}; waiting until it is free`)
      }
      state = { step: "taken", at: place }
      yield* actor.note(taken)
      yield* actor.progress
      yield* Effect.sleep(portRetry)
    }
  })
  return Effect.andThen(Supervisor.actor({ name, run }), Health.component(component, Effect.sync(shown)))
}
