/** Decodes INCIDENTS_FILE, which operators edit by hand. Pure. Source of the fields: interface document 3 §2.1. */
import { Result, Schema } from "effect"
import type { Incident, IncidentUpdate } from "../status/Model.ts"
import { type IncidentStatus, incidentStatuses, severities } from "../status/Vocabulary.ts"
import { Id, line, maxMessage, maxName, Moment, optional, paragraphs, utcOf } from "../status/Fields.ts"
import { listIn } from "./ListInFile.ts"
import { decoder, type Decoded, quoted } from "./FileDecoder.ts"
import { mended } from "./IncidentMending.ts"

/** Largest file. Unit: bytes. Reason: years of incidents. */
export const maxIncidentsFile = 4 * 1024 * 1024

/** Maximum number of incidents. Unit: incidents. */
export const maxIncidents = 2_000

/** Maximum number of updates of one incident. Unit: updates. */
export const maxUpdates = 500

/** Maximum number of components of one incident. Unit: ids. */
const maxNamed = 500

/** Longest id of an incident. Unit: characters. Reason: ids are part of addresses. */
export const maxIncidentId = 200

const oneOf = <const L extends ReadonlyArray<string>>(words: L) =>
  Schema.Literals(words).annotate({ message: `must be one of ${words.join(", ")}` })

const update = Schema.Struct({
  status: oneOf(incidentStatuses),
  message: paragraphs(maxMessage),
  message_en: optional(paragraphs(maxMessage)),
  timestamp: Moment
})

const entry = decoder(
  Schema.Struct({
    id: line(maxIncidentId).check(
      Schema.makeFilter((id: string) =>
        /^\.{1,2}$|[/\\]|^\s|\s$/.test(id) ? "must not contain a slash, or spaces at its ends" : undefined
      )
    ),
    title: line(maxName),
    title_en: optional(line(maxName)),
    status: oneOf(incidentStatuses),
    severity: oneOf(severities),
    components: optional(Schema.Array(Id).check(Schema.isMaxLength(maxNamed))),
    created_at: Moment,
    resolved_at: optional(Moment),
    updates: optional(Schema.Array(update).check(Schema.isMaxLength(maxUpdates)))
  })
)

/** Incidents of the file. `written` holds the timestamps of updates as the file writes them, by `writtenKey`. */
export interface IncidentsRead {
  readonly incidents: ReadonlyArray<Incident>
  readonly written: ReadonlyMap<string, string>
}

export const writtenKey = (incidentId: string, timestamp: string): string => `${timestamp} ${incidentId}`

/** Incidents in the order of the file, with updates sorted from oldest to newest and times in UTC. */
export const decodeIncidents = (json: unknown): Result.Result<Decoded<IncidentsRead>, string> =>
  Result.gen(function* () {
    const { list, root } = yield* listIn(json, ["incidents"])
    if (list.length > maxIncidents)
      return yield* Result.fail(`has ${list.length} incidents: at most ${maxIncidents} are allowed; remove old ones`)
    const places = new Map<string, string>()
    const written = new Map<string, string>()
    const warnings: Array<string> = []
    const incidents: Array<Incident> = []
    for (const [index, item] of list.entries()) {
      const at = `${root}[${index}]`
      const usable = mended(item, at)
      warnings.push(...usable.warnings)
      const { components, created_at, id, resolved_at, severity, status, title, title_en, updates } = yield* entry(
        usable.item,
        at
      )
      const other = places.get(id)
      if (other !== undefined)
        return yield* Result.fail(`${at}.id is ${quoted(id)}, as ${other}.id is: give each incident a unique id`)
      places.set(id, at)
      if (title_en === undefined || title_en === null)
        warnings.push(`${at}.title_en is missing: its German title is shown in English too`)
      const read = new Map<string, IncidentUpdate>()
      for (const [number, { message, message_en, status, timestamp }] of (updates ?? []).entries()) {
        const there = `${at}.updates[${number}]`
        const moment = utcOf(timestamp)
        if (read.has(moment))
          return yield* Result.fail(
            `${there}.timestamp equals that of another update of ${quoted(id)}: ` +
              "it identifies the update, so give each a unique one"
          )
        if (message_en === undefined || message_en === null)
          warnings.push(`${there}.message_en is missing: its German text is shown in English too`)
        read.set(moment, { status, message, message_en: message_en ?? message, timestamp: moment })
        written.set(writtenKey(id, moment), timestamp)
      }
      const sorted = [...read.values()].sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1))
      const resolved = resolution({
        at,
        status,
        sorted,
        created: utcOf(created_at),
        resolved: resolved_at ? utcOf(resolved_at) : null
      })
      if (resolved.warning !== undefined) warnings.push(resolved.warning)
      incidents.push({
        id,
        title,
        title_en: title_en ?? title,
        status,
        severity,
        components: [...new Set(components ?? [])],
        created_at: utcOf(created_at),
        resolved_at: resolved.at,
        updates: sorted
      })
    }
    return { value: { incidents, written }, warnings }
  })

/**
 * End of an incident and a warning if it does not match the status. A resolved incident without `resolved_at` ends with
 * its last update.
 */
const resolution = ({
  at,
  created,
  resolved,
  sorted,
  status
}: {
  readonly at: string
  readonly status: IncidentStatus
  readonly sorted: ReadonlyArray<IncidentUpdate>
  readonly created: string
  readonly resolved: string | null
}): { readonly at: string | null; readonly warning?: string } => {
  if (status === "resolved" && resolved === null) {
    const end = (sorted.findLast((update) => update.status === "resolved") ?? sorted.at(-1))?.timestamp ?? created
    return { at: end, warning: `${at}.resolved_at is missing though its status is resolved: ${end} is taken` }
  }
  return status !== "resolved" && resolved !== null
    ? {
        at: resolved,
        warning: `${at}.resolved_at is given though its status is ${status}: write status resolved, or null`
      }
    : { at: resolved }
}

/** Warnings for components that incidents name but SERVICES_FILE does not declare; they are not shown. */
export const unknownComponents = (
  incidents: ReadonlyArray<Incident>,
  known: ReadonlySet<string>
): ReadonlyArray<string> =>
  incidents.flatMap(({ components, id }) =>
    components
      .filter((component) => !known.has(component))
      .map(
        (component) =>
          `incident ${quoted(id)} names the component ${quoted(component)}, which SERVICES_FILE does not declare`
      )
  )
