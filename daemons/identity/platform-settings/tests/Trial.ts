/** Values that a test uses: the present ones, and in place of some of them texts that are not stored yet. */
import { Effect, Result } from "effect"
import { Environment } from "#core/config/Environment.ts"
import * as Settings from "#core/config/Settings.ts"
import { type FieldProblem, InvalidRequest } from "#core/http/Problem.ts"
import { isLocked } from "#core/settings/SettingState.ts"
import { type Group, problemOf, type StoredSetting } from "#core/settings/StoredSetting.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"

export interface Trial {
  /** The value of a setting of the tested group. */
  readonly value: <A>(setting: StoredSetting<A>) => A
  /** The settings of the group. */
  readonly settings: ReadonlyArray<StoredSetting<unknown>>
}

/** `values`: texts by name of the setting; null stands for the default. */
export const trialOf = (
  group: Group,
  values: Readonly<Record<string, string | null>>
): Effect.Effect<Trial, InvalidRequest, StoredSettings> =>
  Effect.gen(function* () {
    const stored = yield* StoredSettings
    const env = yield* Environment
    yield* stored.fresh
    const given = new Map<string, unknown>()
    const problems: Array<FieldProblem> = []
    for (const [name, text] of Object.entries(values)) {
      const refuse = (message: string) => problems.push({ field: `payload.values.${name}`, message })
      const setting = stored.named(name)
      if (setting === undefined || setting.shown.group !== group) refuse("is no setting of this group")
      else if (isLocked(setting, env)) refuse("is set by the environment")
      else if (text === null) given.set(name, setting.fallback?.value)
      else {
        const problem = problemOf(setting, text)
        if (problem === undefined) given.set(name, Result.getOrThrow(Settings.parseText(setting, text)))
        else refuse(problem)
      }
    }
    if (problems.length > 0) return yield* new InvalidRequest({ errors: problems })
    return {
      // The parser of a setting made the given value.
      value: <A>(setting: StoredSetting<A>) =>
        given.has(setting.name) ? (given.get(setting.name) as A) : stored.value(setting),
      settings: stored.declared.filter(({ shown }) => shown.group === group)
    }
  })
