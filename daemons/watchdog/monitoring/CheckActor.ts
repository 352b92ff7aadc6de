/** The loop of one check: measures, decides, and hands the result on. */
import { Clock, Duration, Effect, Latch, type Semaphore } from "effect"
import { answerWithin } from "#core/supervision/AnswerWithin.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { type BuiltCheck, findingOf, type Reading } from "./BuiltCheck.ts"
import type { effective } from "./CheckRow.ts"
import { type CheckState, decide } from "./CheckState.ts"
import type { ResultWriter } from "./ResultWriter.ts"
import { say } from "./words/Said.ts"

/** Pause after a result that differs from the status. Unit: seconds. Reason: two failed checks open an alert sooner. */
const confirmAfter = 60

/** Time over which the first checks are spread. Unit: seconds. Reason: a thousand probes at once are a burst. */
const spread = 30

export type Applied = ReturnType<typeof effective>

/** A check while it runs here. */
export interface RunningCheck {
  readonly check: BuiltCheck
  readonly applied: Applied
  state: CheckState
  /** Unit: milliseconds since 1970. */
  checkedAt: number | undefined
  value: number | null
  readonly wake: Latch.Latch
}

/** Pause until the next check. Units: milliseconds; `interval` in seconds. Pure. */
export const pauseOf = ({ streak }: CheckState, interval: number, second = 1_000): number =>
  second * (streak > 0 ? Math.min(interval, confirmAfter) : interval)

/** When the first check is due after a start. Units: milliseconds from now; `interval` in seconds. Pure. */
export const firstPause = (
  key: string,
  checkedAt: number | undefined,
  interval: number,
  now: number,
  second = 1_000
): number => {
  const length = second * interval
  const spreadOut = ((hash(key) % 1_000) / 1_000) * second * Math.min(spread, interval)
  // A time in the future is a clock that was set back.
  if (checkedAt === undefined || checkedAt > now || now - checkedAt >= length)
    return checkedAt === undefined ? Math.min(spreadOut, length) / 10 : spreadOut
  return checkedAt + length - now
}

const hash = (text: string): number => {
  let sum = 7
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) >>> 0
  return sum
}

const timedOut = (seconds: number, status: "critical" | "unknown"): Reading => ({
  value: null,
  status,
  ...say("timed_out", { seconds })
})

export const checkActor = (
  running: RunningCheck,
  writer: ResultWriter["Service"],
  places: Semaphore.Semaphore,
  second: number
): ActorSpec => {
  const {
    applied,
    check: { group, key, probe, whenTimedOut = "critical" }
  } = running
  const limit = Duration.seconds(applied.timeout_s)
  return {
    name: `check ${key}`,
    crowd: true,
    stallAfter: Duration.seconds(3 * (applied.interval_s + applied.timeout_s) + 60),
    run: Effect.gen(function* () {
      const actor = yield* Actor
      const now = yield* Clock.currentTimeMillis
      yield* wait(running.wake, firstPause(key, running.checkedAt, applied.interval_s, now, second))
      while (true) {
        yield* actor.progress
        Latch.closeUnsafe(running.wake)
        const [at, begin] = [Date.now(), performance.now()]
        const reading = yield* places.withPermit(
          answerWithin(probe, limit, () => Effect.succeed(timedOut(applied.timeout_s, whenTimedOut)))
        )
        const finding = findingOf(reading, applied.thresholds)
        running.state = decide(running.state, finding.status, at, applied)
        running.checkedAt = at
        running.value = finding.value
        yield* writer.take(group, { key, state: running.state, finding, at, duration: performance.now() - begin })
        yield* wait(running.wake, pauseOf(running.state, applied.interval_s, second))
      }
    })
  }
}

const wait = (wake: Latch.Latch, milliseconds: number) => Effect.timeoutOption(wake.await, milliseconds)
