/** Implementation of `signalbox setup`. Works on the database, so no daemon need run. */
import { Effect } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { all } from "#core/cli/Fleet.ts"
import { nearestName } from "#core/cli/NearestName.ts"
import { colour, columns, print } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import { Environment } from "#core/config/Environment.ts"
import { operator } from "#core/log/Audit.ts"
import * as SetupSteps from "#core/setup/SetupSteps.ts"
import { stateOf } from "#core/settings/SettingState.ts"
import * as SettingStore from "#core/settings/SettingStore.ts"
import { storedAmong } from "#core/settings/StoredSetting.ts"
import { transaction } from "#core/sql/Sql.ts"
import { listOf, type StepView } from "./Steps.ts"

const known = Effect.gen(function* () {
  const env = yield* Environment
  const declared = storedAmong((yield* all).map((daemon) => daemon.settings))
  const rows = new Map((yield* SettingStore.list).map((row) => [row.name, row]))
  const given = declared.filter((setting) => stateOf(setting, env, rows.get(setting.name)).source !== "default")
  return listOf({
    given: new Set(given.map(({ name }) => name)),
    marks: yield* SetupSteps.marks,
    protectedAccount: undefined
  })
})

const plain = ({ command, name, needs, optional, state, title, why }: StepView) => ({
  name,
  title: title.en,
  why: why.en,
  state,
  optional,
  settings: [...new Set(needs.flat())],
  command
})

/** The list as text: open steps with their reason and command. Pure. */
export const setupLines = (found: ReadonlyArray<StepView>): ReadonlyArray<string> => {
  const open = found.filter(({ optional, state }) => state === "open" && !optional)
  return [
    ...columns([
      ["STEP", "STATE", "WHAT"],
      ...found.map(({ name, optional, state, title }) => [
        name,
        state === "done"
          ? colour("green", "done")
          : state === "skipped"
            ? colour("dim", "skipped")
            : optional
              ? "optional"
              : colour("yellow", "open"),
        title.en
      ])
    ]),
    "",
    ...(open.length === 0
      ? ["Everything that an installation needs is set up."]
      : open.flatMap(({ command, title, why }) => [`${title.en}: ${why.en}`, `  ${command}`]))
  ]
}

export const list = Effect.fnUntraced(function* (flags: { readonly json: boolean }) {
  const found = yield* withStorage(known)
  yield* print(flags.json, found.map(plain), () => setupLines(found))
})

/** Marks a step as not wanted, or removes the mark. */
export const skip = Effect.fnUntraced(function* (name: string, skipped: boolean, json: boolean) {
  const found = yield* withStorage(
    Effect.gen(function* () {
      const steps = yield* known
      if (!steps.some((step) => step.name === name)) {
        const nearest = nearestName(
          name,
          steps.map((step) => step.name)
        )
        return yield* fail(
          `${name} is no step` +
            (nearest === undefined ? "; `bin/signalbox setup` lists them" : `; did you mean ${nearest}?`),
          exitUsage
        )
      }
      yield* transaction(SetupSteps.mark(name, skipped ? "skipped" : undefined, operator))
      return (yield* known).find((step) => step.name === name)!
    })
  )
  yield* print(json, plain(found), () => [`${name} is ${found.state}.`])
})
