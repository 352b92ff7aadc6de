// Tests systemd-notify's side with programs that record or misbehave. tests/systemd/booted.test.ts tests systemd's
// side.
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Option, Result } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import { type NotifyEnvironment, parseEnvironment } from "#protocols/systemd/Environment.ts"
import { make, SystemdNotify } from "#protocols/systemd/SystemdNotify.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "notify-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const helper = (body: string): string => {
  const path = join(folder, "helper")
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  return path
}

const environment: NotifyEnvironment = {
  socket: { _tag: "Abstract", name: "nowhere" },
  watchdogTimeout: Option.some(Duration.seconds(20))
}

const notifying = (program: string, timeoutMillis = 15_000) =>
  make(Option.some(environment), { program, timeoutMillis })

describe("SystemdNotify", () => {
  it.live("hands the helper the assignments, the socket, and nothing else of the environment", () =>
    Effect.gen(function* () {
      process.env["A_SECRET_OF_THE_SERVICE"] = "x"
      const systemd = yield* notifying(helper(`echo "$NOTIFY_SOCKET|$A_SECRET_OF_THE_SERVICE|$*" >> ${folder}/said`))
      yield* systemd.ready
      yield* systemd.watchdog
      yield* systemd.status("two\nlines")
      yield* systemd.notify([{ _tag: "Stopping" }, { _tag: "Status", text: "bye" }])
      delete process.env["A_SECRET_OF_THE_SERVICE"]
      assert.strictEqual(
        readFileSync(join(folder, "said"), "utf8"),
        "@nowhere||READY=1\n@nowhere||WATCHDOG=1\n@nowhere||STATUS=two lines\n@nowhere||STOPPING=1 STATUS=bye\n"
      )
    })
  )

  it.live("sends one message at a time, in the order of the calls", () =>
    Effect.gen(function* () {
      const systemd = yield* notifying(
        helper(`echo "begin $1" >> ${folder}/said; sleep 0.05; echo "end $1" >> ${folder}/said`)
      )
      yield* Effect.all([systemd.ready, systemd.watchdog, systemd.stopping], { concurrency: "unbounded" })
      assert.strictEqual(
        readFileSync(join(folder, "said"), "utf8"),
        "begin READY=1\nend READY=1\nbegin WATCHDOG=1\nend WATCHDOG=1\nbegin STOPPING=1\nend STOPPING=1\n"
      )
    })
  )

  it.live.each([
    ["a helper that is not installed", () => join(folder, "missing"), "HelperMissing", false, undefined],
    ["a helper that fails", () => helper("echo refused >&2; exit 1"), "HelperFailed", true, undefined],
    ["a helper that hangs", () => helper("exec sleep 60"), "HelperTimedOut", true, 300]
  ] as const)("%s is a typed error", ([, program, reason, retryable, timeoutMillis]) =>
    Effect.gen(function* () {
      const systemd = yield* notifying(program(), timeoutMillis)
      const error = yield* Effect.flip(systemd.ready)
      assert.strictEqual(error.reason._tag, reason)
      assert.strictEqual(error.retryable, retryable)
    })
  )

  it.live("an interrupted call ends its helper and lets the next one go", () =>
    Effect.gen(function* () {
      const systemd = yield* notifying(helper(`[ "$1" = STOPPING=1 ] || exec sleep 60`), 30_000)
      const fiber = yield* Effect.forkChild(systemd.ready, { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      yield* systemd.stopping
    })
  )

  it.effect("does nothing and succeeds when nobody listens", () =>
    Effect.gen(function* () {
      const systemd = yield* make(Option.none(), { program: join(folder, "missing") })
      assert.isFalse(systemd.enabled)
      assert.deepStrictEqual(systemd.watchdogInterval, Option.none())
      yield* systemd.ready
      yield* systemd.status("text")
    })
  )

  it.effect("pets twice as often as the watchdog asks, to the microsecond", () =>
    Effect.gen(function* () {
      const parsed = Result.getOrThrow(parseEnvironment({ NOTIFY_SOCKET: "/s", WATCHDOG_USEC: "3000000" }, 1))
      assert.deepStrictEqual(Option.map((yield* make(parsed)).watchdogInterval, Duration.toMillis), Option.some(1_500))
    })
  )

  it.effect("the layer takes the variables away from children", () =>
    Effect.gen(function* () {
      process.env["NOTIFY_SOCKET"] = "/run/nowhere"
      process.env["WATCHDOG_USEC"] = "20000000"
      process.env["WATCHDOG_PID"] = String(process.pid)
      const systemd = yield* Effect.provide(SystemdNotify, SystemdNotify.layer)
      assert.isTrue(systemd.enabled)
      assert.deepStrictEqual(
        Object.keys(process.env).filter((name) => /^(NOTIFY|WATCHDOG)_/.test(name)),
        []
      )
    })
  )
})
