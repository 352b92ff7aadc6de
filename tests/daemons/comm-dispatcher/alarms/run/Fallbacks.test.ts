import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { parse } from "#daemons/comm-dispatcher/alarms/subject/AlarmSubject.ts"
import * as Fallbacks from "#daemons/comm-dispatcher/alarms/run/Fallbacks.ts"
import { placed } from "#daemons/comm-dispatcher/alarms/run/TargetSpec.ts"
import { startDispatcher } from "../../Dispatcher.ts"

const rules = (rules: ReadonlyArray<{ for: string; fallback: ReadonlyArray<string> }>) => JSON.stringify(rules)

describe("fallback rules", () => {
  it.each([
    ["no JSON", "CALL>SMS", "no JSON list"],
    ["another shape", '{"for":"CALL"}', "no JSON list"],
    ["an unknown channel", rules([{ for: "FAX", fallback: ["MESSENGER+1"] }]), "rule 1: “FAX” is neither"],
    [
      "no target",
      rules([
        { for: "CALL", fallback: ["MESSENGER+1"] },
        { for: "SMS", fallback: ["MESSENGER"] }
      ]),
      "rule 2: “MESSENGER” is no target"
    ],
    ["two targets in one", rules([{ for: "CALL", fallback: ["MESSENGER+1;MESSENGER+2"] }]), "is no target"],
    ["an empty chain", rules([{ for: "CALL", fallback: [] }]), "1 to 5"],
    [
      "a chain too long",
      rules([{ for: "CALL", fallback: Array.from({ length: 6 }, (_, i) => `MESSENGER+${i + 1}`) }]),
      "1 to 5"
    ],
    [
      "two rules for one",
      rules([
        { for: "CALL", fallback: ["MESSENGER+1"] },
        { for: "call", fallback: ["MESSENGER+2"] }
      ]),
      "another rule"
    ]
  ])("refuses %s", (_name, text, said) => {
    const made = Fallbacks.make(text)
    assert(Result.isFailure(made))
    assert.include(made.failure, said)
  })

  it("prefers the exact target, writes numbers in their one form, never falls back to the same", () => {
    const made = Result.getOrThrow(
      Fallbacks.make(
        rules([
          { for: "CALL", fallback: ["MESSENGER+1"] },
          { for: "CALL+0049 30 901820", fallback: ["CALL+4930901821", "MESSENGER+2"] },
          { for: "MESSENGER", fallback: ["MESSENGER+2", "SMS+4930901820"] }
        ])
      )
    )
    const { targets } = Result.getOrThrow(
      parse("INFO:CALL+4930901820;CALL+4930901822;MESSENGER+2;WEBHOOK+http://a.test/")
    )
    const chains = Fallbacks.apply(made, targets).map(({ fallback = [] }) =>
      fallback.map(({ channel, target }) => `${channel} ${target}`)
    )
    assert.deepStrictEqual(chains, [["call +4930901821", "messenger 2"], ["messenger 1"], ["sms +4930901820"], []])
    assert.deepStrictEqual(
      placed(Fallbacks.apply(made, targets), 0).map(({ chain, position, step }) => [position, chain, step]),
      [
        [0, 0, 0],
        [1, 0, 1],
        [2, 0, 2],
        [3, 3, 0],
        [4, 3, 1],
        [5, 5, 0],
        [6, 5, 1],
        [7, 7, 0]
      ]
    )
  })
})

const states = (run: any) => run.targets.map((target: any) => [target.channel, target.fallback_of, target.state])

describe("a fallback chain", () => {
  it.live(
    "is gone along until one is reached; the rest is suppressed, and nothing before its turn",
    () =>
      Effect.gen(function* () {
        const fallbacks = rules([{ for: "SMS", fallback: ["MESSENGER+13", "MESSENGER+21", "MESSENGER+22"] }])
        const { alarm, bot, sink, url } = yield* startDispatcher({
          env: { SIGNALBOX_ALARM_FALLBACKS: fallbacks },
          bot: { blocked: ["13"] }
        })
        const run = yield* alarm(`ALERT:SMS+4930901820;WEBHOOK+${url}/beside`, { body: "Down." })
        assert.deepStrictEqual([run.state, run.target_count, run.delivered_count], ["delivered", 2, 2])
        assert.deepStrictEqual(states(run), [
          ["sms", null, "failed"],
          ["messenger", 0, "failed"],
          ["messenger", 0, "delivered"],
          ["messenger", 0, "suppressed"],
          ["webhook", null, "delivered"]
        ])
        assert.include(run.targets[3].reason, "not needed: messenger 21")
        assert.deepStrictEqual(run.targets[3].attempts, [])
        assert.deepStrictEqual(
          bot.messages.map(({ chatId }) => chatId),
          ["21"]
        )
        assert.lengthOf(sink.requests, 1)
        const good = yield* alarm(`ALERT:MESSENGER+21;WEBHOOK+${url}/2`)
        assert.deepStrictEqual(
          states(good).map(([, , state]: any) => state),
          ["delivered", "delivered"]
        )
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "that leads nowhere fails its target, a sequential run goes on behind it, and a target in doubt uses its own",
    () =>
      Effect.gen(function* () {
        const { alarm, sink, url } = yield* startDispatcher({
          env: {
            SIGNALBOX_ALARM_FALLBACKS: rules([
              { for: "SMS", fallback: ["MESSENGER+13"] },
              { for: "WEBHOOK", fallback: ["MESSENGER+21"] }
            ]),
            SIGNALBOX_ALARM_DISPATCH: "sequential"
          },
          bot: { blocked: ["13"] }
        })
        const run = yield* alarm(`ALERT:SMS+4930901820;WEBHOOK+${url}/behind`)
        assert.deepStrictEqual([run.state, run.target_count, run.delivered_count], ["partly_delivered", 2, 1])
        assert.deepStrictEqual(
          states(run).map(([, , state]: any) => state),
          ["failed", "failed", "delivered", "suppressed"]
        )
        sink.next({ cut: true })
        const doubtful = yield* alarm(`ALERT:WEBHOOK+${url}/cut`)
        assert.strictEqual(doubtful.state, "delivered")
        assert.deepStrictEqual(states(doubtful), [
          ["webhook", null, "uncertain"],
          ["messenger", 0, "delivered"]
        ])
      }).pipe(Effect.scoped),
    120_000
  )
})
