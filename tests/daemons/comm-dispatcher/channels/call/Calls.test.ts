import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { describeCause, knownCauses } from "#protocols/event-socket/HangupCause.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { answers, busy, type Callee, fails, hangsUp, presses, unanswered } from "#support/switch/Callee.ts"
import { SwitchDouble, type SwitchDoubleOptions } from "#support/switch/SwitchDouble.ts"
import { type DispatcherOptions, startDispatcher } from "../../Dispatcher.ts"

/** The long run tests all causes, the short one some of each kind. */
const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

/** The complete daemon with a switch whose callees are scripted by number. */
const start = (
  callees: Readonly<Record<string, Callee>>,
  options: SwitchDoubleOptions & { readonly env?: DispatcherOptions["env"] } = {}
) =>
  Effect.gen(function* () {
    const double = yield* SwitchDouble.make({
      callee: (number) => callees[number] ?? answers,
      timeScale: 0.01,
      ...options
    })
    const dispatcher = yield* startDispatcher({
      env: {
        SIGNALBOX_SWITCH_HOST: "127.0.0.1",
        SIGNALBOX_SWITCH_PORT: String(double.port),
        SIGNALBOX_SWITCH_PASSWORD: double.password,
        SIGNALBOX_SIP_GATEWAY: "trunk",
        SIGNALBOX_SPEECH_DIR: yield* temporaryDirectory("speech"),
        ...options.env
      }
    })
    return { ...dispatcher, double }
  })

const number = (index: number) => `+49301234${String(1000 + index)}`
const shown = (run: any) => run.targets.map((target: any) => [target.state, target.attempts.length])

