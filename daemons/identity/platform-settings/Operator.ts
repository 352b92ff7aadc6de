/** Implementation of `signalbox settings test`. Works on the database, so no daemon need run. */
import { Effect, Option } from "effect"
import { Ended, exitUsage, fail } from "#core/cli/Ending.ts"
import { all } from "#core/cli/Fleet.ts"
import { operatorSettings } from "#core/cli/OperatorSettings.ts"
import { colour, print } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Wake from "#core/events/Wake.ts"
import type { Tested } from "./tests/Tested.ts"
import { targetProblem, tests } from "./tests/Tests.ts"
import { trialOf } from "./tests/Trial.ts"

interface TestFlags {
  readonly group: Tested
  readonly to: Option.Option<string>
  readonly set: ReadonlyArray<string>
  readonly json: boolean
}

/** `NAME=VALUE` as name and value. */
const assignments = (texts: ReadonlyArray<string>) =>
  Effect.forEach(texts, (text) => {
    const at = text.indexOf("=")
    return at < 1
      ? Effect.fail(fail(`--set ${text}: must be NAME=VALUE`, exitUsage))
      : Effect.succeed([text.slice(0, at), text.slice(at + 1)] as const)
  })

/** Tries the settings of a group, and ends with 1 when something does not work. */
export const test = Effect.fnUntraced(function* ({ group, json, set, to }: TestFlags) {
  const values = Object.fromEntries(yield* assignments(set))
  const target = Option.getOrUndefined(to)
  const wrong = target === undefined ? undefined : targetProblem(group, target)
  if (wrong !== undefined) return yield* fail(`--to ${wrong}`, exitUsage)
  const fields = (yield* all).map((daemon) => daemon.settings)
  const results = yield* withStorage(
    Effect.gen(function* () {
      const trial = yield* trialOf(group, values).pipe(
        Effect.catchTag("InvalidRequest", ({ errors }) =>
          Effect.fail(
            fail(errors.map(({ field, message }) => `${field.split(".").at(-1)} ${message}`).join("; "), exitUsage)
          )
        )
      )
      return yield* tests[group](trial, target)
    }).pipe(Effect.provide(operatorSettings(...fields)), Effect.provide(Wake.layer))
  )
  const items = results.map(({ detail, ok, subject, text, took }) => ({
    subject,
    ok,
    text: text.en,
    detail,
    took_ms: took
  }))
  yield* print(json, items, () =>
    items.map(
      ({ detail, ok, subject, text, took_ms }) =>
        `${colour(ok ? "green" : "red", ok ? "works" : "fails")}  ${subject}: ${text}` +
        `${detail === null ? "" : ` ${detail}`} (${took_ms} ms)`
    )
  )
  if (items.some(({ ok }) => !ok)) return yield* new Ended({ code: 1 })
})
