/**
 * The pause of RETRY in real minutes. The ledger stores it, so any later process makes the next attempt. Only the long
 * run waits for the attempt itself.
 */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import * as Random from "#support/Random.ts"
import { handIn, makeAlarms } from "./Load.ts"
import { allRuns, type Run, settled, start } from "./Running.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

/** Length of a RETRY minute. Unit: milliseconds. */
const minute = 60_000

/**
 * Largest deviation of an attempt from its due time. Unit: milliseconds. Reason: due attempts start within a second,
 * and the machine may be loaded.
 */
const tolerance = 3_000

describe("RETRY in real time", () => {
  it.live(
    `a minute is a minute${long ? ", also over kill -9" : ""}`,
    () =>
      Effect.gen(function* () {
        const running = yield* start([{ name: "both", daemons: ["alarm-bridge", "comm-dispatcher"] }], Random.make(), {
          minute,
          behaviourOf: () => ({ failures: 1, long: false })
        })
        const { fleet, receivers } = running
        // Alarm 8 has both targets and RETRY:4x1m. Its receivers fail once.
        const alarm = makeAlarms(9, receivers.sinkUrl, () => "smtp")[8]!
        yield* handIn(alarm, running.doors)

        const waiting = yield* until(
          running,
          (run) =>
            run.targets.length === 2 &&
            run.targets.every((target) => target.state === "pending" && target.attempts[0]?.state === "failed")
        )
        for (const target of waiting.targets) {
          const pause = Date.parse(target.due_at!) - Date.parse(target.attempts[0]!.finished_at!)
          expect(Math.abs(pause - minute), `${target.channel} is due ${pause} ms after its failure`).toBeLessThan(1_000)
        }
        if (!long) return

        fleet.unit("both").kill()
        yield* Effect.sleep(minute - tolerance * 4)
        yield* settled(running, [alarm])
        const [done] = yield* allRuns(running)
        const gaps = done!.targets.map(
          ({ attempts }) => Date.parse(attempts[1]!.started_at) - Date.parse(attempts[0]!.finished_at!)
        )
        process.stdout.write(
          `RETRY in real time over kill -9: the second attempts came ${gaps.join(" and ")} ms after the first\n`
        )
        for (const gap of gaps) {
          expect(gap).toBeGreaterThan(minute - 1_000)
          expect(gap).toBeLessThan(minute + tolerance)
        }
        expect(done!.targets.map(({ attempts, state }) => [state, attempts.length])).toEqual([
          ["delivered", 2],
          ["delivered", 2]
        ])
      }),
    long ? 180_000 : 60_000
  )
})

/** Waits until `ready` accepts the only run, and returns it. */
const until = (running: Parameters<typeof allRuns>[0], ready: (run: Run) => boolean) =>
  Effect.gen(function* () {
    const deadline = Date.now() + 20_000
    for (;;) {
      const [run] = yield* allRuns(running)
      if (run !== undefined && ready(run)) return run
      if (Date.now() > deadline)
        return yield* Effect.die(new Error(`not within 20 s; last: ${JSON.stringify(run)}\n${running.fleet.tail()}`))
      yield* Effect.sleep(100)
    }
  })
