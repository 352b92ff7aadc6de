/** Carries out a restart and waits until the service is healthy. */
import { Clock, Duration, Effect, Result } from "effect"
import { ServiceRuntime } from "./ServiceRuntime.ts"
import type { ServiceName } from "./ServiceName.ts"
import { conditionOf } from "./Snapshot.ts"

/** Interval of looks at a service that starts. */
const lookInterval = Duration.seconds(1)

/** Looks in a row that must find the service healthy. Reason: one that ends at once can be seen running one time. */
const healthyLooks = 2

/** Problem of the restart in one line; null when the service is healthy again. `look`: called at each look. */
export const restartAndWait = Effect.fnUntraced(function* (
  service: ServiceName,
  patience: Duration.Duration,
  look: Effect.Effect<void>
) {
  const runtime = yield* ServiceRuntime
  const restarted = yield* Effect.result(runtime.restart(service))
  if (Result.isFailure(restarted)) return restarted.failure.message
  const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(patience)
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
      return `not healthy ${Duration.toSeconds(patience)} s after the restart: ${last}`
    yield* Effect.sleep(lookInterval)
  }
})
