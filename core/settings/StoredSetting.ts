/**
 * Settings that an operator changes in daily life. Such a setting is declared like every other (config/Settings.ts), in
 * the settings of its daemon, and may also be stored in the database. A variable or credential of the process wins and
 * locks it. Texts have the form of the variable, so a value can move between both without a change.
 */
import { Result } from "effect"
import * as Settings from "../config/Settings.ts"
import { inEveryLanguage } from "../words/ChooseLanguage.ts"
import type { Catalogue } from "../words/Language.ts"
import { serverKeys, shippedTexts, textOf } from "../words/ShippedTexts.ts"

/** Groups in which people see the settings, in this order. */
export const groups = [
  "alarms",
  "webhooks",
  "messenger",
  "switch",
  "speech",
  "relay",
  "mail",
  "addresses",
  "resolvers",
  "branding"
] as const
export type Group = (typeof groups)[number]

/** How people enter a value: `long` is a text of several lines, `image` a file that becomes a `data:` address. */
export const inputs = ["text", "long", "colour", "image"] as const
export type Input = (typeof inputs)[number]

/** How a setting is shown to people. */
export interface Shown {
  readonly group: Group
  readonly title: Catalogue<string>
  /** What the setting is for, and the form of its value. */
  readonly help: Catalogue<string>
  /** Default: `text`. */
  readonly input?: Input
  /** Problem that only a stored text has, such as the name of a file of the host. */
  readonly refuse?: (text: string) => string | undefined
}

export interface StoredSetting<out A> extends Settings.Setting<A> {
  readonly shown: Shown
}

/** Name of the catalogue with the title and help of a setting. */
const catalogueOf = (name: string): string => `settings.${name}`

/** The text as a message: an example of JSON in it has no placeholders. Source: ICU MessageFormat (quoting). */
const quoted = (text: string): string => text.replace(/\{.*\}/su, (json) => `'${json}'`)

/** Declares that a setting may be stored in the database. Its title and help become texts of a catalogue. */
export const stored = <A>(setting: Settings.Setting<A>, shown: Shown): StoredSetting<A> => {
  const { help, title } = shown
  shippedTexts(catalogueOf(setting.name), {
    en: { title: title.en, help: quoted(help.en) },
    de: { title: title.de, help: quoted(help.de) }
  })
  return { ...setting, shown }
}

/** Title and help of a setting in each offered language. */
export const wordsOf = ({ name }: StoredSetting<unknown>) => {
  const text = (part: "title" | "help") =>
    inEveryLanguage((language) => textOf(`${serverKeys}${catalogueOf(name)}.${part}`, language, {}))
  return { title: text("title"), help: text("help") }
}

/**
 * Whether the setting may be stored in the database. False for every setting of a daemon whose code is not loaded: only
 * its name is known.
 */
export const isStored = (setting: KnownSetting): setting is StoredSetting<unknown> => "shown" in setting

/** Of a setting whose declaration may not be loaded. */
type KnownSetting = Pick<Settings.Setting<unknown>, "name" | "secret">

/** The stored settings among those of the loaded daemons, each once, by group. */
export const storedAmong = (
  fields: ReadonlyArray<Readonly<Record<string, KnownSetting>>>
): ReadonlyArray<StoredSetting<unknown>> => {
  const found = new Map(
    fields.flatMap((some) => Object.values(some).filter(isStored)).map((setting) => [setting.name, setting])
  )
  return [...found.values()].toSorted(
    (a, b) => groups.indexOf(a.shown.group) - groups.indexOf(b.shown.group) || (a.name < b.name ? -1 : 1)
  )
}

/** Longest stored text. Unit: UTF-16 code units. Reason: lists of some hundred addresses; bounds memory and answers. */
export const maxText = 16 * 1024

/**
 * The problem of a text, as a sentence; undefined when it may be stored. Pure. A value that begins with @ would make
 * the daemon read a file of its host.
 */
export const problemOf = (setting: StoredSetting<unknown>, text: string): string | undefined => {
  if (text.trim() === "") return "must not be empty; remove the value instead"
  if (text.length > maxText) return `must have at most ${maxText} characters`
  if (/[^\P{Cc}\n\t]/u.test(text)) return "must not contain control characters"
  if (text.trim().startsWith("@")) return "must not name a file"
  const refused = setting.shown.refuse?.(text)
  if (refused !== undefined) return refused
  const parsed = Settings.parseText(setting, text)
  return Result.isFailure(parsed) ? parsed.failure : undefined
}
