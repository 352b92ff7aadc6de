import { dateTime, formatTag } from "../lib/Format.ts"
import { language, words } from "../lib/Language.ts"
import { deviceZone } from "../lib/TimeZone.ts"
import { Finder, type Found } from "./Finder.tsx"

const t = words({ en: { find: "City or name of the time" }, de: { find: "Stadt oder Name der Zeit" } })

/** Zones that a search offers. */
const offered = 12

/** A text without accents, letter case and the separators of names, for comparison. */
const plain = (text: string): string =>
  text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[_/-]/g, " ").toLowerCase()

/** Zone with its name in the page's language, such as "Mitteleuropäische Zeit". */
interface Named {
  readonly id: string
  readonly name: string
  /** What a search compares. */
  readonly sought: string
}

/** Empty for a zone that this browser lacks. */
const nameOf = (id: string): string => {
  try {
    return (
      new Intl.DateTimeFormat(formatTag(), { timeZone: id, timeZoneName: "longGeneric" })
        .formatToParts(new Date())
        .find(({ type }) => type === "timeZoneName")?.value ?? ""
    )
  } catch {
    return ""
  }
}

const named = (id: string): Named => {
  const name = nameOf(id)
  return { id, name, sought: plain(`${id} ${name}`) }
}

const catalogues = new Map<string, ReadonlyArray<Named>>()

/** All zones of the browser, that of this device first. */
const zones = (): ReadonlyArray<Named> => {
  const found =
    catalogues.get(language.value) ??
    [...new Set([deviceZone(), "UTC", ...Intl.supportedValuesOf("timeZone")])].map((id) => named(id))
  catalogues.set(language.value, found)
  return found
}

const shown = ({ id, name }: Named): Found => ({
  id,
  label: id.replaceAll("_", " "),
  detail: () =>
    name === "" ? "" : `${name}, ${dateTime({ timeZone: id, hour: "2-digit", minute: "2-digit" }).format(new Date())}`
})

/** Zones that have every word of the text; those in which a place begins with it come first. */
const find = (text: string): ReadonlyArray<Found> => {
  const wanted = plain(text).split(/\s+/).filter(Boolean)
  const found = zones().filter(({ sought }) => wanted.every((word) => sought.includes(word)))
  const begins = ({ sought }: Named) => wanted.length > 0 && ` ${sought}`.includes(` ${wanted.join(" ")}`)
  return [...found.filter(begins), ...found.filter((one) => !begins(one))].slice(0, offered).map(shown)
}

interface Props {
  readonly id: string
  /** Name of the IANA database; undefined for none. */
  readonly value: string | undefined
  readonly pick: (zone: string | undefined) => void
  readonly label?: string
  /** Id of the element with a hint. */
  readonly describedBy?: string
  readonly focused?: boolean
  readonly required?: boolean
}

/** Field for a time zone, found by city, region or the name of its time. */
export const TimeZonePicker = ({ pick, value, ...rest }: Props) => (
  <Finder
    {...rest}
    placeholder={t().find}
    value={value === undefined ? undefined : shown(named(value))}
    find={(text) => Promise.resolve(find(text))}
    pick={(found) => pick(found?.id)}
  />
)
