/**
 * Lists every variable from the settings declarations, as the text of an environment file. `signalbox check --list`
 * prints it; config/signalbox.env.example contains the same text. Pure.
 */
import { Result } from "effect"
import type { Daemon } from "../daemon/Daemon.ts"
import type { KnownDaemon } from "../daemon/KnownDaemons.ts"
import { gatewaySettings } from "../gateway/GatewaySettings.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import type { Fields, Setting } from "../config/Settings.ts"
import { ports } from "../daemon/Suite.ts"
import { directoryVariable } from "./HostEnvironment.ts"
import { nearestName } from "./NearestName.ts"

export interface Section {
  readonly title: string
  readonly settings: ReadonlyArray<Setting<unknown>>
}

/** Every setting once, listed in the first section that declares it. */
export const catalogue = (daemons: ReadonlyArray<Daemon>): ReadonlyArray<Section> => {
  const seen = new Set<string>()
  const section = (title: string, fields: Fields): Section => ({
    title,
    settings: Object.values(fields).filter((setting) => !seen.has(setting.name) && seen.add(setting.name))
  })
  return [
    section("All daemons", platformSettings),
    section("Gateway of `signalbox up`", gatewaySettings),
    ...daemons.map((daemon) => section(`${daemon.name}: ${daemon.title}`, { ...ports([daemon]), ...daemon.settings }))
  ]
}

/** Longest line of the text. Unit: characters. */
const width = 110

/** Text of the environment file. Every variable is commented out, because each line shows the default. */
export const environmentFile = (daemons: ReadonlyArray<Daemon>): string =>
  [
    "# Every variable of Signalbox with its default. Under systemd: /etc/signalbox/signalbox.env for all daemons,",
    "# /etc/signalbox/<daemon>.env for one. Printed by `signalbox check --list`; `signalbox check` checks the values.",
    "# A secret can also come from a file named by <NAME>_FILE, or from a systemd credential with the name in lower",
    "# case.",
    ...catalogue(daemons)
      .filter((section) => section.settings.length > 0)
      .flatMap((section) => [
        "",
        `# ---- ${section.title} ----`,
        ...section.settings.flatMap((setting) => [
          "",
          ...wrap(describe(setting)),
          `#${setting.name}=${example(setting)}`
        ])
      ])
  ].join("\n") + "\n"

const describe = (setting: Setting<unknown>): string => {
  const notes = [
    ...(setting.unit === undefined ? [] : [`unit: ${setting.unit}`]),
    setting.fallback === undefined ? "required" : `default: ${setting.fallback.shown}`,
    ...(setting.secret ? ["secret"] : [])
  ]
  return `${setting.doc}. (${notes.join("; ")})`
}

/** The default as it would be written; empty when `shown` only describes it (`unset`, `empty`, `none`). */
export const example = (setting: Setting<unknown>): string => {
  const shown = setting.fallback?.shown ?? ""
  return shown === "unset" || shown === "empty" || Result.isFailure(setting.parse(shown)) ? "" : shown
}

const wrap = (text: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = "#"
  for (const word of text.split(" ")) {
    if (line.length + 1 + word.length > width) {
      lines.push(line)
      line = "#"
    }
    line += ` ${word}`
  }
  return [...lines, line]
}

/** Names that a variable can have: of every setting, and `<NAME>_FILE` of secrets. */
const knownVariables = (daemons: ReadonlyArray<KnownDaemon>): ReadonlyArray<string> =>
  [platformSettings, gatewaySettings, ports(daemons), ...daemons.map(({ settings }) => settings)]
    .flatMap((fields) => Object.values<KnownDaemon["settings"][string]>(fields))
    .flatMap((setting) => (setting.secret ? [setting.name, `${setting.name}_FILE`] : [setting.name]))

/** Prefix of our variables. Variables with a second prefix belong to tests and benches. */
const prefix = "SIGNALBOX_"

/**
 * Length of the compared rest of a name from which a suggestion is useful. Unit: characters. Reason: shorter names are
 * similar to too many.
 */
const shortest = 3

/**
 * Variables that start with SIGNALBOX_ but that no daemon declares. Reported because a misspelt variable has no effect.
 */
export const unknownVariables = (
  names: ReadonlyArray<string>,
  daemons: ReadonlyArray<KnownDaemon>
): ReadonlyArray<string> => {
  const known = new Set([...knownVariables(daemons), directoryVariable])
  return names
    .filter((name) => name.startsWith(prefix) && !/^SIGNALBOX_(TEST|BENCH)_/.test(name) && !known.has(name))
    .toSorted()
}

/** A sentence about each unknown variable, with the nearest known name. */
export const unknownVariableLines = (
  names: ReadonlyArray<string>,
  daemons: ReadonlyArray<KnownDaemon>
): ReadonlyArray<string> => {
  const known = knownVariables(daemons)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
  return unknownVariables(names, daemons).map((name) => {
    const rest = name.slice(prefix.length)
    const nearest = rest.length < shortest ? undefined : nearestName(rest, known)
    return (
      `${name} is not a known setting and has no effect; ` +
      (nearest === undefined ? "`bin/signalbox check --list` lists all settings" : `did you mean ${prefix}${nearest}?`)
    )
  })
}
