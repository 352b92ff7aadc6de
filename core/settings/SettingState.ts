/** Where the value of a stored setting comes from. Pure. */
import type { Env } from "../config/Settings.ts"
import * as Settings from "../config/Settings.ts"
import type { SettingRow } from "./SettingStore.ts"
import { problemOf, type StoredSetting } from "./StoredSetting.ts"

/** `environment`: a variable, a file that a variable names, or a credential. */
export const sources = ["environment", "database", "default"] as const
export type Source = (typeof sources)[number]

export interface SettingState {
  readonly setting: StoredSetting<unknown>
  readonly source: Source
  /** Whether the environment sets the value, so that a stored one has no effect. */
  readonly locked: boolean
  /** Text of the value in effect; undefined for a default, and for every secret. */
  readonly text: string | undefined
  /** Why the stored value has no effect: the present rules refuse it, or no key opens it. */
  readonly problem: string | undefined
  readonly changedAt: string | undefined
  readonly changedBy: string | undefined
}

export const isLocked = (setting: StoredSetting<unknown>, env: Env): boolean => Settings.isGiven(setting, env)

export const stateOf = (setting: StoredSetting<unknown>, env: Env, row: SettingRow | undefined): SettingState => {
  const locked = isLocked(setting, env)
  const isSet = row !== undefined && (row.value ?? row.envelope) !== null
  const source = locked ? "environment" : isSet ? "database" : "default"
  const text = row?.value ?? undefined
  const problem = text === undefined || setting.secret ? undefined : problemOf(setting, text)
  return {
    setting,
    source,
    locked,
    text: setting.secret ? undefined : locked ? env[setting.name] : text,
    problem,
    changedAt: isSet ? row.changed_at : undefined,
    changedBy: isSet ? row.changed_by : undefined
  }
}
