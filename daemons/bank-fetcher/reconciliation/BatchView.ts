/** A batch as the API answers it. */
import { Schema } from "effect"

export const BatchView = Schema.Struct({
  id: Schema.String,
  tenant_id: Schema.Int,
  state: Schema.Literals(["waiting", "running", "finished", "failed"]),
  transactions: Schema.Struct({
    /** Null until the batch starts. */
    total: Schema.NullOr(Schema.Int),
    done: Schema.Int,
    auto_matched: Schema.Int,
    suggested: Schema.Int,
    ignored: Schema.Int,
    unmatched: Schema.Int
  }),
  problem: Schema.NullOr(Schema.String),
  requested_by: Schema.String,
  created_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "BankBatch" })
