/** Implementation of `signalbox audit …`. */
import { Console, Duration, Effect, Option } from "effect"
import { exitUsage, fail, runsUntilStopped } from "#core/cli/Ending.ts"
import { moment, second } from "#core/cli/Moment.ts"
import { columns, print } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { type AuditEntry, type AuditFilter, listAudit } from "./Store.ts"
import { identity } from "../Daemon.ts"

/** Runs `use` with the migrated database. */
const withAuditLog = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(Effect.andThen(Migrations.run(identity.migrations), use))

/** Polling interval of `--follow`. Unit: milliseconds. */
const pollInterval = Duration.millis(500)

/**
 * How far below the newest id each poll searches. Unit: entries. Reason: ids are assigned before the commit, so a
 * slower transaction commits an entry with a lower id later.
 */
const overlap = 1_000

/** Maximum number of entries printed per poll. Reason: far more than are written within one interval. */
const maxPerPoll = 10_000

interface Flags {
  readonly action: Option.Option<string>
  readonly actor: Option.Option<string>
  readonly entityType: Option.Option<string>
  readonly entityId: Option.Option<string>
  readonly since: Option.Option<string>
  readonly until: Option.Option<string>
  readonly tenant: Option.Option<number>
  readonly before: Option.Option<number>
  readonly follow: boolean
  readonly limit: number
  readonly json: boolean
}

/** Prints the log; continues with new entries when `--follow` is set. */
export const list = Effect.fnUntraced(function* (flags: Flags) {
  if (flags.follow && (Option.isSome(flags.before) || Option.isSome(flags.until))) {
    return yield* fail("--follow prints new entries and cannot be combined with --before or --until", exitUsage)
  }
  const options = {
    action: flags.action,
    actor: flags.actor,
    entity_type: flags.entityType,
    entity_id: flags.entityId,
    tenant: flags.tenant,
    before: flags.before
  }
  const filter: AuditFilter = {
    ...Object.fromEntries(
      Object.entries(options).flatMap(([key, value]) => (Option.isSome<unknown>(value) ? [[key, value.value]] : []))
    ),
    ...(yield* moment("since", flags.since)),
    ...(yield* moment("until", flags.until))
  }
  if (!flags.follow) {
    const entries = yield* withAuditLog(listAudit(filter, flags.limit))
    return yield* print(flags.json, entries, entryLines)
  }
  yield* runsUntilStopped
  yield* withAuditLog(follow(filter, flags))
})

const follow = Effect.fnUntraced(function* (filter: AuditFilter, flags: Flags) {
  const printEntries = (entries: ReadonlyArray<AuditEntry>) =>
    Effect.forEach(
      flags.json ? entries.map((entry) => JSON.stringify(entry)) : entries.map(line),
      (text) => Console.log(text),
      { discard: true }
    )
  // Read before the list, so that an entry written while the list is read is printed either with the list or
  // afterwards.
  const [newest] = yield* listAudit({}, 1)
  let highest = newest?.id ?? 0
  const recent = yield* listAudit({ after: highest - overlap }, overlap)
  const listed = yield* listAudit(filter, flags.limit)
  yield* printEntries(listed.toReversed())
  let printed = new Set([...recent, ...listed].map(({ id }) => id))
  while (true) {
    yield* Effect.sleep(pollInterval)
    const found = (yield* listAudit({ ...filter, after: highest - overlap }, maxPerPoll))
      .filter(({ id }) => !printed.has(id))
      .toReversed()
    yield* printEntries(found)
    highest = Math.max(highest, ...found.map(({ id }) => id))
    printed = new Set([...printed, ...found.map(({ id }) => id)].filter((id) => id > highest - overlap))
  }
})

/** Formats entries as columns. */
const entryLines = (entries: ReadonlyArray<AuditEntry>): ReadonlyArray<string> =>
  entries.length === 0
    ? ["No matching entries."]
    : columns([["ID", "AT", "TENANT", "ACTOR", "ACTION", "WHAT", "FROM", "DETAIL"], ...entries.map(cells)])

const line = (entry: AuditEntry): string => cells(entry).join("  ")

const cells = ({
  action,
  actor,
  address,
  at,
  detail,
  entity_id,
  entity_type,
  id,
  tenant_id
}: AuditEntry): ReadonlyArray<string> => [
  String(id),
  second(at),
  String(tenant_id),
  actor,
  action,
  `${entity_type}:${entity_id}`,
  address ?? "-",
  Object.keys(detail).length === 0 ? "" : JSON.stringify(detail)
]
