/** A program whose stop never ends, for tests of the stop deadline. Argument: the deadline in milliseconds. */
import { NodeRuntime } from "@effect/platform-node"
import { boundStop, runsUntilStopped, teardown } from "#core/cli/Ending.ts"
import { Duration, Effect } from "effect"

const stuck = Effect.acquireRelease(
  Effect.sync(() => process.stdout.write("{}\n")),
  () => Effect.never
)

boundStop(Duration.millis(Number(process.argv[2]))).pipe(
  Effect.andThen(runsUntilStopped),
  Effect.andThen(Effect.scoped(Effect.andThen(stuck, Effect.never))),
  NodeRuntime.runMain({ disableErrorReporting: true, teardown })
)
