/** Carries out a restart and waits until the service is healthy. */
import { Clock, Duration, Effect, Result } from "effect"
import { ServiceRuntime } from "./ServiceRuntime.ts"
import type { ServiceName } from "./ServiceName.ts"
import { conditionOf } from "./Snapshot.ts"

/** Interval of looks at a service that starts. */
const lookInterval = Duration.seconds(1)

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
  while (true) {
    yield* look
    const found = yield* Effect.result(runtime.find(service))
    if (Result.isSuccess(found)) {
      if (conditionOf(found.success) === "well") return null
      last = [found.success.status, found.success.health].filter((word) => word !== "none").join(", ")
    } else last = found.failure.message
    if ((yield* Clock.currentTimeMillis) >= until)
      return `not healthy ${Duration.toSeconds(patience)} s after the restart: ${last}`
    yield* Effect.sleep(lookInterval)
  }
})
