/** Keys that the callee presses, over the event socket of the switch double. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "#support/Frame.ts"
import { presses } from "#support/switch/Callee.ts"
import { quiet, request, startSwitch, telephone } from "./Telephone.ts"

const live = <A, E>(name: string, test: Effect.Effect<A, E>) => it.live(name, () => test, 40_000)

live(
  "key 1 acknowledges and ends the call; another key does not, nor does key 1 where none was offered",
  quiet(
    Effect.gen(function* () {
      const one = request({ options: { repeat: 1, pause_ms: 0 } })
      const two = request({ options: { repeat: 1 } })
      // In real time, because the call must end before the message does, 4.5 s after the key.
      const double = yield* startSwitch({ callee: () => presses("1", 300), timeScale: 1 })
      const { channel, texts } = yield* telephone(double)
      expect(yield* channel.deliver(one)).toEqual({
        _tag: "Delivered",
        detail: `acknowledged by key 1 on ${one.target}`,
        acknowledged: `key 1 on ${one.target}`
      })
      yield* until(
        "it is over",
        Effect.sync(() => double.calls[0]?.ended !== undefined)
      )
      expect(double.calls[0]).toMatchObject({ cause: "NORMAL_CLEARING", heard: [] })
      expect(texts[0]).toBe("Kritische Störung. Pumpe 3 steht. Zum Bestätigen drücken Sie die Eins.")

      const fast = yield* startSwitch({
        callee: (number) => (number === two.target ? presses("2", 6_000) : presses("1", 6_000))
      })
      const other = yield* telephone(fast)
      expect(yield* other.channel.deliver(two)).toEqual({
        _tag: "Delivered",
        detail: "heard to the end, 4.8 s (NORMAL_CLEARING)"
      })

      const silent = yield* telephone(fast, { config: { callAckKey: false, alarmLanguage: "en" } })
      expect(yield* silent.channel.deliver(request({ target: one.target, options: { repeat: 1 } }))).toEqual({
        _tag: "Delivered",
        detail: "heard to the end, 4.8 s (NORMAL_CLEARING)"
      })
      expect(silent.texts).toEqual(["Critical. Pumpe 3 steht."])
    })
  )
)

live(
  "an acknowledged call is over when the next may begin",
  quiet(
    Effect.gen(function* () {
      // Runs in real time, so that the switch's delay at the end of a call matters.
      const double = yield* startSwitch({
        timeScale: 1,
        callee: () => ({ kind: "answers", afterMs: 50, digits: [{ digit: "1", afterMs: 200 }] })
      })
      const { channel } = yield* telephone(double)
      for (let call = 0; call < 3; call++) {
        expect(yield* channel.deliver(request({ options: { pause_ms: 0 } }))).toMatchObject({ _tag: "Delivered" })
        expect(double.calls[call]!.ended).toBeDefined()
      }
      expect(double.mostAtOnce).toBe(1)
    })
  )
)

live(
  "a key pressed in the pause or behind the message counts",
  quiet(
    Effect.gen(function* () {
      const early = request({ options: { repeat: 1 } })
      const late = request({ options: { repeat: 1 } })
      const double = yield* startSwitch({
        callee: (number) => presses("1", number === early.target ? 1_000 : 4_000 + 4_800 + 1_500)
      })
      const { channel } = yield* telephone(double)
      expect(yield* channel.deliver(early)).toMatchObject({ acknowledged: `key 1 on ${early.target}` })
      expect(yield* channel.deliver(late)).toMatchObject({ acknowledged: `key 1 on ${late.target}` })
    })
  )
)
