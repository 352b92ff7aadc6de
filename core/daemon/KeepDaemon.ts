/** Keeps the daemons of a process running, and tells systemd's watchdog that they are. */
import { Clock, Effect, Exit, Option, Schedule, Schema, Scope } from "effect"
import { SystemdNotify } from "#protocols/systemd/SystemdNotify.ts"
import * as Backoff from "../supervision/Backoff.ts"
import { decide, defaultIntensity } from "../supervision/RestartDecision.ts"
import { describe, type Supervisor } from "../supervision/Supervisor.ts"
import type { Daemon, RunningDaemon } from "./Daemon.ts"

/** A daemon or the process frame keeps failing. The process should end, and its service manager should restart it. */
export class SuiteBroken extends Schema.TaggedError<SuiteBroken>()("SuiteBroken", {
  daemon: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.daemon} keeps breaking: ${this.reason}`
  }
}

/**
 * Starts a daemon and watches it. After an escalation, `up` rebuilds the daemon alone, within the default intensity.
 * Without a gateway, or beyond that intensity, the returned effect fails and the process should end.
 */
export const keepDaemon = Effect.fnUntraced(function* (
  daemon: Daemon,
  running: Map<string, RunningDaemon>,
  rebuild: boolean
) {
  const outer = yield* Effect.scope
  const begin = Effect.gen(function* () {
    const scope = yield* Scope.fork(outer)
    const started = yield* Effect.onExit(Scope.provide(daemon.start, scope), (exit) =>
      Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)
    )
    running.set(daemon.name, started)
    return { scope, started }
  })
  let current = yield* begin
  const watch = Effect.gen(function* () {
    let defects: ReadonlyArray<number> = []
    while (true) {
      const { actor, message } = yield* current.started.supervisor.escalated
      running.delete(daemon.name)
      yield* Scope.close(current.scope, Exit.void)
      const decision = decide("permanent", defaultIntensity, defects, "defect", yield* Clock.currentTimeMillis)
      if (!rebuild || decision._tag !== "Restart") {
        return yield* new SuiteBroken({ daemon: daemon.name, reason: `${actor}: ${message}` })
      }
      defects = decision.defects
      yield* Effect.logError(`${daemon.name} is rebuilt: ${actor} escalated (${message})`)
      current = yield* Effect.retry(
        Effect.tapCause(begin, (cause) =>
          Effect.logError(`${daemon.name} cannot be rebuilt; retrying: ${describe(cause)}`)
        ),
        Backoff.schedule(Backoff.standard)
      ).pipe(Effect.orDie)
    }
  })
  const fiber = yield* Effect.forkScoped(watch)
  return Effect.flatMap(
    Effect.exit(
      Effect.callback<never, SuiteBroken>((resume) => {
        fiber.addObserver((exit) => resume(exit as Exit.Exit<never, SuiteBroken>))
      })
    ),
    (exit) => exit
  )
})

/** Sends `WATCHDOG=1` at half the requested interval while no actor of the process is stalled. */
export const petWatchdog = Effect.fnUntraced(function* (watched: () => ReadonlyArray<Supervisor["Service"]>) {
  const notify = yield* SystemdNotify
  if (Option.isNone(notify.watchdogInterval)) return
  const interval = notify.watchdogInterval.value
  yield* Effect.forkScoped(
    Effect.repeat(
      Effect.gen(function* () {
        const statuses = (yield* Effect.forEach(watched(), (supervisor) => supervisor.statuses)).flat()
        const stalled = statuses.filter((actor) => actor.stalled).map((actor) => actor.name)
        if (stalled.length === 0) yield* Effect.ignore(notify.watchdog)
        else yield* Effect.logError(`no heartbeat from ${stalled.join(", ")}: the watchdog gets no more signals`)
      }),
      // Sending takes time, which must not be added to the interval.
      Schedule.fixed(interval)
    )
  )
})
