/** The work on zones that must not be lost. */
import { Schema } from "effect"
import * as Jobs from "#core/jobs/Jobs.ts"

/** A plan that is `applying` is to be done, or gone on with. */
export const ApplyWanted = Jobs.define(
  "dns-verifier.apply",
  Schema.Struct({
    tenant_id: Schema.Int,
    plan_id: Schema.String,
    /** How often the zone could not be read since anything was done. */
    tries: Schema.Int
  })
)
