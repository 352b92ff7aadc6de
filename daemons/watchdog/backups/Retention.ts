/** How long backups are kept. Source: interface document 3 §2.4: daily 30 days, weekly 12 weeks, monthly 6 months. */
import { Effect } from "effect"
import type { Keep, Restic } from "./engine/Restic.ts"

export const keep: Keep = { daily: "30d", weekly: "84d", monthly: "6m" }

/** Tag of all our snapshots; retention touches no others. */
export const ownTag = "signalbox"

export const typeTag = "type:"
export const scheduleTag = "schedule:"
export const jobTag = "job:"

/** Tags of each type of backup, so that a frequent backup of one type does not replace another type. */
const tagsOf = (type: string) => `${ownTag},${typeTag}${type}`

/** What retention keeps and removes. `dryRun`: removes nothing. Each type is kept by itself. */
export const apply = (restic: Restic, types: ReadonlyArray<string>, dryRun: boolean) =>
  Effect.map(
    Effect.forEach(types, (type) => restic.forget({ tag: tagsOf(type), keep, dryRun })),
    (found) => ({ keep: found.flatMap((one) => one.keep), remove: found.flatMap((one) => one.remove) })
  )
