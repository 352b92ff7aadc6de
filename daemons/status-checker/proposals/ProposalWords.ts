/** Texts of a proposed draft, for a person to improve before publication. */
import type { Language } from "#core/words/Language.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import { nameOf } from "../publication/Exports.ts"
import type { Component } from "../status/Model.ts"
import type { ComponentStatus } from "../status/Vocabulary.ts"

export interface Words {
  readonly title: string
  readonly title_en: string
  readonly message: string
  readonly message_en: string
}

const words = shippedTexts("status-checker.drafts", {
  en: {
    outage: "Outage: {names}",
    disruption: "Disruption: {names}",
    states: { all: "unavailable", none: "only partly available", some: "unavailable or only partly available" },
    today: "{names} {count, plural, one {has} other {have}} been {state} since {time} UTC.",
    earlier: "{names} {count, plural, one {has} other {have}} been {state} since {day}, {time} UTC.",
    cause: "We are looking for the cause.",
    and: "and",
    more: "{count} more"
  },
  de: {
    outage: "Ausfall: {names}",
    disruption: "Störung: {names}",
    states: {
      all: "nicht verfügbar",
      none: "nur eingeschränkt verfügbar",
      some: "nicht oder nur eingeschränkt verfügbar"
    },
    today: "Seit {time} Uhr (UTC) {count, plural, one {ist} other {sind}} {names} {state}.",
    earlier: "Seit dem {day}, {time} Uhr (UTC) {count, plural, one {ist} other {sind}} {names} {state}.",
    cause: "Wir suchen nach der Ursache.",
    and: "und",
    more: "{count} weitere"
  }
})

/** Maximum number of names in the title. Unit: components. Reason: readable at a glance; the incident lists all. */
const named = 3

/** `affected` has at least one component. `since` (start of the first outage) and `now` in milliseconds. */
export const wordsFor = (
  affected: ReadonlyArray<{ readonly component: Component; readonly status: ComponentStatus }>,
  since: number,
  now: number
): Words => {
  const whole = affected.filter(({ status }) => status === "major_outage").length
  const at = new Date(since).toISOString()
  const [date, time] = [at.slice(0, 10), at.slice(11, 16)]
  const isToday = date === new Date(now).toISOString().slice(0, 10)
  const told = (language: Language) => {
    const t = words(language)
    const names = list(
      affected.map(({ component }) => nameOf(component, language)),
      t
    )
    const day = language === "de" ? date.split("-").toReversed().join(".") : date
    const extent = whole === affected.length ? "all" : whole === 0 ? "none" : "some"
    const about = { names, count: affected.length, state: t.states[extent], day, time }
    return {
      title: whole > 0 ? t.outage({ names }) : t.disruption({ names }),
      message: `${isToday ? t.today(about) : t.earlier(about)} ${t.cause}`
    }
  }
  const [de, en] = [told("de"), told("en")]
  return { title: de.title, title_en: en.title, message: de.message, message_en: en.message }
}

const list = (names: ReadonlyArray<string>, { and, more }: Pick<ReturnType<typeof words>, "and" | "more">): string => {
  const shown = names.length > named + 1 ? [...names.slice(0, named), more({ count: names.length - named })] : names
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} ${and} ${shown.at(-1)}`
}
