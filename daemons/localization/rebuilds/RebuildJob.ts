/** The job of a rebuild. */
import { Schema } from "effect"
import * as Jobs from "#core/jobs/Jobs.ts"

export const RebuildWanted = Jobs.define("localization.rebuild", Schema.Struct({ rebuild_id: Schema.String }))
