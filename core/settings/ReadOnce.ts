/** Reads the value of a stored setting once, for commands, which do not follow changes. */
import { Effect, Result } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { ConfigInvalid, Environment } from "../config/Environment.ts"
import * as Settings from "../config/Settings.ts"
import { isLocked } from "./SettingState.ts"
import { problemOf, type StoredSetting } from "./StoredSetting.ts"

/** Value of a setting that is no secret: environment, else database, else default. */
export const readOnce = <A>(
  setting: StoredSetting<A>
): Effect.Effect<A, SqlError.SqlError | ConfigInvalid, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const env = yield* Environment
    const decoded = Settings.decode(setting, env)
    if (Result.isFailure(decoded)) return yield* new ConfigInvalid({ problems: [decoded.failure] })
    const given = decoded.success
    if (isLocked(setting, env)) return given
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly value: string | null }>`select value from core.stored_setting
      where name = ${setting.name}`
    const text = row?.value ?? undefined
    if (text === undefined || problemOf(setting, text) !== undefined) return given
    return Result.getOrElse(Settings.parseText(setting, text), () => given)
  })
