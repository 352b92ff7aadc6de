/** Requests a decision about a tenant's unmatched transactions, after new statements or invoices. */
import { Effect } from "effect"
import { Jobs } from "#core/jobs/Jobs.ts"
import { holdWaiting } from "#core/jobs/JobTables.ts"
import { asPlatform } from "#core/sql/Sql.ts"
import { ReconcileWanted } from "./BankJobs.ts"

/** Wait before the job starts. Unit: milliseconds. Reason: changes of an import follow each other within this time. */
const settleTime = 1_000

/**
 * Sends `ReconcileWanted` in the surrounding transaction, unless one already waits. The waiting job is locked until the
 * transaction ends, so it starts after the change is visible.
 */
export const requestReconcile = Effect.fnUntraced(function* (tenantId: number) {
  if (yield* asPlatform(holdWaiting(ReconcileWanted.queue, { tenant_id: String(tenantId), batch_id: null }))) return
  const jobs = yield* Jobs
  yield* jobs.send(ReconcileWanted, [
    {
      data: { tenant_id: tenantId, batch_id: null },
      group: String(tenantId),
      startAfter: new Date(Date.now() + settleTime)
    }
  ])
})
