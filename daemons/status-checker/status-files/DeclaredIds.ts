/** What the files say, as far as changes of incidents and maintenance have to know it. */
import type { StatusFiles } from "./StatusFiles.ts"

export interface DeclaredIds {
  /** Ids of SERVICES_FILE. */
  readonly components: ReadonlySet<string>
  /** Ids of INCIDENTS_FILE: a generated one is none of them, since both would be shown as one. */
  readonly incidents: ReadonlySet<string>
}

export const declaredIds = (files: Pick<StatusFiles["Service"], "components" | "incidents">): DeclaredIds => ({
  components: new Set(files.components().map(({ id }) => id)),
  incidents: new Set(files.incidents().map(({ id }) => id))
})
