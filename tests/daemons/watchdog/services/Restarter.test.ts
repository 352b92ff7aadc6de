import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { restartAndWait } from "#daemons/watchdog/services/Restarter.ts"
import { ServiceRuntime } from "#daemons/watchdog/services/ServiceRuntime.ts"
import type { Snapshot } from "#daemons/watchdog/services/Snapshot.ts"

const service = { kind: "container", name: "web" } as const

const running = { ...service, state: "running", health: "none", status: "Up" } as Snapshot
const stopped = { ...running, state: "stopped", status: "Exited (7)" } satisfies Snapshot

/** Outcome of a restart with 3 s of patience; `seen` holds what the looks find, the last one for ever. */
const outcome = (seen: ReadonlyArray<Snapshot>) =>
  Effect.gen(function* () {
    const left = [...seen]
    const find = () => Effect.sync(() => (left.length > 1 ? left.shift()! : left[0]!))
    const runtime = { restart: () => Effect.void, find } as unknown as typeof ServiceRuntime.Service
    const fiber = yield* Effect.forkChild(
      Effect.provideService(restartAndWait(service, 3, Effect.void, 1_000), ServiceRuntime, runtime)
    )
    yield* TestClock.adjust(10_000)
    return yield* Fiber.join(fiber)
  })

it.effect("a service that keeps running is healthy", () =>
  Effect.gen(function* () {
    expect(yield* outcome([stopped, running])).toBeNull()
  })
)

it.effect("a service that ends at once is not, although one look finds it running", () =>
  Effect.gen(function* () {
    expect(yield* outcome([running, stopped])).toBe("not healthy 3 s after the restart: Exited (7)")
  })
)

it.effect("a service that starts within its last second has that second to prove itself", () =>
  Effect.gen(function* () {
    expect(yield* outcome([stopped, stopped, stopped, running])).toBeNull()
    expect(yield* outcome([stopped, stopped, stopped, running, stopped])).toContain("not healthy")
  })
)
