/** The backups that are in the repository, with what our own records know of them. */
import { Effect } from "effect"
import { transaction } from "#core/sql/Sql.ts"
import type { BackupList, BackupView, RetentionView } from "./Api.ts"
import { type BackupType, backupTypes } from "./BackupWords.ts"
import type { Restic, Snapshot } from "./engine/Restic.ts"
import * as JobStore from "./jobs/JobStore.ts"
import * as Retention from "./Retention.ts"

type View = typeof BackupView.Type

/** Value of the tag that begins so. */
const tagged = ({ tags }: Snapshot, prefix: string): string | null =>
  tags?.find((tag) => tag.startsWith(prefix))?.slice(prefix.length) ?? null

const typeOf = (snapshot: Snapshot): BackupType | null => {
  const type = tagged(snapshot, Retention.typeTag)
  return backupTypes.find((known) => known === type) ?? null
}

/** Converts a snapshot. Pure. */
export const view = (snapshot: Snapshot, job: JobStore.JobRow | undefined): View => ({
  id: snapshot.id,
  short_id: snapshot.short_id,
  time: new Date(snapshot.time).toISOString(),
  host: snapshot.hostname,
  paths: snapshot.paths,
  type: typeOf(snapshot),
  schedule_id: job?.schedule_id ?? null,
  schedule: job?.schedule ?? tagged(snapshot, Retention.scheduleTag),
  job_id: tagged(snapshot, Retention.jobTag),
  size: job?.size ?? null,
  added: job?.added ?? null,
  files: job?.files ?? null,
  duration_ms: job === undefined ? null : JobStore.durationOf(job),
  left_out: job?.left_out ?? []
})

const withJobs = Effect.fnUntraced(function* (snapshots: ReadonlyArray<Snapshot>) {
  const jobs = yield* transaction(JobStore.bySnapshot(snapshots.map(({ id }) => id)))
  const jobOf = new Map(jobs.map((job) => [job.snapshot, job]))
  return (snapshot: Snapshot) => view(snapshot, jobOf.get(snapshot.id))
})

export interface Query {
  readonly before?: number | undefined
  readonly limit: number
  readonly type?: BackupType | undefined
  readonly schedule_id?: number | undefined
}

/** One page, newest first. */
export const page = Effect.fnUntraced(function* (restic: Restic, { before, limit, schedule_id, type }: Query) {
  const found = (yield* restic.snapshots).toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time))
  const shown = yield* withJobs(found)
  const items = found
    .filter((snapshot) => type === undefined || typeOf(snapshot) === type)
    .filter((snapshot) => before === undefined || Date.parse(snapshot.time) < before)
    .map(shown)
    .filter((item) => schedule_id === undefined || item.schedule_id === schedule_id)
  const some = items.slice(0, limit)
  return {
    items: some,
    next_before: items.length > limit ? Date.parse(some.at(-1)!.time) : null
  } satisfies typeof BackupList.Type
})

/** What retention would delete. */
export const retention = Effect.fnUntraced(function* (restic: Restic) {
  const { keep, remove } = yield* Retention.apply(restic, backupTypes, true)
  const shown = yield* withJobs([...keep.map(({ snapshot }) => snapshot), ...remove])
  return {
    keep: Retention.keep,
    kept: keep.map(({ reasons, snapshot }) => ({ ...shown(snapshot), reasons })),
    removed: remove.map(shown)
  } satisfies typeof RetentionView.Type
})
