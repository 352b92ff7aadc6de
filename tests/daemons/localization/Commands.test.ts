/** `signalbox localization` beside a running daemon. */
import { it } from "@effect/vitest"
import { Console, Effect, Exit, Option } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { Environment } from "#core/config/Environment.ts"
import * as FileOperator from "#daemons/localization/files/Operator.ts"
import * as RebuildOperator from "#daemons/localization/rebuilds/Operator.ts"
import * as Operator from "#daemons/localization/texts/Operator.ts"
import { recording } from "#support/CapturedOutput.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { until } from "#support/Frame.ts"
import { read, startEngine, startLocalization } from "./LocalizationSuite.ts"

const none = Option.none()
const some = Option.some

it.live(
  "an operator administers languages and texts",
  () =>
    Effect.gen(function* () {
      const { url } = yield* startEngine()
      const suite = yield* startLocalization({ env: { SIGNALBOX_TRANSLATE_URL: url } })
      const out: Array<string> = []
      const ran = <A, E>(command: Effect.Effect<A, E>, env: Record<string, string> = suite.env) =>
        Effect.suspend(() => {
          out.length = 0
          return command.pipe(
            Effect.provideService(Environment, env),
            Effect.provideService(Console.Console, recording(out)),
            Effect.exit
          )
        })
      const json = <A, E>(command: Effect.Effect<A, E>) =>
        Effect.map(ran(command), (exit): any => {
          expect(Exit.isSuccess(exit), String(exit)).toBe(true)
          return JSON.parse(out.join("\n"))
        })
      const refused = <A, E>(command: Effect.Effect<A, E>, env?: Record<string, string>) =>
        Effect.map(ran(command, env), String)

      expect(yield* json(Operator.set({ locale: "en", key: "a.b", value: "Hello {name}", json: true }))).toMatchObject({
        stale: false
      })
      yield* until(
        "the running daemon has the text",
        Effect.map(read(suite, "/bundles/en"), (answer) => answer.json["a.b"] === "Hello {name}")
      )
      expect(yield* refused(Operator.set({ locale: "de", key: "a.b", value: "Hallo {x}", json: false }))).toContain("x")
      expect(yield* refused(Operator.set({ locale: "en", key: "a b", value: "x", json: false }))).toContain("no key")
      expect(yield* refused(Operator.set({ locale: "fr", key: "a.b", value: "x", json: false }))).toContain("language")
      expect(yield* json(Operator.add({ locale: "fr", label: "Français", json: true }))).toEqual({
        code: "fr",
        label: "Français"
      })
      expect(yield* refused(Operator.add({ locale: "French", label: "x", json: false }))).toContain("no language tag")
      expect(yield* refused(Operator.remove({ locale: "de", json: false }))).toContain("cannot be removed")

      expect(yield* json(RebuildOperator.rebuild({ locale: some("fr"), noWait: false, json: true }))).toMatchObject({
        state: "done",
        translated: 1
      })
      expect((yield* json(RebuildOperator.list({ limit: 10, json: true }))).length).toBe(1)
      expect(yield* refused(RebuildOperator.cancel({ id: "x", json: false }))).toContain("no rebuild id")
      expect(
        yield* refused(RebuildOperator.rebuild({ locale: none, noWait: true, json: false }), {
          ...suite.env,
          SIGNALBOX_TRANSLATE_URL: ""
        })
      ).toContain("SIGNALBOX_TRANSLATE_URL")
      const texts = yield* json(
        Operator.texts({ locale: "fr", search: none, state: some("automatic"), limit: 9, json: true })
      )
      expect(texts).toMatchObject([{ key: "a.b", value: "fr:Hello {name}" }])
      expect(yield* json(Operator.forget({ locale: "fr", json: true }))).toEqual({ forgotten: 1 })

      const folder = yield* temporaryDirectory()
      for (const name of ["texts.csv", "texts.xlf"]) {
        const file = join(folder, name)
        yield* ran(FileOperator.exported({ locale: "fr", file, format: none, json: false }))
        const value = `Bonjour ${name.slice(-3)} {name}`
        const text = readFileSync(file, "utf8")
        const edited = name.endsWith("csv")
          ? text.replace('"",', `"${value}",`).replace(/"Bonjour [^"]*",/, `"${value}",`)
          : text.replace(/<target[^>]*(?:\/>|>.*?<\/target>)/, `<target>${value}</target>`)
        writeFileSync(file, edited)
        expect(yield* json(FileOperator.imported({ locale: "fr", file, format: none, json: true }))).toMatchObject({
          changed: 1,
          refused: 0
        })
      }
      expect(
        yield* refused(FileOperator.imported({ locale: "fr", file: join(folder, "no"), format: none, json: false }))
      ).toContain("cannot be read")
      expect(yield* refused(FileOperator.imported({ locale: "en", file: "x", format: none, json: false }))).toContain(
        "source"
      )
      const changes = yield* json(Operator.history({ locale: "fr", key: "a.b", limit: 10, json: true }))
      expect(changes.map(({ kind }: { kind: string }) => kind)).toEqual([
        "imported",
        "imported",
        "forgotten",
        "automatic"
      ])
      yield* ran(Operator.languages({ json: false }))
      expect(out.join("\n")).toMatch(/fr +Français +100 % +0 +1 +0/)
      yield* ran(Operator.reset({ locale: "fr", key: "a.b", json: false }))
      expect(out).toEqual(["a.b reset in fr"])
      yield* ran(Operator.remove({ locale: "fr", json: false }))
      expect(out).toEqual(["language fr removed"])
    }).pipe(Effect.scoped),
  120_000
)
