/**
 * Job worker of matching. A job without batch follows new statements or invoices; a job with a batch was asked for by a
 * person. Jobs of a tenant run one after the other. Each chunk is written in one transaction with the batch's progress,
 * so another process resumes a batch after a crash, and decides about no transaction twice.
 */
import { Effect } from "effect"
import { type ClaimedJob, Jobs } from "#core/jobs/Jobs.ts"
import { isAway, tenantTransaction } from "#core/sql/Sql.ts"
import { ReconcileWanted } from "../bank-store/BankJobs.ts"
import { requestReconcile } from "../invoices/Exports.ts"
import * as Batches from "./Batches.ts"
import { run } from "./MatchRun.ts"

/** Jobs at once in one process. Reason: a large tenant must not delay the others. */
const concurrency = 3

/** Attempts of a batch that fails although the database answers. After the last one it counts as failed. */
const maxAttempts = 5

export const matchWorker = Jobs.worker({
  type: ReconcileWanted,
  concurrency,
  perGroup: 1,
  handle: (job) => (job.data.batch_id === null ? afterChange(job.data.tenant_id) : ofBatch(job, job.data.batch_id))
})

/** Decides again later when invoices changed during the run. */
const again = (tenantId: number, conflicts: number) =>
  conflicts === 0 ? Effect.void : tenantTransaction(tenantId, requestReconcile(tenantId))

const afterChange = (tenantId: number) =>
  Effect.flatMap(
    run(
      tenantId,
      0,
      () => Effect.succeed(true),
      () => Effect.void
    ),
    (conflicts) => again(tenantId, conflicts)
  )

const ofBatch = Effect.fnUntraced(function* (
  { data, retries }: ClaimedJob<typeof ReconcileWanted.data.Type>,
  id: string
) {
  const { tenant_id: tenantId } = data
  const batch = yield* tenantTransaction(tenantId, Batches.begin(tenantId, id))
  if (batch === undefined) return
  const work = run(
    tenantId,
    batch.position,
    (chunk) => Batches.claim(id, chunk),
    (counts) => Batches.record(id, counts)
  )
  const conflicts = yield* Effect.tapCause(work, (cause) =>
    retries + 1 < maxAttempts || cause.reasons.every((reason) => reason._tag === "Fail" && isAway(reason.error))
      ? Effect.void
      : tenantTransaction(tenantId, Batches.finish(id, "The matching failed; the log has the reason."))
  )
  yield* tenantTransaction(tenantId, Batches.finish(id, null))
  yield* again(tenantId, conflicts)
})
