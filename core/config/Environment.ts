/**
 * The environment of the process, as a value, so that tests can start daemons with their own settings.
 */
import { Context, Effect, Result, Schema } from "effect"
import { type Env, type Fields, load, type SettingProblem, type Values } from "./Settings.ts"

/** Environment variables; the process's own by default. */
export const Environment = Context.Reference<Env>("signalbox/core/Environment", { defaultValue: () => process.env })

/** The configuration is wrong; lists every problem. The process exits with 78 (EX_CONFIG of sysexits.h). */
export class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", {
  problems: Schema.Array(Schema.Struct({ name: Schema.String, message: Schema.String }))
}) {
  override get message() {
    return this.problems.map((problem: SettingProblem) => `${problem.name} ${problem.message}`).join("; ")
  }
}

/** Exit status for a wrong configuration; systemd does not restart after it. */
export const exitConfig = 78

/** Decodes a daemon's settings. */
export const settings = <F extends Fields>(fields: F): Effect.Effect<Values<F>, ConfigInvalid> =>
  Effect.gen(function* () {
    const loaded = load(fields, yield* Environment)
    return Result.isSuccess(loaded) ? loaded.success : yield* new ConfigInvalid({ problems: loaded.failure })
  })