describe("an alarm call", () => {
  it.live(
    "ends in the ledger as it ended on the telephone",
    () =>
      Effect.gen(function* () {
        const cases: ReadonlyArray<readonly [string, Callee, string, RegExp, number]> = [
          ["heard", answers, "delivered", /NORMAL_CLEARING/, 1],
          ["hung up half-way", hangsUp(7_000), "failed", /hung up after/, 2],
          ["busy", busy, "failed", /USER_BUSY/, 2],
          ["unanswered", unanswered, "failed", /NO_ANSWER/, 2],
          ["no such number", fails("UNALLOCATED_NUMBER"), "failed", /UNALLOCATED_NUMBER/, 1],
          ["acknowledged", presses("1", 6_000), "delivered", /key 1/, 1],
          ["another key", presses("5", 6_000), "delivered", /NORMAL_CLEARING/, 1]
        ]
        const callees = Object.fromEntries(cases.map(([, callee], index) => [number(index), callee]))
        const { alarm, double } = yield* start(callees)
        const runs = yield* Effect.forEach(
          cases,
          (_, index) => alarm(`WARNING:CALL+${number(index)};RETRY:2x1m`, { body: "Der Keller steht unter Wasser." }),
          { concurrency: "unbounded" }
        )
        for (const [index, [name, , state, reason, attempts]] of cases.entries()) {
          const [target] = runs[index].targets
          assert.deepStrictEqual(
            [target.state, target.attempts.length],
            [state, attempts],
            `${name}: ${JSON.stringify(target)}`
          )
          assert.match(target.reason, reason, name)
        }
        assert.strictEqual(double.mostAtOnce, 1)
        assert.deepStrictEqual(runs[5].acknowledged_by, `key 1 on ${number(5)}`)
        assert.isNull(runs[6].acknowledged_by)
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "with every cause a switch can name comes to an end that its cause explains",
    () =>
      Effect.gen(function* () {
        const kinds = new Map<string, number>()
        const causes = [...knownCauses].filter((cause) => {
          const { kind, retryable } = describeCause(cause)
          const seen = kinds.get(`${kind} ${retryable}`) ?? 0
          kinds.set(`${kind} ${retryable}`, seen + 1)
          return !["normal", "configuration"].includes(kind) && (long || seen < 3)
        })
        // Causes on our side: the gateway or switch is away, and the call is repeated when it is back.
        const ours = new Set(["GATEWAY_DOWN", "NETWORK_OUT_OF_ORDER", "DESTINATION_OUT_OF_ORDER"])
        const callees = Object.fromEntries(causes.map((cause, index) => [number(index), fails(cause)]))
        const { ended, trigger } = yield* start(callees, { timeScale: 0.002 })
        const ids = yield* Effect.forEach(causes, (_, index) =>
          Effect.map(trigger(`INFO:CALL+${number(index)};RETRY:2x1m`), ({ json }) => json.run_id as string)
        )
        for (const [index, cause] of causes.entries()) {
          if (ours.has(cause)) continue
          const found = yield* ended(ids[index]!)
          const [target] = found.targets
          assert.strictEqual(target.state, "failed", cause)
          assert.include(target.reason, cause)
          assert.strictEqual(target.attempts.length, describeCause(cause).retryable ? 2 : 1, cause)
        }
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "acknowledged by key stops the other targets' retries, and calls that have not begun",
    () =>
      Effect.gen(function* () {
        // Both calls are due at once, and either may start first.
        const presser = presses("1", 9_000)
        const { double, ended, runWhen, sink, trigger, url } = yield* start(
          { [number(1)]: presser, [number(2)]: presser },
          // The key comes after some seconds, so that the webhook has failed before it, also on a busy machine.
          { timeScale: 0.4, env: { SIGNALBOX_ALARM_MINUTE_MS: "60000" } }
        )
        sink.next({ status: 500 })
        const { json } = yield* trigger(`CRITICAL:CALL+${number(1)};CALL+${number(2)};WEBHOOK+${url}/x;RETRY:5x10m`)
        yield* runWhen(json.run_id, (run) => run.targets[2].attempts[0]?.state === "failed")
        const run = yield* ended(json.run_id)
        assert.strictEqual(run.state, "acknowledged")
        const [called] = double.calls
        assert.lengthOf(double.calls, 1)
        assert.strictEqual(run.acknowledged_by, `key 1 on ${called!.number}`)
        assert.deepStrictEqual(run.targets.map((target: any) => [target.state, target.attempts.length]).toSorted(), [
          ["delivered", 1],
          ["suppressed", 0],
          ["suppressed", 1]
        ])
        assert.strictEqual(run.targets.find(({ state }: any) => state === "delivered").target, called!.number)
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "with the key switched off, keys mean nothing",
    () =>
      Effect.gen(function* () {
        const { alarm } = yield* start({ [number(1)]: presses("1", 6_000) }, { env: { SIGNALBOX_CALL_ACK_KEY: "off" } })
        const run = yield* alarm(`CRITICAL:CALL+${number(1)}`)
        assert.deepStrictEqual([run.state, run.acknowledged_by], ["delivered", null])
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "that is not answered falls back to the messenger; a gateway that is down does after a minute",
    () =>
      Effect.gen(function* () {
        const { alarm, bot, double, suite, token } = yield* start(
          { [number(1)]: busy },
          { env: { SIGNALBOX_ALARM_FALLBACKS: JSON.stringify([{ for: "CALL", fallback: ["MESSENGER+42"] }]) } }
        )
        const run = yield* alarm(`ALERT:CALL+${number(1)}`, { body: "Feuer." })
        assert.deepStrictEqual(
          [run.state, shown(run)],
          [
            "delivered",
            [
              ["failed", 1],
              ["delivered", 1]
            ]
          ]
        )
        yield* double.gateway("trunk", "down")
        const down = yield* alarm(`ALERT:CALL+${number(2)}`, { body: "Feuer." })
        assert.deepStrictEqual([down.state, down.targets[1].state], ["delivered", "delivered"])
        assert.include(down.targets[0].reason, "GATEWAY_DOWN")
        assert.deepStrictEqual(
          bot.messages.map(({ chatId, text }) => [chatId, text]),
          [
            ["42", "ALERT: Feuer."],
            ["42", "ALERT: Feuer."]
          ]
        )
        const unknown = yield* suite.call("POST", "/api/v1/comm/call", {
          token,
          body: { target: number(3), text: "x", gateway: "elsewhere" }
        })
        assert.strictEqual(unknown.status, 422)
        assert.strictEqual(unknown.json.errors[0].field, "payload.gateway")
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "by the endpoint: pause, repeats and gateway as asked, and the health of the switch",
    () =>
      Effect.gen(function* () {
        const { double, ended, suite, token } = yield* start({})
        const answer = yield* suite.call("POST", "/api/v1/comm/call", {
          token,
          body: {
            target: number(4),
            text: "Guten Tag.",
            tts_provider: "local_fast",
            pause_ms: 2_000,
            repeat: 3,
            gateway: "trunk"
          }
        })
        assert.strictEqual(answer.status, 202, JSON.stringify(answer.json))
        assert.deepStrictEqual(answer.json.result, { state: "dialled", reason: null })
        const run = yield* ended(answer.json.run_id)
        assert.strictEqual(run.state, "delivered", JSON.stringify(run.targets))
        assert.deepInclude(run.targets[0].options, { pause_ms: 2_000, repeat: 3, gateway: "trunk" })
        assert.lengthOf(
          double.calls[0]!.heard.filter((file) => file.endsWith(".wav")),
          3
        )
        const health = yield* suite.call("GET", "/api/v1/comm/health", { token })
        assert.deepInclude(health.json.components.telephony, { status: "ok" })
        yield* double.kill
        const later = yield* suite.call("GET", "/health", { token })
        assert.include(["ok", "degraded"], later.json.components.telephony.status)
      }).pipe(Effect.scoped),
    120_000
  )
})
