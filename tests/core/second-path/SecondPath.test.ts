import { describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, References, Scope } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { expect } from "vitest"
import { Environment } from "#core/config/Environment.ts"
import * as SecondPath from "#core/second-path/SecondPath.ts"
import { layerLocal, Supervisor } from "#core/supervision/Supervisor.ts"
import { until } from "#support/Frame.ts"
import * as MailSink from "#support/MailSink.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import * as Postfix from "#support/peers/Postfix.ts"
import { settingsInMemory } from "#support/SettingsInMemory.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

/** Length of a minute. Unit: milliseconds. Spacing and settling time are five minutes. */
const minute = 40

const trouble = (key: string, more: Partial<SecondPath.Trouble> = {}): SecondPath.Trouble => ({
  key,
  watch: "test",
  since: Date.now(),
  after: 3 * minute,
  what: `${key} is broken`,
  advice: "mend it",
  ...more
})

/** One life of a process: the second path and its actor, until `end`. */
const life = Effect.fnUntraced(function* (
  port: number,
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  stored: ReadonlyMap<string, string> = new Map()
) {
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const context = yield* Layer.build(
    Layer.merge(
      Layer.provide(SecondPath.layer({ daemon: "test", minute }), settingsInMemory(stored)),
      layerLocal("test")
    )
  ).pipe(
    Effect.provideService(Environment, {
      SIGNALBOX_DATA_DIR: dataDir,
      SIGNALBOX_ADMIN_EMAIL: "boss@example.test",
      SIGNALBOX_NOTICE_SMTP_URL: `smtp://127.0.0.1:${port}`,
      SIGNALBOX_NOTICE_FROM: "signalbox@example.test",
      ...env
    }),
    Scope.provide(scope)
  )
  const path = Context.get(context, SecondPath.SecondPath)
  yield* Context.get(context, Supervisor).start(path.actor).pipe(Scope.provide(scope))
  return { ...path, statuses: Context.get(context, Supervisor).statuses, end: Scope.close(scope, Exit.void) }
})

const quietly = Effect.provideService(References.MinimumLogLevel, "Fatal")
const subjects = (sink: MailSink.MailSink) =>
  sink.mails.map(({ mail }) => mail.subject?.replace(/^Signalbox on [^:]*: /, ""))
const arrived = (sink: MailSink.MailSink, count: number) =>
  until(
    `${count} mails`,
    Effect.sync(() => sink.mails.length >= count),
    20
  )

