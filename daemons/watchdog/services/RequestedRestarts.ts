/** The actor that carries out restarts which people requested. */
import { Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { Wake } from "#core/events/Wake.ts"
import { transaction } from "#core/sql/Sql.ts"
import { isAlive } from "#core/supervision/ProcessIdentity.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { restartAndWait } from "./Restarter.ts"
import * as RestartStore from "./RestartStore.ts"
import { ServiceRuntime } from "./ServiceRuntime.ts"
import type { ServiceConfig } from "./Settings.ts"
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

/**
 * Longest run of a restart beside the patience. Unit: seconds. Reason: the pause before the own restart, and systemd,
 * which may take 3 minutes. A claim that is older has ended with its process.
 */
const longestRun = 240

/**
 * Runs in every process, because each host restarts its own services. A claim has one winner. `restartPatience`:
 * seconds.
 */
export const requestedRestarts = ({
  restartPatience,
  second
}: Pick<ServiceConfig, "restartPatience" | "second">): ActorSpec<SqlClient.SqlClient | ServiceRuntime | Wake> => ({
  name: "requested restarts",
  stallAfter,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const wakeup = yield* (yield* Wake).subscribe(topic)
    yield* RestartStore.prune()
    while (true) {
      yield* actor.progress
      yield* resume(1_000 * (longestRun + restartPatience))
      const restart = yield* RestartStore.claim()
      if (restart === undefined) {
        yield* wakeup.wait(pollInterval)
        continue
      }
      const runtime = yield* ServiceRuntime
      if (runtime.isSelf(restart)) yield* Effect.sleep(selfPause)
      const problem = yield* restartAndWait(restart, restartPatience, actor.progress, second)
      yield* Effect.logInfo(`restarted ${runtime.format(restart)}: ${problem ?? "healthy"}`)
      yield* transaction(RestartStore.finish(restart.id, problem))
    }
  })
})

/**
 * Finishes restarts whose process has ended. One that restarted this daemon has succeeded. After a reboot the process
 * id of the worker may belong to another process, so a claim older than `longest` milliseconds has ended in any case.
 */
const resume = Effect.fnUntraced(function* (longest: number) {
  const runtime = yield* ServiceRuntime
  for (const restart of yield* RestartStore.running()) {
    const isYoung = Date.now() - restart.requested_at.getTime() < longest
    if (isYoung && restart.worker !== null && isUnderWay(restart.worker, restart.requested_at)) continue
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

/** A claim of our own process id that is older than this process is of an earlier one. */
const isUnderWay = (worker: number, requestedAt: Date): boolean =>
  worker === process.pid ? requestedAt.getTime() >= performance.timeOrigin : isAlive(worker)
