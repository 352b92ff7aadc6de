/** Signals to systemd's watchdog. */
import { expect, it } from "@effect/vitest"
import { Clock, Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { petWatchdog } from "#core/daemon/KeepDaemon.ts"
import { SystemdNotify } from "#protocols/systemd/SystemdNotify.ts"

it.effect("signals at half of the watchdog's time, however long sending takes", () =>
  Effect.gen(function* () {
    const sent: Array<number> = []
    const systemd = {
      watchdogInterval: Option.some(Duration.seconds(10)),
      watchdog: Effect.gen(function* () {
        sent.push((yield* Clock.currentTimeMillis) / 1_000)
        yield* Effect.sleep("4 seconds")
      })
    } as unknown as typeof SystemdNotify.Service
    yield* Effect.provideService(
      petWatchdog(() => []),
      SystemdNotify,
      systemd
    )
    yield* TestClock.adjust("45 seconds")
    // The intervals count from the end of the first signal.
    expect(sent).toEqual([0, 14, 24, 34, 44])
  })
)
