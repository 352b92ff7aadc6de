/** Implementation of `signalbox settings …`. Works on the database, so no daemon need run. */
import { Console, Effect, Redacted, Result } from "effect"
import { readFileSync } from "node:fs"
import { parseEnvironmentFile } from "#protocols/systemd/EnvironmentFile.ts"
import { Environment, exitConfig } from "../config/Environment.ts"
import { Secrets } from "../config/Secrets.ts"
import { operator } from "../log/Audit.ts"
import { isLocked, type SettingState, stateOf } from "../settings/SettingState.ts"
import * as SettingStore from "../settings/SettingStore.ts"
import { problemOf, storedAmong, type StoredSetting } from "../settings/StoredSetting.ts"
import { transaction } from "../sql/Sql.ts"
import { exitUsage, fail } from "./Ending.ts"
import { all } from "./Fleet.ts"
import { nearestName } from "./NearestName.ts"
import { colour, columns, print } from "./Output.ts"
import { operatorSecrets } from "./OperatorSettings.ts"
import { settingsTable } from "./SettingsTable.ts"
import { withStorage } from "./Storage.ts"

/** All stored settings of the installation. */
const declared = Effect.map(all, (daemons) => storedAmong(daemons.map((daemon) => daemon.settings)))

/** Runs `use` with the database and the keys of secrets. */
const withSettings = <A, E, R>(use: Effect.Effect<A, E, R>) => Effect.provide(withStorage(use), operatorSecrets)

const states = Effect.gen(function* () {
  const env = yield* Environment
  const rows = new Map((yield* SettingStore.list).map((row) => [row.name, row]))
  return (yield* declared).map((setting) => ({
    state: stateOf(setting, env, rows.get(setting.name)),
    row: rows.get(setting.name)
  }))
})

export const list = Effect.fnUntraced(function* (flags: { readonly json: boolean }) {
  const found = (yield* withSettings(states)).map(({ state }) => state)
  yield* print(flags.json, found.map(plain), () => settingLines(found))
})

/** A setting as `--json` prints it. */
const plain = ({ changedAt, changedBy, locked, problem, setting, source, text }: SettingState) => ({
  name: setting.name,
  group: setting.shown.group,
  source,
  locked,
  value: text ?? null,
  default: setting.fallback?.shown ?? null,
  secret: setting.secret,
  problem: problem ?? null,
  changed_at: changedAt ?? null,
  changed_by: changedBy ?? null
})

/** Lines of a table with one row for each setting. Pure. */
export const settingLines = (found: ReadonlyArray<SettingState>): ReadonlyArray<string> =>
  columns([
    ["SETTING", "FROM", "VALUE"],
    ...found.map(({ locked, problem, setting, source, text }) => [
      setting.name,
      locked ? "environment, locked" : source,
      problem === undefined ? shownValue(setting, source, text) : `${text ?? ""} ${colour("red", problem)}`
    ])
  ])

const shownValue = (setting: StoredSetting<unknown>, source: SettingState["source"], text: string | undefined) =>
  source === "default"
    ? colour("dim", setting.fallback?.shown ?? "required")
    : setting.secret
      ? "(secret)"
      : (text ?? "")

/** Prints the table of all settings. */
export const table = Effect.flatMap(all, (daemons) => Console.log(settingsTable(daemons).trimEnd()))

/**
 * The setting with this name. Fails when there is none, when `text` is not valid for it, or when the environment sets
 * it.
 */
const accepted = Effect.fnUntraced(function* (name: string, text: string | undefined) {
  const known = yield* declared
  const setting = known.find((one) => one.name === name)
  if (setting === undefined) {
    const nearest = nearestName(
      name,
      known.map((one) => one.name)
    )
    return yield* fail(
      `${name} is no setting of the database` +
        (nearest === undefined ? "; `bin/signalbox settings list` lists them" : `; did you mean ${nearest}?`),
      exitUsage
    )
  }
  const problem = text === undefined ? undefined : problemOf(setting, text)
  if (problem !== undefined) return yield* fail(`${name} ${problem}`, exitUsage)
  if (isLocked(setting, yield* Environment)) {
    return yield* fail(`${name} is set by the environment, which wins; remove it there first`, exitConfig)
  }
  return setting
})

