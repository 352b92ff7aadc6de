import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { SpeechError } from "#core/speech/SpeechError.ts"
import * as SpeechGateway from "#core/speech/SpeechGateway.ts"
import { SpeechDouble, type SpeechDoubleOptions, type SpeechFailure, tone } from "#support/SpeechDouble.ts"

const request = { text: "Alarm", provider: "local_gpu", voice: undefined, format: "wav" } as const

const double = (options: SpeechDoubleOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const made = new SpeechDouble(options)
      return { made, url: await made.start() }
    }),
    ({ made }) => Effect.promise(() => made.stop())
  )

const refusal = (url: string, timeout = Duration.seconds(10), token?: string) =>
  Effect.flip(
    SpeechGateway.make(url, token === undefined ? undefined : Redacted.make(token)).synthesize(request, timeout)
  )

describe("the speech gateway", () => {
  it.live("is asked as documented and answers with audio", () =>
    Effect.gen(function* () {
      const { made, url } = yield* double({ token: "s3cret" })
      const gateway = SpeechGateway.make(url, Redacted.make("s3cret"))
      const audio = yield* gateway.synthesize({ ...request, voice: "kerstin" }, Duration.seconds(10))
      assert.isTrue(audio.equals(tone(500)))
      yield* gateway.synthesize(request, Duration.seconds(10))
      assert.deepStrictEqual(made.calls, [{ ...request, voice: "kerstin" }, request])
    }).pipe(Effect.scoped)
  )

  it.live("refuses with a status: wrong token, unknown provider, empty and long text", () =>
    Effect.gen(function* () {
      const { url } = yield* double({ token: "s3cret", offered: ["cloud"] })
      const status = (change: object, token = "s3cret") =>
        Effect.map(
          Effect.flip(
            SpeechGateway.make(url, Redacted.make(token)).synthesize(
              { ...request, provider: "cloud", ...change },
              Duration.seconds(10)
            )
          ),
          ({ reason }) => (reason._tag === "Refused" ? reason.status : reason._tag)
        )
      assert.strictEqual(yield* status({}, "guess"), 401)
      assert.strictEqual(yield* status({ provider: "local_gpu" }), 422)
      assert.strictEqual(yield* status({ text: " " }), 422)
      assert.strictEqual(yield* status({ text: "x".repeat(6_000) }), 413)
      const error = yield* refusal(url, undefined, "hidden-token")
      assert.notInclude(JSON.stringify(error) + String(error) + error.stack, "hidden-token")
    }).pipe(Effect.scoped)
  )

  const answers: ReadonlyArray<readonly [SpeechFailure, string]> = [
    ["500", "refused (500)"],
    ["html", "content type text/html"],
    ["redirect", "a redirect (302)"],
    ["cut", "cut the connection"],
    ["huge", "more than 25165824 bytes"],
    ["endless", "more than 25165824 bytes"]
  ]
  for (const [failure, message] of answers) {
    it.live(`answering ${failure} is an error that says so`, () =>
      Effect.gen(function* () {
        const { made, url } = yield* double({ failing: () => failure })
        const error = yield* refusal(url)
        assert.instanceOf(error, SpeechError)
        assert.include(error.message, message)
        assert.isTrue(error.retryable)
        // A redirect is not followed, and the answer is not read further.
        assert.isAtMost(made.calls.length, failure === "cut" ? 2 : 1)
        assert.isBelow(made.poured, (failure === "endless" ? 64 : 8) * 1024 * 1024)
      }).pipe(Effect.scoped)
    )
  }

  for (const failure of ["hang", "trickle"] as const) {
    it.live(`that ${failure}s costs its time-out and no more, and the connection is closed`, () =>
      Effect.gen(function* () {
        const { made, url } = yield* double({ failing: () => failure })
        const begun = performance.now()
        const error = yield* refusal(url, Duration.millis(300))
        assert.deepStrictEqual(error.reason, { _tag: "TimedOut", what: "local_gpu", milliseconds: 300 })
        assert.isBelow(performance.now() - begun, 5_000)
        const poured = made.poured
        yield* Effect.sleep(200)
        assert.isAtMost(made.poured - poured, 5)
      }).pipe(Effect.scoped)
    )
  }

  it.live("has different errors for unreachable, non-HTTP and failed", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* refusal("http://127.0.0.1:1")).reason._tag, "Unreachable")
      assert.strictEqual((yield* refusal("http://speech.invalid")).reason._tag, "Unreachable")
      const server = createServer((socket) => {
        socket.on("error", () => {})
        socket.end("SSH-2.0-OpenSSH\r\n")
      }).listen(0, "127.0.0.1")
      yield* Effect.promise(() => once(server, "listening"))
      const error = yield* refusal(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      server.close()
      assert.strictEqual(error.reason._tag, "BadAnswer")
    })
  )

  it.live("is asked again when a pooled connection was closed during the request", () =>
    Effect.gen(function* () {
      let before = 0
      const { made, url } = yield* double({ failing: () => (before++ === 0 ? "cut" : undefined) })
      const audio = yield* SpeechGateway.make(url, undefined).synthesize(request, Duration.seconds(10))
      assert.isTrue(audio.equals(tone(500)))
      assert.strictEqual(made.calls.length, 2)
    }).pipe(Effect.scoped)
  )
})
