import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import * as SpeechUrl from "#core/speech/SpeechUrl.ts"
import { startSuite } from "#support/TestSuite.ts"

it.live(
  "the telephone switch needs no token for a signed address, and gets nothing by another",
  () =>
    Effect.gen(function* () {
      const suite = yield* startSuite({ daemons: [commDispatcher], gateway: true })
      const name = `${"a".repeat(64)}.wav`
      const unsigned = yield* suite.call("GET", `${SpeechUrl.speechPath}/${name}`)
      assert.strictEqual(unsigned.status, 404, "not 401: the gateway asks nobody for a token here")
      assert.strictEqual((yield* suite.call("GET", "/api/v1/comm/health")).status, 401)
    }).pipe(Effect.scoped),
  120_000
)
