import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { secondNotice } from "#daemons/comm-dispatcher/channels/messenger/Messenger.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"
import * as Door from "#support/Door.ts"
import { startDispatcher, until } from "../../Dispatcher.ts"

/** Accepts the request and disconnects. For the sender this is as uncertain as no answer, but faster. */
const silent: Door.DoorWay = { answers: "" }

const start = Effect.gen(function* () {
  const bot = new BotApiDouble()
  const url = yield* Effect.acquireRelease(
    Effect.promise(() => bot.start()),
    () => Effect.promise(() => bot.stop())
  )
  const door = yield* Door.make({ port: Number(new URL(url).port) })
  const dispatcher = yield* startDispatcher({
    env: { SIGNALBOX_MESSENGER_URL: `http://127.0.0.1:${door.port}`, SIGNALBOX_MESSENGER_TOKEN: bot.token }
  })
  return { ...dispatcher, bot, door }
})

describe("a messenger that takes messages and says nothing", () => {
  it.live(
    "costs no alarm: one message in doubt, which goes once more, marked, and all others unsent until it answers",
    () =>
      Effect.gen(function* () {
        const { bot, door, ended, run, runWhen, trigger } = yield* start
        yield* door.set(silent)
        const first: string = (yield* trigger("ALERT:MESSENGER+1")).json.run_id
        // Two more attempts only probed the API. Without the probes, the repeat would be used up by now.
        yield* runWhen(first, ({ targets: [target] }) => target.attempts.length >= 3)
        const second: string = (yield* trigger("ALERT:MESSENGER+2")).json.run_id
        yield* runWhen(second, ({ targets: [target] }) => target.reason !== null)
        assert.deepStrictEqual([(yield* run(first)).state, (yield* run(second)).state], ["running", "running"])
        assert.match((yield* run(second)).targets[0].reason, /not sent|not dialled/)

        yield* door.set("open")
        assert.strictEqual((yield* ended(first)).state, "delivered")
        assert.strictEqual((yield* ended(second)).state, "delivered")
        yield* until("both are there", () => bot.messages.length === 2)
        assert.match(bot.messages.find(({ chatId }) => chatId === "1")!.text, new RegExp(secondNotice.slice(1, 30)))
        assert.notInclude(bot.messages.find(({ chatId }) => chatId === "2")!.text, secondNotice)
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "is asked only where something went wrong",
    () =>
      Effect.gen(function* () {
        const { alarm, bot } = yield* start
        for (const chat of [1, 2, 3]) assert.strictEqual((yield* alarm(`INFO:MESSENGER+${chat}`)).state, "delivered")
        assert.deepStrictEqual(
          bot.calls.map(({ method }) => method),
          ["sendMessage", "sendMessage", "sendMessage"]
        )
      }).pipe(Effect.scoped),
    120_000
  )
})
