/** The job that applies a plan. */
import { Schema } from "effect"
import * as Jobs from "#core/jobs/Jobs.ts"

/** Continues applying a plan in state `applying`; with `due`, begins a plan that applies itself. */
export const ApplyWanted = Jobs.define(
  "dns-verifier.apply",
  Schema.Struct({
    tenant_id: Schema.Int,
    plan_id: Schema.String,
    /** Number of consecutive failed reads of the zone. */
    tries: Schema.Int,
    /** The plan's `apply_after`; the job is outdated when the plan has another one. Unit: milliseconds since 1970. */
    due: Schema.optionalKey(Schema.Int)
  })
)
