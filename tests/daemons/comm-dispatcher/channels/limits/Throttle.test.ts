import { assert, describe, expect, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { webhookPolicy } from "#daemons/comm-dispatcher/channels/limits/ChannelLimits.ts"
import {
  evidenceOf,
  type Throttle,
  make,
  messengerThrottle,
  probeWait,
  spread,
  webhookThrottle
} from "#daemons/comm-dispatcher/channels/limits/Throttle.ts"
import { paced } from "#daemons/comm-dispatcher/channels/messenger/PacedBotApi.ts"
import { deliver } from "#daemons/comm-dispatcher/channels/messenger/Messenger.ts"
import type { Outcome } from "#daemons/comm-dispatcher/channels/Outcome.ts"
import { BotApi, make as makeBotApi } from "#protocols/bot-api/BotApi.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"

const delivered: Outcome = { _tag: "Delivered", detail: "ok" }
const refused: Outcome = { _tag: "Permanent", reason: "chat not found" }
const away: Outcome = { _tag: "Retryable", reason: "not reachable", reached: "no", fault: "channel" }
const hostAway: Outcome = { _tag: "Retryable", reason: "connection refused", reached: "no" }

/** A channel that returns the given outcome and counts its sends. */
const channel = (throttle: Throttle) => {
  let dialled = 0
  return {
    dialled: () => dialled,
    send: (target: string, outcome: Outcome | Effect.Effect<Outcome>) =>
      throttle.through(
        target,
        Effect.suspend(() => (dialled++, Effect.isEffect(outcome) ? outcome : Effect.succeed(outcome)))
      )
  }
}

const opened = Effect.fnUntraced(function* () {
  const throttle = yield* make(messengerThrottle())
  const { dialled, send } = channel(throttle)
  for (let index = 0; index < 5; index++) yield* send("1", away)
  return { throttle, dialled, send }
})

describe("Throttle of a channel", () => {
  it.effect("does not dial a channel that is away, and says when to come again", () =>
    Effect.gen(function* () {
      const { dialled, throttle, send } = yield* opened()
      const outcome = yield* send("2", delivered)
      assert(outcome._tag === "Retryable" && outcome.retryAfter !== undefined)
      assert.deepStrictEqual([outcome.reached, outcome.fault, dialled()], ["no", "channel", 5])
      assert(outcome.retryAfter >= 1_600 && outcome.retryAfter <= 2_400 + spread)
      expect(outcome.reason).toBe("the messenger is away, not dialled: not reachable")
      const turn = yield* throttle.turn("2")
      assert(turn._tag === "NotBefore" && turn.away)
      assert.deepInclude({ ...(yield* throttle.status) }, { state: "open", since: 0, reason: "not reachable" })
    })
  )

  it.effect("sends one to look, and opens for all when it is answered", () =>
    Effect.gen(function* () {
      const { dialled, throttle, send } = yield* opened()
      yield* TestClock.adjust(2_500)
      assert.deepStrictEqual(yield* throttle.turn("1"), { _tag: "Now" })
      const answer = yield* Deferred.make<Outcome>()
      const probe = yield* Effect.forkChild(send("1", Deferred.await(answer)))
      yield* TestClock.adjust(1)
      for (let index = 0; index < 10; index++) {
        const other = yield* send("2", delivered)
        assert(other._tag === "Retryable" && other.retryAfter! >= probeWait)
      }
      assert.deepStrictEqual([dialled(), (yield* throttle.status).state], [6, "half_open"])
      yield* Deferred.succeed(answer, delivered)
      yield* Fiber.join(probe)
      assert.deepStrictEqual(yield* send("2", delivered), delivered)
      assert.deepInclude({ ...(yield* throttle.status) }, { state: "closed", since: 2_501, away: [] })
    })
  )

  it.effect("is not left half open by a probe that was interrupted or refused for its target's sake", () =>
    Effect.gen(function* () {
      const { dialled, send } = yield* opened()
      yield* TestClock.adjust(2_500)
      const probe = yield* Effect.forkChild(send("1", Effect.never))
      yield* TestClock.adjust(1)
      yield* Fiber.interrupt(probe)
      assert.strictEqual((yield* Effect.exit(send("1", Effect.die("broken"))))._tag, "Failure")
      assert.deepStrictEqual([yield* send("1", refused), dialled()], [refused, 8])
      assert.deepStrictEqual(yield* send("1", delivered), delivered)
    })
  )

  it.effect("asks before it sends, where the last that was heard was a fault", () =>
    Effect.gen(function* () {
      const throttle = yield* make(messengerThrottle())
      let asked = 0
      let sent = 0
      const send = (question: Outcome | undefined, outcome: Outcome) =>
        throttle.through(
          "1",
          Effect.sync(() => (sent++, outcome)),
          Effect.sync(() => (asked++, question))
        )
      yield* send(undefined, delivered)
      assert.deepStrictEqual([asked, sent], [0, 1])
      yield* send(undefined, away)
      // A single fault does not open the breaker, but the next message is not sent, nor are those that open it.
      for (let index = 0; index < 4; index++) assert.deepStrictEqual(yield* send(away, delivered), away)
      assert.deepStrictEqual([asked, sent, (yield* throttle.status).state], [4, 2, "open"])
      yield* TestClock.adjust(2_500)
      assert.deepStrictEqual(yield* send(away, delivered), away)
      assert.strictEqual((yield* throttle.status).state, "open")
      yield* TestClock.adjust(5_000)
      assert.deepStrictEqual(yield* send(undefined, delivered), delivered)
      yield* send(undefined, delivered)
      assert.deepStrictEqual([asked, sent], [6, 4])
    })
  )

  it.effect("does not count what one target is refused", () =>
    Effect.gen(function* () {
      const { dialled, send } = channel(yield* make(messengerThrottle()))
      for (let index = 0; index < 20; index++) {
        yield* send("1", refused)
        yield* send("1", { _tag: "Retryable", reason: "too many requests", reached: "yes", retryAfter: 1_000 })
        yield* send("1", { _tag: "Retryable", reason: "kept back", reached: "no", retryAfter: 1_000 })
      }
      assert.strictEqual(dialled(), 60)
    })
  )

  it("knows what an outcome shows", () => {
    const retryable = { _tag: "Retryable", reason: "x" } as const
    assert.deepStrictEqual(
      [
        delivered,
        refused,
        { ...refused, fault: "channel" } as const,
        away,
        { ...retryable, reached: "yes" } as const,
        { ...retryable, reached: "yes", fault: "channel" } as const,
        { ...retryable, reached: "perhaps" } as const,
        hostAway,
        { ...hostAway, retryAfter: 5 } as const
      ].map(evidenceOf),
      ["there", "none", "none", "away", "there", "away", "away", "away", "none"]
    )
  })
})

describe("Throttle of webhooks", () => {
  it.effect("has a breaker for each host, and leaves the plan to the target", () =>
    Effect.gen(function* () {
      const throttle = yield* make(webhookThrottle())
      const { dialled, send } = channel(throttle)
      for (let index = 0; index < 5; index++) yield* send(`https://dead.test/${index}`, hostAway)
      assert.deepStrictEqual(yield* send("https://dead.test/other?key=hunter2", delivered), {
        _tag: "Retryable",
        reason: "the host is away, not dialled: connection refused",
        reached: "no"
      })
      assert.deepStrictEqual(yield* throttle.turn("https://dead.test/x"), { _tag: "Now" })
      for (const url of ["https://well.test/", "http://dead.test/", "https://dead.test:8443/"])
        assert.deepStrictEqual(yield* send(url, delivered), delivered)
      assert.strictEqual(dialled(), 8)
      const { away, lastMinute, state } = yield* throttle.status
      // Requests that are not sent use no turn.
      assert.strictEqual(lastMinute, 8)
      assert.deepStrictEqual(
        [state, away],
        ["closed", [{ key: "https://dead.test", state: "open", since: 0, reason: "connection refused" }]]
      )
    })
  )

  it.effect("holds the pace of each host", () =>
    Effect.gen(function* () {
      const throttle = yield* make({ ...webhookThrottle(), policy: { ...webhookPolicy(2), maxWait: 0 } })
      const { send } = channel(throttle)
      const urls = ["https://a.test/1", "https://a.test/2", "https://a.test/3", "https://b.test/"]
      const outcomes = yield* Effect.forEach(urls, (url) => send(url, delivered))
      assert.deepStrictEqual(
        outcomes.map(({ _tag }) => _tag),
        ["Delivered", "Delivered", "Retryable", "Delivered"]
      )
      assert.deepStrictEqual(outcomes[2], {
        _tag: "Retryable",
        reason: "kept back to hold the pace",
        reached: "no",
        retryAfter: 1_000
      })
      const turn = yield* throttle.turn("https://a.test/4")
      assert.deepStrictEqual(turn, { _tag: "NotBefore", at: 1_500, away: false, reason: "kept back to hold the pace" })
      assert.strictEqual((yield* throttle.status).lastMinute, 3)
    })
  )
})

describe("PacedBotApi", () => {
  it.effect("sends the parts of long messages at the pace that the API takes", () =>
    Effect.gen(function* () {
      const throttle = yield* make(messengerThrottle(2))
      const sent: Array<readonly [chatId: string, at: number]> = []
      const message = ({ chatId }: { readonly chatId: string }) =>
        Effect.map(Clock.currentTimeMillis, (at) => ({ message_id: sent.push([chatId, at]), date: 0, chat: { id: 1 } }))
      const api = paced(BotApi.of({ getMe: Effect.never, sendMessage: message, sendVoice: message }), throttle)
      const text = `${"a".repeat(3_900)}\n${"b".repeat(3_900)}`
      const both = yield* Effect.forkChild(
        Effect.forEach(["1", "2"], (chatId) => deliver({ chatId, text, severity: undefined, possibleSecond: false }), {
          concurrency: 2
        }).pipe(Effect.provideService(BotApi, api))
      )
      yield* TestClock.adjust(5_000)
      assert.deepStrictEqual(
        (yield* Fiber.join(both)).map(({ _tag }) => _tag),
        ["Delivered", "Delivered"]
      )
      assert.deepStrictEqual(
        sent.map(([, at]) => at),
        [0, 0, 1_100, 1_100]
      )
      const voices = yield* Effect.forkChild(api.sendVoice({ chatId: "3", voice: new Uint8Array() }))
      yield* TestClock.adjust(5_000)
      yield* Fiber.join(voices)
      assert.strictEqual((yield* throttle.status).lastMinute, 5)
    })
  )

  const started = Effect.fnUntraced(function* (options: ConstructorParameters<typeof BotApiDouble>[0]) {
    const double = new BotApiDouble(options)
    const baseUrl = yield* Effect.acquireRelease(
      Effect.promise(() => double.start()),
      () => Effect.promise(() => double.stop())
    )
    const throttle = yield* make(messengerThrottle())
    const api = paced(makeBotApi({ baseUrl, token: Redacted.make(double.token) }), throttle)
    const send = (chatId: string, text: string) =>
      deliver({ chatId, text, severity: undefined, possibleSecond: false }).pipe(Effect.provideService(BotApi, api))
    return { double, throttle, send }
  })

  it.live("leaves a chat alone that answered 429, and no other", () =>
    Effect.gen(function* () {
      const { double, throttle, send } = yield* started({ perSecond: 0, retryAfter: 30 })
      const first = yield* send("1", "x")
      assert(first._tag === "Retryable" && first.retryAfter === 30_000)
      const second = yield* send("1", "x")
      assert(second._tag === "Retryable" && second.reached === "no" && second.fault === undefined)
      assert(second.retryAfter! > 1_000 && second.retryAfter! <= 32_000)
      assert.lengthOf(double.calls, 1)
      yield* send("2", "x")
      assert.lengthOf(double.calls, 2)
      assert.strictEqual((yield* throttle.turn("1"))._tag, "NotBefore")
    })
  )
})
