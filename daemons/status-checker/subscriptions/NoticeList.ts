/** Lists the notices that the current content calls for. Pure. */
import type { Component, Incident, Maintenance } from "../status/Model.ts"
import type { NoticeContent } from "./Content.ts"
import { maintenanceHash, noticeHash } from "./NoticeHash.ts"

/** Notice of one update or of one maintenance window. */
export interface Notice {
  readonly hash: string
  /** Id of the incident or the maintenance. */
  readonly id: string
  readonly at: string
  /** Ids of the affected components; an empty list means all. */
  readonly components: ReadonlyArray<string>
  readonly content: NoticeContent
}

/** Notices of all incident updates and announced maintenance, oldest first. */
export const noticesOf = ({
  components,
  incidents,
  maintenance
}: {
  readonly components: ReadonlyArray<Pick<Component, "id" | "name" | "name_en">>
  readonly incidents: ReadonlyArray<Incident>
  readonly maintenance: ReadonlyArray<Maintenance>
}): ReadonlyArray<Notice> => {
  const names = new Map(components.map(({ id, name, name_en }) => [id, { name, name_en }]))
  const named = (ids: ReadonlyArray<string>) => ids.map((id) => names.get(id) ?? { name: id, name_en: id })
  return [
    ...incidents.flatMap(({ components, id, severity, title, title_en, updates }) =>
      updates.map(({ message, message_en, status, timestamp }): Notice => ({
        hash: noticeHash(id, timestamp),
        id,
        at: timestamp,
        components,
        content: {
          kind: "incident",
          id,
          title,
          title_en,
          severity,
          status,
          message,
          message_en,
          timestamp,
          components: named(components)
        }
      }))
    ),
    ...maintenance.map(({ components, ends_at, id, message, message_en, starts_at, title, title_en }): Notice => ({
      hash: maintenanceHash(id, starts_at),
      id,
      at: starts_at,
      components,
      content: {
        kind: "maintenance",
        id,
        title,
        title_en,
        message,
        message_en,
        starts_at,
        ends_at,
        components: named(components)
      }
    }))
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}
