/** The actor that carries out restarts which people requested. */
import { Duration, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { Wake } from "#core/events/Wake.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { restartAndWait } from "./Restarter.ts"
import * as RestartStore from "./RestartStore.ts"
import { ServiceRuntime } from "./ServiceRuntime.ts"
import { conditionOf } from "./Snapshot.ts"

/** Topic that announces a request. */
export const topic = "watchdog.restart"

/** Longest wait without a wake-up. */
const pollInterval = Duration.seconds(30)

/**
 * Pause before the daemon restarts itself. Reason: the answer to the request has left then; the stop also waits for
 * requests in flight.
 */
const selfPause = Duration.seconds(1)

/** Longest time without progress. Reason: systemd may take 3 minutes for one restart. */
const stallAfter = Duration.minutes(5)

/** Runs in every process, because each host restarts its own services. A claim has one winner. */
export const requestedRestarts = (
  patience: Duration.Duration
): ActorSpec<SqlClient.SqlClient | ServiceRuntime | Wake> => ({
  name: "requested restarts",
  stallAfter,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const wakeup = yield* (yield* Wake).subscribe(topic)
    yield* resume
    yield* RestartStore.prune()
    while (true) {
      yield* actor.progress
      const restart = yield* RestartStore.claim()
      if (restart === undefined) {
        yield* wakeup.wait(pollInterval)
        continue
      }
      const runtime = yield* ServiceRuntime
      if (runtime.isSelf(restart)) yield* Effect.sleep(selfPause)
      const problem = yield* restartAndWait(restart, patience, actor.progress)
      yield* Effect.logInfo(`restarted ${runtime.format(restart)}: ${problem ?? "healthy"}`)
      yield* transaction(RestartStore.finish(restart.id, problem))
    }
  })
})

/** Finishes restarts whose process has ended. One that restarted this daemon has succeeded. */
const resume: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient | ServiceRuntime> = Effect.gen(function* () {
  const runtime = yield* ServiceRuntime
  for (const restart of yield* RestartStore.running()) {
    if (restart.worker !== null && restart.worker !== process.pid && isAlive(restart.worker)) continue
    if (runtime.isSelf(restart)) {
      yield* RestartStore.finish(restart.id, null)
      continue
    }
    const isWell = yield* Effect.match(runtime.find(restart), {
      onSuccess: (found) => conditionOf(found) === "well",
      onFailure: () => false
    })
    yield* RestartStore.finish(restart.id, isWell ? null : "the watchdog ended during the restart")
  }
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
