/** Carries out a restart and waits until the service is healthy. */
import { Clock, Effect, Result } from "effect"
import { ServiceRuntime } from "./ServiceRuntime.ts"
import type { ServiceName } from "./ServiceName.ts"
import { conditionOf } from "./Snapshot.ts"

/** Interval of looks at a service that starts. Unit: seconds. */
const lookInterval = 1

/** Looks in a row that must find the service healthy. Reason: one that ends at once can be seen running one time. */
const healthyLooks = 2

/**
 * Problem of the restart in one line; null when the service is healthy again. `patience`: seconds. `look`: called at
 * each look. `second`: its length in milliseconds.
 */
export const restartAndWait = Effect.fnUntraced(function* (
  service: ServiceName,
  patience: number,
  look: Effect.Effect<void>,
  second: number
) {
  const runtime = yield* ServiceRuntime
  const restarted = yield* Effect.result(runtime.restart(service))
  if (Result.isFailure(restarted)) return restarted.failure.message
  const until = (yield* Clock.currentTimeMillis) + patience * second
  let last = "its state is not known"
  let healthy = 0
  while (true) {
    yield* look
    const found = yield* Effect.result(runtime.find(service))
    healthy = Result.isSuccess(found) && conditionOf(found.success) === "well" ? healthy + 1 : 0
    if (healthy === healthyLooks) return null
    if (Result.isSuccess(found)) {
      last = [found.success.status, found.success.health].filter((word) => word !== "none").join(", ")
    } else last = found.failure.message
    if (healthy === 0 && (yield* Clock.currentTimeMillis) >= until)
      return `not healthy ${patience} s after the restart: ${last}`
    yield* Effect.sleep(lookInterval * second)
  }
})
