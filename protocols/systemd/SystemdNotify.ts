/**
 * Notifies systemd of the service's state: ready, stopping, alive, status. Without a service manager every call
 * succeeds and does nothing, so programs run the same code in a terminal and under systemd. Callers decide when to
 * notify. Source: sd_notify(3).
 */
import { Context, Duration, Effect, Layer, Option, Semaphore } from "effect"
import { type NotifyEnvironment, notifyVariables, parseEnvironment } from "./Environment.ts"
import { type HelperOptions, send } from "./NotifyHelper.ts"
import * as State from "./State.ts"
import type { SystemdError } from "./SystemdError.ts"

export class SystemdNotify extends Context.Service<
  SystemdNotify,
  {
    /** Whether a service manager listens. */
    readonly enabled: boolean
    /** READY=1: start-up is complete. */
    readonly ready: Effect.Effect<void, SystemdError>
    /** STOPPING=1: shutdown has begun. */
    readonly stopping: Effect.Effect<void, SystemdError>
    /** WATCHDOG=1: the service is alive. */
    readonly watchdog: Effect.Effect<void, SystemdError>
    /** STATUS=…: one line for `systemctl status`. */
    readonly status: (text: string) => Effect.Effect<void, SystemdError>
    /** EXTEND_TIMEOUT_USEC=…: start or stop may take this much longer, counted from now. */
    readonly extendTimeout: (by: Duration.Input) => Effect.Effect<void, SystemdError>
    /** Sends several states as one message. */
    readonly notify: (states: ReadonlyArray<State.State>) => Effect.Effect<void, SystemdError>
    /** Interval for `watchdog`: half of WATCHDOG_USEC. None when systemd does not watch this process. */
    readonly watchdogInterval: Option.Option<Duration.Duration>
  }
>()("signalbox/protocols/systemd/SystemdNotify") {
  /**
   * Uses the environment of the process and removes the variables from it, as sd_notify(3) can. With NotifyAccess=all a
   * child process that inherited them could notify for the service (Postgres sends READY=1). Build this layer only once
   * per process.
   */
  static readonly layer: Layer.Layer<SystemdNotify, SystemdError> = Layer.effect(
    SystemdNotify,
    Effect.suspend(() => {
      const environment = parseEnvironment(process.env, process.pid)
      for (const variable of notifyVariables) delete process.env[variable]
      return Effect.flatMap(Effect.fromResult(environment), (found) => make(found))
    })
  )

  /** Sends nothing: for programs that are not a service, and for tests. */
  static readonly layerSilent: Layer.Layer<SystemdNotify> = Layer.effect(
    SystemdNotify,
    Effect.suspend(() => make(Option.none()))
  )
}

/** Uses a parsed environment. Messages are sent one at a time, in the order of the calls. */
export const make = (
  environment: Option.Option<NotifyEnvironment>,
  options: HelperOptions = {}
): Effect.Effect<SystemdNotify["Service"]> =>
  Effect.sync(() => {
    const oneAtATime = Semaphore.makeUnsafe(1)
    const notify = (states: ReadonlyArray<State.State>): Effect.Effect<void, SystemdError> =>
      Option.match(environment, {
        onNone: () => Effect.void,
        onSome: ({ socket }) =>
          states.length === 0 ? Effect.void : oneAtATime.withPermit(send(socket, states, options))
      })
    return SystemdNotify.of({
      enabled: Option.isSome(environment),
      ready: notify([State.ready]),
      stopping: notify([State.stopping]),
      watchdog: notify([State.watchdog]),
      status: (text) => notify([State.status(text)]),
      extendTimeout: (by) => notify([State.extendTimeout(by)]),
      notify,
      watchdogInterval: environment.pipe(
        Option.flatMap(({ watchdogTimeout }) => watchdogTimeout),
        Option.map((timeout) => Duration.millis(Duration.toMillis(timeout) / 2))
      )
    })
  })
