/** Ids that the files declare, for changes of incidents and maintenance. */
import type { StatusFiles } from "./StatusFiles.ts"

export interface DeclaredIds {
  /** Component ids of SERVICES_FILE. */
  readonly components: ReadonlySet<string>
  /**
   * Incident ids of INCIDENTS_FILE. A generated id must differ from these, because equal ids are shown as one incident.
   */
  readonly incidents: ReadonlySet<string>
}

export const declaredIds = (files: Pick<StatusFiles["Service"], "components" | "incidents">): DeclaredIds => ({
  components: new Set(files.components().map(({ id }) => id)),
  incidents: new Set(files.incidents().map(({ id }) => id))
})
