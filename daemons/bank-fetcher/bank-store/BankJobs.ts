/** Jobs between the features of the daemon. Each is enqueued in the transaction that makes it necessary. */
import { Schema } from "effect"
import * as Jobs from "#core/jobs/Jobs.ts"

const tenant = { tenant_id: Schema.Int }

/** Fetch statements: a row of `fetch`. */
export const FetchWanted = Jobs.define("bank.fetch", Schema.Struct({ ...tenant, fetch_id: Schema.String }))

/** Read a raw file into statements and transactions. */
export const ParseWanted = Jobs.define("bank.parse", Schema.Struct({ ...tenant, file_id: Schema.String }))

/**
 * Decide about the tenant's unmatched transactions. `batch_id`: the batch that a person asked for; null after new
 * statements or invoices.
 */
export const ReconcileWanted = Jobs.define(
  "bank.reconcile",
  Schema.Struct({ ...tenant, batch_id: Schema.NullOr(Schema.String) })
)
