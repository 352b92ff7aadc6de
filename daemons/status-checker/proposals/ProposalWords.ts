/** Texts of a proposed draft, for a person to improve before publication. Pure. */
import type { Component } from "../status/Model.ts"
import type { ComponentStatus } from "../status/Vocabulary.ts"

export interface Words {
  readonly title: string
  readonly title_en: string
  readonly message: string
  readonly message_en: string
}

/** Most names in the title. Unit: components. Reason: readable at a glance; the incident lists all. */
const named = 3

/** `affected` has at least one component. `since` (start of the first outage) and `now` in milliseconds. */
export const wordsFor = (
  affected: ReadonlyArray<{ readonly component: Component; readonly status: ComponentStatus }>,
  since: number,
  now: number
): Words => {
  const names = list(
    affected.map(({ component }) => component.name),
    " und ",
    (count) => `${count} weitere`
  )
  const namesEn = list(
    affected.map(({ component }) => component.name_en),
    " and ",
    (count) => `${count} more`
  )
  const whole = affected.filter(({ status }) => status === "major_outage").length
  const isOne = affected.length === 1
  const state =
    whole === affected.length
      ? "nicht verfügbar"
      : whole === 0
        ? "nur eingeschränkt verfügbar"
        : "nicht oder nur eingeschränkt verfügbar"
  const stateEn =
    whole === affected.length
      ? "unavailable"
      : whole === 0
        ? "only partly available"
        : "unavailable or only partly available"
  const at = new Date(since).toISOString()
  const isToday = at.slice(0, 10) === new Date(now).toISOString().slice(0, 10)
  const [date, time] = [at.slice(0, 10), at.slice(11, 16)]
  const day = date.split("-").toReversed().join(".")
  return {
    title: `${whole > 0 ? "Ausfall" : "Störung"}: ${names}`,
    title_en: `${whole > 0 ? "Outage" : "Disruption"}: ${namesEn}`,
    message:
      `Seit ${isToday ? "" : `dem ${day}, `}${time} Uhr (UTC) ${isOne ? "ist" : "sind"} ${names} ${state}. ` +
      "Wir suchen nach der Ursache.",
    message_en:
      `${namesEn} ${isOne ? "has" : "have"} been ${stateEn} since ${isToday ? "" : `${date}, `}${time} UTC. ` +
      "We are looking for the cause."
  }
}

const list = (names: ReadonlyArray<string>, and: string, more: (count: number) => string): string => {
  const shown = names.length > named + 1 ? [...names.slice(0, named), more(names.length - named)] : names
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")}${and}${shown.at(-1)}`
}
