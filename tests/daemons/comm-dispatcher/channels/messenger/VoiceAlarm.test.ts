import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "#support/Postgres.ts"
import { startDispatcher } from "../../Dispatcher.ts"

it.live(
  "an alarm as a voice message has its title as caption, and a direct request without caption has none",
  () =>
    Effect.gen(function* () {
      const { alarm, bot, ended, suite, token } = yield* startDispatcher({
        env: { SIGNALBOX_SPEECH_DIR: yield* temporaryDirectory("speech") }
      })
      const run = yield* alarm("CRITICAL:MESSENGER_VOICE+4711", { body: "Gas in hall 3" })
      expect(run.state).toBe("delivered")
      const body = { chat_id: "4712", text: "Gas in hall 4" }
      const direct = yield* suite.call("POST", "/api/v1/comm/messenger/voice", { token, body })
      yield* ended(direct.json.run_id)
      expect(bot.messages.map(({ chatId, file, text }) => [chatId, text, file?.shownAs])).toEqual([
        ["4711", "CRITICAL: Gas in hall 3", "voice"],
        ["4712", "", "voice"]
      ])
    }).pipe(Effect.scoped),
  120_000
)
