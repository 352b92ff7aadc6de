import { it } from "@effect/vitest"
import { Cause, Duration, Effect, Exit, Fiber, Scope } from "effect"
import { writeFileSync } from "node:fs"
import { expect } from "vitest"
import { pathToFileURL } from "node:url"
import { apart, layer, MailReader, maxInline } from "#daemons/alarm-bridge/intake/MailReader.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

const large = (subject: string) =>
  Buffer.from(
    `From: a@x.test\nSubject: ${subject}\nContent-Type: text/html\n\n<p>first</p>${"<i>x</i>".repeat(maxInline / 4)}`
  )

it.live(
  "a large mail is read in a thread of its own, and the event loop goes on meanwhile",
  () =>
    Effect.gen(function* () {
      const reader = yield* MailReader
      let ticks = 0
      const timer = setInterval(() => ticks++, 2)
      const parsed = yield* reader.read(large("large"))
      clearInterval(timer)
      expect(parsed).toMatchObject({ subject: "large", from: "a@x.test", whole: true })
      expect(parsed.body).toMatch(/^first\n+xxx/)
      expect(ticks).toBeGreaterThan(5)
    }).pipe(Effect.provide(layer)),
  120_000
)

it.live(
  "a thread that takes too long is ended, one that breaks is told",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory()
      const script = (text: string) => {
        const file = `${folder}/${text.length}.mjs`
        writeFileSync(file, text)
        return pathToFileURL(file)
      }
      // Far above the time in which a busy machine starts a thread, except where the thread must be ended for its time.
      const read = (text: string, limit = Duration.seconds(10)) =>
        Effect.flip(Effect.flatMap(apart(script(text), limit), (read) => read(large("s"))))
      expect(yield* read("while (true) {}", Duration.millis(500))).toMatchObject({ reason: "Timeout" })
      expect(yield* read("throw new Error('at once')")).toMatchObject({ reason: "Broken", detail: "at once" })
      expect(yield* read("process.exit(3)")).toMatchObject({ reason: "Broken" })
      expect(yield* read("const all = []; while (true) all.push(new Array(1e6).fill(all.length))")).toMatchObject({
        _tag: "MailTooHard"
      })
    }),
  120_000
)

it.live("a mail whose reader is ended is given up, not cut down to its header", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const hangs = new URL(`data:text/javascript,${encodeURIComponent("while (true) {}")}`)
    const read = yield* Scope.provide(apart(hangs, Duration.seconds(20)), scope)
    const reading = yield* Effect.forkChild(read(large("s")), { startImmediately: true })
    yield* Scope.close(scope, Exit.void)
    const exit = yield* Fiber.await(reading)
    expect(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)).toBe(true)
  })
)
