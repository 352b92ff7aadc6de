import { Duration, Effect, Redacted } from "effect"
import { afterEach, assert, describe, expect, it } from "vitest"
import {
  deliver,
  maxParts,
  type MessengerDelivery,
  messengerParts,
  secondNotice
} from "#daemons/comm-dispatcher/channels/messenger/Messenger.ts"
import { BotApi } from "#protocols/bot-api/BotApi.ts"
import { BotApiDouble, type BotApiDoubleOptions } from "#support/BotApiDouble.ts"

let double: BotApiDouble | undefined
afterEach(() => double?.stop())

/** `timeout`: milliseconds for each call; short only in tests that wait for it. */
const start = async (options: BotApiDoubleOptions = {}, timeout = 8_000) => {
  double = new BotApiDouble(options)
  const layer = BotApi.layer({
    baseUrl: await double.start(),
    token: Redacted.make(double.token),
    timeout: Duration.millis(timeout)
  })
  const send = (delivery: Partial<MessengerDelivery>) =>
    Effect.runPromise(
      deliver({ chatId: "1", text: "Gas", severity: "CRITICAL", possibleSecond: false, ...delivery }).pipe(
        Effect.provide(layer)
      )
    )
  return { double, send }
}

/** Text of three messages. */
const long = `${"a".repeat(4_000)}\n${"b".repeat(4_000)}\n${"c".repeat(4_000)}`

describe("Messenger", () => {
  it("prefixes the severity, and marks a possible second", async () => {
    const { double, send } = await start()
    assert.deepStrictEqual(await send({}), { _tag: "Delivered", detail: "message 1" })
    await send({ possibleSecond: true, severity: undefined })
    assert.deepStrictEqual(
      double.messages.map(({ text }) => text),
      ["CRITICAL: Gas", `${secondNotice}\nGas`]
    )
  })

  it("goes on where it stopped, with the same parts", async () => {
    const { double, send } = await start()
    const noted: Array<number> = []
    const onPartSent = (count: number) => Effect.sync(() => void noted.push(count))
    double.failNext("500")
    const first = await send({ text: long, onPartSent })
    assert.deepStrictEqual(
      [first._tag, "progress" in first ? first.progress : undefined],
      ["Retryable", { partsSent: 0 }]
    )
    // From now on each attempt sends one part and loses the connection at the next.
    const outcomes = []
    for (let partsSent = 0; partsSent < 3;) {
      const failing = send({
        text: long,
        partsSent,
        possibleSecond: partsSent > 0,
        onPartSent: (count) =>
          Effect.andThen(
            onPartSent(count),
            Effect.sync(() => double.failNext("cut-before"))
          )
      })
      const outcome = await failing
      outcomes.push(outcome)
      if (outcome._tag === "Delivered") break
      assert(outcome._tag === "Retryable" && outcome.reached === "perhaps")
      partsSent = outcome.progress?.partsSent ?? 0
    }
    assert.deepStrictEqual(noted, [1, 2, 3])
    assert.strictEqual(outcomes.at(-1)?._tag, "Delivered")
    const bare = double.messages.map(({ text }) => text.replace(`${secondNotice}\n`, ""))
    assert.deepStrictEqual(bare, messengerParts(long, "CRITICAL"))
    for (const { text } of double.messages) assert.isAtMost(text.length, 4_096)
  })

  it.each([
    ["3", "Permanent"],
    ["2", "Permanent"]
  ])("chat %s: %s", async (chatId, tag) => {
    const { send } = await start({ chats: ["1"], blocked: ["2"] })
    const outcome = await send({ chatId })
    assert.strictEqual(outcome._tag, tag)
    expect(JSON.stringify(outcome)).not.toContain("TEST-token")
  })

  it("passes the pause of a 429 on", async () => {
    const { send } = await start({ perSecond: 0, retryAfter: 7 })
    assert.deepStrictEqual(await send({}), {
      _tag: "Retryable",
      reason: "sendMessage: too many requests, again in 7000 ms",
      reached: "yes",
      retryAfter: 7_000,
      progress: { partsSent: 0 }
    })
  })

  it("tells an API that is away from a chat that refuses, and from doubt", async () => {
    // Only the hanging call may exceed this limit, so it is far longer than an answer takes on a busy machine.
    const { double, send } = await start({ chats: ["1", "2"], blocked: ["2"] }, 5_000)
    const told = (outcome: Awaited<ReturnType<typeof send>>) => [
      outcome._tag,
      "reached" in outcome ? outcome.reached : undefined,
      "fault" in outcome ? outcome.fault : undefined
    ]
    for (const [failure, fault] of [
      ["html502", "channel"],
      ["500", undefined]
    ] as const) {
      double.failNext(failure)
      assert.deepStrictEqual(told(await send({})), ["Retryable", "yes", fault], failure)
    }
    for (const failure of ["hang", "cut-before", "cut-after"] as const) {
      double.failNext(failure)
      assert.deepStrictEqual(told(await send({})), ["Retryable", "perhaps", undefined], failure)
    }
    assert.deepStrictEqual(told(await send({ chatId: "2" })), ["Permanent", undefined, undefined])
    assert.deepStrictEqual(told(await send({ chatId: "3" })), ["Permanent", undefined, undefined])
    await double.stop()
    assert.deepStrictEqual(told(await send({})), ["Retryable", "no", "channel"])
    const other = new BotApiDouble({ token: "1:other" })
    const wrong = BotApi.layer({ baseUrl: await other.start(), token: Redacted.make("1:right") })
    assert.deepStrictEqual(
      told(
        await Effect.runPromise(
          deliver({ chatId: "1", text: "x", severity: undefined, possibleSecond: false }).pipe(Effect.provide(wrong))
        )
      ),
      ["Permanent", undefined, "channel"]
    )
    await other.stop()
  })

  it("follows a group to its new id", async () => {
    const { double, send } = await start({ chats: ["-1005"], migrated: { "-5": "-1005" } })
    assert.deepStrictEqual(await send({ chatId: "-5", text: long }), {
      _tag: "Delivered",
      detail: "message 1, 2, 3; the chat has moved to -1005"
    })
    assert.deepStrictEqual(
      double.messages.map(({ chatId }) => chatId),
      ["-1005", "-1005", "-1005"]
    )
    assert.strictEqual(double.calls.length, 4)
  })

  it("sends nothing where there is nothing, and bounds a flood", async () => {
    const { double, send } = await start()
    assert.strictEqual((await send({ text: " \n", severity: undefined }))._tag, "Permanent")
    assert.lengthOf(double.calls, 0)
    const parts = messengerParts("word ".repeat(200_000), "ALERT")
    assert.strictEqual(parts.length, maxParts)
    expect(parts.at(-1)).toMatch(/… \(cut\)$/)
    assert.strictEqual((await send({ text: "word ".repeat(200_000) }))._tag, "Delivered")
    for (const { text } of double.messages) assert.isAtMost(text.length, 4_096 - secondNotice.length - 1)
  })
})
