import { expect, it } from "@effect/vitest"
import { Effect, Logger, Redacted, References, Tracer } from "effect"
import fc from "fast-check"
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import * as Log from "#core/log/Log.ts"

/** Fields of the lines that `effect` logs. */
const fieldsOf = (effect: Effect.Effect<unknown>) => {
  const seen: Array<Record<string, unknown>> = []
  const logger = Logger.make<unknown, void>((entry) => void seen.push(Log.toFields("suite", entry)))
  return Effect.as(
    effect.pipe(Effect.provide(Logger.layer([logger])), Effect.provideService(References.MinimumLogLevel, "Trace")),
    seen
  )
}

it.live("a line has time, level, service, actor and message", () =>
  Effect.gen(function* () {
    const [plain, ofDaemon] = yield* fieldsOf(
      Effect.gen(function* () {
        yield* Effect.logWarning("a mail", "was refused", { size: 3 })
        yield* Effect.logError("broke").pipe(Effect.annotateLogs({ actor: "reader" }), Log.forDaemon("alarm-bridge"))
      })
    )
    expect(plain).toMatchObject({ level: "warn", service: "suite", message: "a mail was refused" })
    expect(plain!["data"]).toContain("3")
    expect(plain!["time"]).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect(Object.keys(plain!).slice(0, 3)).toEqual(["time", "level", "service"])
    expect(ofDaemon).toMatchObject({ level: "error", service: "alarm-bridge", actor: "reader" })
  })
)

it.live("a traced request's lines carry its trace", () =>
  Effect.gen(function* () {
    const span = Tracer.externalSpan({
      spanId: "1234567812345678",
      traceId: "12345678123456781234567812345678",
      sampled: true
    })
    const [line] = yield* fieldsOf(Effect.withParentSpan(Effect.log("inside"), span))
    expect(line!["trace_id"]).toBe("12345678123456781234567812345678")
  })
)

it.live("redacted values stay redacted in messages, data, annotations and causes", () =>
  Effect.gen(function* () {
    const secret = Redacted.make("hunter2hunter2", { label: "password" })
    const lines = yield* fieldsOf(
      Effect.gen(function* () {
        yield* Effect.log("login", secret, { nested: { secret }, list: [secret] })
        yield* Effect.log("annotated").pipe(Effect.annotateLogs({ secret }))
        yield* Effect.catchCause(Effect.fail({ message: "refused", secret }), (cause) =>
          Effect.logError("failed", cause)
        )
      })
    )
    for (const format of ["logfmt", "json"] as const) {
      const text = lines.map((line) => Log.toLine(format, line, false)).join("\n")
      expect(text).not.toContain("hunter2")
      expect(text).toContain("<redacted")
    }
  })
)

it("one event is one line within the limit, for any content", () => {
  const value = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.string({ minLength: 9000, maxLength: 20_000 }),
    fc.integer()
  )
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), value, { maxKeys: 5 }), (fields) => {
      for (const format of ["logfmt", "json"] as const) {
        const line = Log.toLine(format, fields, false)
        expect(line).not.toMatch(/[\r\n]/)
        expect(line.length).toBeLessThanOrEqual(8000)
        if (format === "json") expect(Object.keys(JSON.parse(line))).toEqual(Object.keys(fields))
      }
    }),
    { numRuns: 50 }
  )
})

it("a line with thousands of fields stays within the limit", () => {
  const fields = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`field_${n}`, "short"]))
  for (const format of ["logfmt", "json"] as const) expect(Log.toLine(format, fields, false).length).toBe(8000)
})

it("logfmt quotes values that look like another field", () => {
  expect(Log.toLine("logfmt", { a: "b", c: "d e", f: 'g="h"', empty: "" }, false)).toBe(
    'a=b c="d e" f="g=\\"h\\"" empty=""'
  )
})

it("lines under the journal have a level prefix and no time; other lines have no prefix", () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url))
  const program = `import { Effect } from "effect"; import { fstatSync } from "node:fs"
      const { dev, ino } = fstatSync(2); if (process.argv[1] === "journal") process.env.JOURNAL_STREAM = dev + ":" + ino
      const Log = await import(${JSON.stringify(new URL("../../../core/log/Log.ts", import.meta.url).pathname)})
      await Effect.runPromise(Effect.provide(Effect.andThen(Effect.logError("one\\ntwo"), Effect.logDebug("hidden")), Log.layer({ service: "s", level: "info", format: "logfmt" })))`
  const run = (how: string) =>
    execFileSync("/bin/sh", ["-c", `"$0" --input-type=module -e "$1" ${how} 2>&1`, process.execPath, program], {
      cwd: root,
      encoding: "utf8"
    })
  expect(run("journal")).toBe('<3>level=error service=s message="one\\ntwo"\n')
  expect(run("terminal")).toMatch(/^time=\S+ level=error service=s message="one\\ntwo"\n$/)
}, 120_000)
