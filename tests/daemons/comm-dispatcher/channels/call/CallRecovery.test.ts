/** Calls during lost connections and deaths of processes. */
import { expect, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Option } from "effect"
import { answers, type Callee, hangsUp } from "#support/switch/Callee.ts"
import { until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { quiet, request, startSwitch, telephone } from "./Telephone.ts"

/**
 * Real milliseconds per millisecond of the switch. Reason: a connection is back, and a new process has found the call,
 * before a call of 16 s of the switch ends, also on a busy machine.
 */
const timeScale = 0.4

const live = <A, E>(name: string, test: Effect.Effect<A, E>) => it.live(name, () => test, 60_000)

live(
  "a connection lost in mid-call is waited for, and the call judged by its end",
  quiet(
    Effect.gen(function* () {
      const double = yield* startSwitch({ timeScale })
      const { channel } = yield* telephone(double)
      const call = yield* Effect.forkChild(channel.deliver(request()))
      yield* until(
        "answered",
        Effect.sync(() => double.calls[0]?.answered !== undefined)
      )
      yield* double.disconnect
      expect(yield* Fiber.join(call)).toEqual({
        _tag: "Delivered",
        detail: "heard to the end, 9.6 s (NORMAL_CLEARING)"
      })
      expect(double.calls.length).toBe(1)
    })
  )
)

live(
  "a call that is over when the connection is back is in doubt",
  quiet(
    Effect.gen(function* () {
      const double = yield* startSwitch({ timeScale })
      const { channel } = yield* telephone(double)
      const call = yield* Effect.forkChild(channel.deliver(request()))
      yield* until(
        "answered",
        Effect.sync(() => double.calls[0]?.answered !== undefined)
      )
      yield* double.kill
      yield* Effect.sleep(300)
      yield* double.restart
      // The call is queried as soon as the switch is back, not only after a silence.
      expect(yield* Effect.timeout(Fiber.join(call), Duration.seconds(15))).toEqual({
        _tag: "Retryable",
        reason: "the call's end is not known",
        reached: "perhaps"
      })
    })
  )
)

live(
  "a call under way is found again after a crash, and judged by what it carries",
  quiet(
    Effect.gen(function* () {
      const { target } = yield* freshDatabase
      const heard = request()
      const left = request()
      const acknowledged = request()
      const callee = (number: string): Callee =>
        number === heard.target ? answers : number === left.target ? hangsUp(9_000) : answers
      const double = yield* startSwitch({ timeScale: 0.5, callee })
      for (const [asked, expected] of [
        [heard, { _tag: "Delivered", detail: "heard to the end, 9.6 s (NORMAL_CLEARING)" }],
        [left, { _tag: "Retryable", reason: "hung up after 5.0 of 9.6 s (NORMAL_CLEARING)", reached: "yes" }],
        [
          acknowledged,
          {
            _tag: "Delivered",
            detail: `acknowledged by key 1 on ${acknowledged.target}`,
            acknowledged: `key 1 on ${acknowledged.target}`
          }
        ]
      ] as const) {
        const first = yield* telephone(double, { target })
        const dying = yield* Effect.forkChild(first.channel.deliver(asked))
        yield* until(
          "answered",
          Effect.sync(() => double.calls.find(({ uuid }) => uuid === asked.attemptId)?.answered !== undefined)
        )
        yield* Fiber.interrupt(dying)
        const { channel } = yield* telephone(double, { target })
        const recovering = yield* Effect.forkChild(channel.recover(asked))
        if (asked === acknowledged) {
          // The new process hears the key only when it is connected.
          yield* until(
            "the new process looks for the call",
            Effect.sync(() => double.commands.includes(`api uuid_exists ${asked.attemptId}`))
          )
          yield* double.press(asked.attemptId, "1")
        }
        expect(yield* Fiber.join(recovering)).toEqual(Option.some(expected))
        // The switch forgets a call after its end, so the outcome cannot be determined any more.
        yield* until(
          "over",
          Effect.sync(() => double.calls.find(({ uuid }) => uuid === asked.attemptId)?.ended !== undefined)
        )
        expect(yield* channel.recover(asked)).toEqual(Option.none())
      }
      expect(double.calls.length).toBe(3)
    })
  )
)

live(
  "a call whose last events are missed is asked after",
  quiet(
    Effect.gen(function* () {
      // The connection is cut after the command is sent and before any answer.
      const double = yield* startSwitch({ timeScale })
      const { channel } = yield* telephone(double)
      const call = yield* Effect.forkChild(channel.deliver(request()))
      yield* until(
        "dialled",
        Effect.sync(() => double.calls.length === 1)
      )
      yield* double.disconnect
      expect(yield* Effect.timeout(Fiber.join(call), Duration.seconds(20))).toMatchObject({ _tag: "Delivered" })
    })
  )
)
