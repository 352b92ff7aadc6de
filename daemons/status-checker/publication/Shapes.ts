/** Bodies of the `/api/v1` answers. Pure. Source of the fields: interface document 3 §2.1 and §4.1. */
import {
  type ShownComponent,
  historyDays,
  type Incident,
  type Maintenance,
  responseHours,
  type Snapshot
} from "../status/Model.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import type { IncidentStatus } from "../status/Vocabulary.ts"
import { summary } from "./ResponseSummary.ts"
import { figures } from "./Uptime.ts"

/**
 * How long resolved incidents stay in the overall status. Unit: milliseconds. Reason: visitors learn that the incident
 * is over.
 */
const resolvedShownFor = 86_400_000

/** Largest and default length of the incident list. Source: interface document 3 §8. */
export const maxIncidents = 100

export const component = (
  { checked_at, component: { group, id, name, name_en }, since, status }: ShownComponent,
  language: LanguageCode
) => ({ id, name: language === "de" ? name : name_en, name_en, name_de: name, group, status, since, checked_at })

export const incident = (one: Incident, language: LanguageCode) => ({
  id: one.id,
  title: language === "de" ? one.title : one.title_en,
  title_en: one.title_en,
  title_de: one.title,
  status: one.status,
  severity: one.severity,
  components: one.components,
  created_at: one.created_at,
  resolved_at: one.resolved_at,
  updates: one.updates.map(({ message, message_en, status, timestamp }) => ({
    status,
    message: language === "de" ? message : message_en,
    message_en,
    message_de: message,
    timestamp
  }))
})

export const isUnderWay = ({ starts_at }: Maintenance, at: string): boolean => Date.parse(starts_at) <= Date.parse(at)

const maintenance = (one: Maintenance, language: LanguageCode, at: string) => ({
  id: one.id,
  title: language === "de" ? one.title : one.title_en,
  title_en: one.title_en,
  title_de: one.title,
  status: isUnderWay(one, at) ? "in_progress" : "scheduled",
  message: language === "de" ? one.message : one.message_en,
  message_en: one.message_en,
  message_de: one.message,
  components: one.components,
  starts_at: one.starts_at,
  ends_at: one.ends_at
})

export const status = (snapshot: Snapshot, language: LanguageCode) => ({
  status: snapshot.status,
  components: snapshot.components.map((one) => component(one, language)),
  incidents: snapshot.incidents
    .filter(
      (one) =>
        one.status !== "resolved" ||
        (one.resolved_at !== null && Date.parse(snapshot.at) - Date.parse(one.resolved_at) < resolvedShownFor)
    )
    .map((one) => incident(one, language)),
  maintenance: snapshot.maintenance.map((one) => maintenance(one, language, snapshot.at)),
  timestamp: snapshot.at
})

export const components = (snapshot: Snapshot, language: LanguageCode) => ({
  components: snapshot.components.map((one) => component(one, language))
})

const uptimeOf = (one: ShownComponent, language: LanguageCode, days: number, at: string) => {
  const { id, name, name_de, name_en } = component(one, language)
  return { id, name, name_en, name_de, status: one.status, ...figures(one.days, days, Date.parse(at)) }
}

export const uptime = (snapshot: Snapshot, language: LanguageCode, days: number = historyDays) => ({
  components: snapshot.components.map((one) => uptimeOf(one, language, days, snapshot.at)),
  days
})

/** Undefined when the component does not exist. */
export const oneUptime = (snapshot: Snapshot, language: LanguageCode, id: string, days: number = historyDays) => {
  const found = snapshot.components.find((one) => one.component.id === id)
  return found && uptimeOf(found, language, days, snapshot.at)
}

const timesOf = (one: ShownComponent, language: LanguageCode) => {
  const { id, name, name_de, name_en } = component(one, language)
  return { id, name, name_en, name_de, ...summary(one.times), times: one.times }
}

export const responseTimes = (snapshot: Snapshot, language: LanguageCode) => ({
  components: snapshot.components.map((one) => timesOf(one, language)),
  hours: responseHours
})

/** Undefined when the component does not exist. */
export const oneResponseTimes = (snapshot: Snapshot, language: LanguageCode, id: string) => {
  const found = snapshot.components.find((one) => one.component.id === id)
  return found && timesOf(found, language)
}

/** `total`: number of incidents with the status, listed or not. */
export const incidents = (
  snapshot: Snapshot,
  language: LanguageCode,
  limit: number,
  wanted: IncidentStatus | undefined
) => {
  const found = wanted === undefined ? snapshot.incidents : snapshot.incidents.filter((one) => one.status === wanted)
  return { incidents: found.slice(0, limit).map((one) => incident(one, language)), total: found.length }
}
