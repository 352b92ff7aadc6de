/** The job that applies a plan. */
import { Schema } from "effect"
import * as Jobs from "#core/jobs/Jobs.ts"

/** Starts or continues applying a plan in state `applying`. */
export const ApplyWanted = Jobs.define(
  "dns-verifier.apply",
  Schema.Struct({
    tenant_id: Schema.Int,
    plan_id: Schema.String,
    /** Number of consecutive failed reads of the zone. */
    tries: Schema.Int
  })
)