/** Stores a text, or removes the value. */
export const change = Effect.fnUntraced(function* (name: string, text: string | undefined, asJson: boolean) {
  const setting = yield* accepted(name, text)
  const changed = yield* withSettings(
    Effect.flatMap(SettingStore.prepare(setting, text), (prepared) =>
      transaction(SettingStore.write(prepared, { actor: operator }))
    )
  )
  yield* print(asJson, { name, changed }, () => [
    changed
      ? `${name} is ${text === undefined ? "removed" : "stored"}; running processes see it within a second.`
      : `${name} has this value already.`
  ])
})

/** Prints the stored settings as an environment file. */
export const exportAll = Effect.fnUntraced(function* (flags: { readonly secrets: boolean; readonly json: boolean }) {
  const found = yield* withSettings(
    Effect.gen(function* () {
      const secrets = yield* Secrets
      const values: Array<readonly [name: string, text: string | undefined]> = []
      for (const { row, state } of yield* states) {
        const { name, secret } = state.setting
        const { envelope, value } = row ?? { value: null, envelope: null }
        if (value !== null) values.push([name, value])
        else if (envelope !== null && secret) {
          const opened = flags.secrets
            ? Redacted.value(yield* secrets.open(envelope, SettingStore.envelopeContext(name)))
            : undefined
          values.push([name, opened])
        }
      }
      return values
    })
  )
  yield* print(flags.json, Object.fromEntries(found.map(([name, text]) => [name, text ?? null])), () =>
    found.length === 0 ? ["# No settings are stored."] : found.map(([name, text]) => assignment(name, text))
  )
})

/** One line of an environment file; a comment for a secret that is not shown. Pure. */
export const assignment = (name: string, text: string | undefined): string =>
  text === undefined
    ? `# ${name} is a stored secret; --secrets prints it`
    : /^[\w.,:/*+@-]+$/.test(text)
      ? `${name}=${text}`
      : `${name}="${text.replace(/["\\`$]/g, "\\$&")}"`

/** Stores all settings of a file in one transaction. */
export const importAll = Effect.fnUntraced(function* (flags: { readonly file: string; readonly json: boolean }) {
  const text = yield* Effect.try({
    try: () => readFileSync(flags.file === "-" ? 0 : flags.file, "utf8"),
    catch: (error) => fail(`cannot read ${flags.file}: ${error instanceof Error ? error.message : String(error)}`)
  })
  const values = [...new Map(parseEnvironmentFile(text))]
  if (values.length === 0) return yield* fail(`${flags.file} contains no settings`, exitUsage)
  const checked = yield* Effect.forEach(values, ([name, value]) => Effect.result(accepted(name, value)))
  const problems = checked.flatMap((one) => (Result.isFailure(one) ? [one.failure.message] : []))
  if (problems.length > 0) return yield* fail(`nothing was stored:\n  ${problems.join("\n  ")}`, exitUsage)
  const accept = ([name, value]: (typeof values)[number]) =>
    Effect.flatMap(accepted(name, value), (setting) => SettingStore.prepare(setting, value))
  const changed = yield* withSettings(
    Effect.flatMap(Effect.forEach(values, accept), (prepared) =>
      transaction(Effect.filter(prepared, (one) => SettingStore.write(one, { actor: operator })))
    )
  )
  const names = changed.map(({ setting }) => setting.name)
  yield* print(flags.json, { changed: names }, () => [
    `${values.length} settings read, ${names.length} changed${names.length === 0 ? "" : `: ${names.join(", ")}`}.`
  ])
})
