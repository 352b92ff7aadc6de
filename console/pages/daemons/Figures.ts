/** Further members of a health component as words of the page's language. */
import { duration, number, shortMoment } from "../../lib/Format.ts"
import { figureWords as t } from "./FigureWords.ts"

/** A time as ISO 8601, alone or in a text. */
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

/** A text with its times in the account's time zone. */
export const withLocalTimes = (text: string): string => text.replace(time, (at) => shortMoment(at))

const nameOf = (name: string): string =>
  (t().names as Readonly<Record<string, string>>)[name] ?? name.replaceAll("_", " ")

/** A value in words. `name` says its unit: `_s` for seconds, `_ms` for milliseconds. */
const valueText = (name: string, value: unknown): string => {
  if (typeof value === "boolean") return value ? t().yes : t().no
  if (typeof value === "number")
    return /(?:^|_)ms(?:_|$)/.test(name)
      ? duration(value)
      : name.endsWith("_s")
        ? duration(value * 1000)
        : name === "port"
          ? String(value)
          : number(value)
  if (Array.isArray(value)) return value.map((one) => valueText(name, one)).join(", ")
  if (typeof value === "object" && value !== null) return listed(Object.entries(value)).join(" ")
  const text = String(value)
  return /^[a-z_]+$/.test(text) ? nameOf(text) : withLocalTimes(text)
}

const listed = (figures: ReadonlyArray<readonly [string, unknown]>): ReadonlyArray<string> =>
  figures.map(([name, value]) => `${nameOf(name)} ${valueText(name, value)}`)

/** The figures of a component in words, such as "connections 3". Empty ones are left out. */
export const figureTexts = (figures: ReadonlyArray<readonly [string, unknown]>): ReadonlyArray<string> =>
  listed(figures.filter(([, value]) => typeof value !== "object" || Object.keys(value ?? {}).length > 0))