describe("the second path", () => {
  it.live("sends one mail for a trouble, and one when it is over", () =>
    Effect.gen(function* () {
      const sink = yield* MailSink.make()
      const path = yield* life(sink.port, yield* temporaryDirectory())
      yield* path.report({ watch: "test", troubles: [trouble("a")] })
      yield* arrived(sink, 1)
      expect(sink.mails[0]).toMatchObject({ from: "signalbox@example.test", to: ["boss@example.test"] })
      expect(sink.mails[0]!.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
      yield* Effect.sleep(10 * minute)
      expect(subjects(sink)).toEqual(["a is broken"])
      yield* path.report({ watch: "test", troubles: [] })
      yield* arrived(sink, 2)
      expect(subjects(sink)).toEqual(["a is broken", "over: a is broken"])
      expect(yield* path.component).toMatchObject({ status: "ok" })
    }).pipe(quietly)
  )

  it.live(
    "retries while the relay is away, reports it in health, and sends one mail afterwards",
    () =>
      Effect.gen(function* () {
        const sink = yield* MailSink.make()
        yield* sink.close
        const path = yield* life(sink.port, yield* temporaryDirectory())
        // The broken relay is detected before there is a notice to send.
        yield* until(
          "degraded",
          Effect.map(path.component, ({ status }) => status === "degraded")
        )
        yield* path.report({
          watch: "test",
          troubles: [trouble("a", { after: 0 }), trouble("b", { after: 0, once: true })]
        })
        yield* until(
          "a failed try",
          Effect.map(path.statuses, ([actor]) => actor!.restarts > 0)
        )
        // An event without duration is kept until its notice can be sent.
        yield* path.report({ watch: "test", troubles: [trouble("a", { after: 0 })] })
        yield* sink.open
        yield* arrived(sink, 1)
        expect(subjects(sink)).toEqual(["a is broken (and 1 more)"])
        yield* until(
          "well again",
          Effect.map(path.component, ({ status }) => status === "ok")
        )
      }).pipe(quietly),
    120_000
  )

  it.live(
    "remembers sent notices over a restart; the loss of its file causes one repetition",
    () =>
      Effect.gen(function* () {
        const sink = yield* MailSink.make()
        const dataDir = yield* temporaryDirectory()
        const known = [trouble("a", { after: 0 })]
        const file = `${dataDir}/second-path/test.json`
        const first = yield* life(sink.port, dataDir)
        yield* first.report({ watch: "test", troubles: known })
        yield* arrived(sink, 1)
        yield* until(
          "the file",
          Effect.sync(() => {
            try {
              return readFileSync(file, "utf8").includes('"a"')
            } catch {
              return false
            }
          })
        )
        yield* first.end

        const second = yield* life(sink.port, dataDir)
        yield* second.report({ watch: "test", troubles: known })
        yield* Effect.sleep(15 * minute)
        expect(sink.mails).toHaveLength(1)
        yield* second.report({ watch: "test", troubles: [] })
        yield* arrived(sink, 2)
        expect(subjects(sink)).toEqual(["a is broken", "over: a is broken"])
        yield* second.end

        for (const content of ["", "{", JSON.stringify({ pid: 1, told: "all" })]) {
          writeFileSync(file, content)
          const before = sink.mails.length
          const next = yield* life(sink.port, dataDir)
          yield* next.report({ watch: "test", troubles: known })
          yield* arrived(sink, before + 1)
          yield* next.end
        }
      }).pipe(quietly),
    120_000
  )

  it.live("is unconfigured without an address, degrades nothing, and contacts no relay", () =>
    Effect.gen(function* () {
      const sink = yield* MailSink.make()
      const path = yield* life(sink.port, yield* temporaryDirectory(), { SIGNALBOX_ADMIN_EMAIL: "" })
      yield* path.report({ watch: "test", troubles: [trouble("a", { after: 0 })] })
      yield* Effect.sleep(10 * minute)
      expect(yield* path.component).toMatchObject({ status: "unconfigured" })
      expect(sink.connections()).toBe(0)
      expect((yield* path.statuses)[0]).toMatchObject({ state: "running", restarts: 0 })
    }).pipe(quietly)
  )

  it.live("continues when its file cannot be written", () =>
    Effect.gen(function* () {
      const sink = yield* MailSink.make()
      const dataDir = yield* temporaryDirectory()
      writeFileSync(`${dataDir}/second-path`, "in the way")
      const path = yield* life(sink.port, dataDir)
      yield* path.report({ watch: "test", troubles: [trouble("a", { after: 0 })] })
      yield* arrived(sink, 1)
      yield* path.report({ watch: "test", troubles: [] })
      yield* arrived(sink, 2)
      expect((yield* path.statuses)[0]).toMatchObject({ restarts: 0 })
    }).pipe(quietly)
  )
})

describePeers(["postfix", "dovecot"], "the second path over a real mail server", () => {
  const boss = { address: "boss@example.test", password: "secret" }

  it.live(
    "reaches the operator's mailbox",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [boss] })
        const postfix = yield* Postfix.make({ lmtpPort: dovecot.lmtpPort })
        const path = yield* life(postfix.smtpPort, yield* temporaryDirectory())
        yield* path.report({ watch: "test", troubles: [trouble("the way", { after: 0 })] })
        yield* until(
          "delivered to the mailbox",
          Effect.sync(() => /to=<boss@example\.test>.*status=sent/.test(postfix.log())),
          20
        )
        expect(yield* path.component).toMatchObject({ status: "ok" })
      }).pipe(quietly),
    120_000
  )
})
