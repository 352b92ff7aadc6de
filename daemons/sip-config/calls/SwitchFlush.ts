/**
 * Tells the switch about changed telephony data. The switch caches users for a minute, and gateways and networks until
 * a command reloads them. The database stores up to which snapshot the switch was told. Changes made during an outage
 * of the switch or of this daemon are therefore told when both are back.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "#core/sql/Sql.ts"
import type { EventSocket } from "#protocols/event-socket/EventSocket.ts"
import type { EventSocketError } from "#protocols/event-socket/EventSocketError.ts"

/**
 * Maximum number of users flushed by name. Beyond that, one command flushes all users, because each name costs a
 * command.
 */
const maxNamed = 200

/**
 * Wait after `killgw`. Reason: the switch needs about a second to remove a gateway (capture B77); an earlier rescan
 * keeps the old one.
 */
export const gatewayGone = Duration.seconds(2)

export interface Changes {
  /** Snapshot up to which these changes reach. */
  readonly upto: string
  /** Changed users, each as `user domain`. */
  readonly users: ReadonlyArray<string>
  /** True: all users must be flushed, because the cached name of a deleted user is unknown. */
  readonly unnamed: boolean
  readonly trunks: ReadonlyArray<number>
}

/** Commands to run at once, and commands to run after the gateways are removed. Pure. */
export const commandsFor = ({
  trunks,
  unnamed,
  users
}: Changes): readonly [now: ReadonlyArray<string>, then: ReadonlyArray<string>] => [
  [
    ...(unnamed || users.length > maxNamed ? ["xml_flush_cache"] : users.map((user) => `xml_flush_cache id ${user}`)),
    ...trunks.map((id) => `sofia profile external killgw trunk_${id}`)
  ],
  // A rescan adds missing gateways and keeps the existing ones unchanged.
  trunks.length === 0 ? [] : ["sofia profile external rescan", "reloadacl"]
]

/** Last known name (`user domain`) of each extension, by its ID. */
export type Names = Map<number, string>

/** Changes since the switch was told last. Runs in a transaction of its own. */
const changes = Effect.fnUntraced(function* (names: Names) {
  const sql = yield* SqlClient.SqlClient
  // All queries use one snapshot, so no change is told twice. This must be the first statement of the transaction.
  yield* sql`set transaction isolation level repeatable read`
  const [told] = yield* sql<{
    since: string | null
    upto: string
  }>`select (select seen::text from sip_config.switch_told) as since, pg_current_snapshot()::text as upto`
  const { since, upto } = told!
  const first = names.size === 0
  // The comparison with xmin uses the index; the visibility check then decides exactly.
  const unseen = (xid: string) => {
    const seen = since ?? upto
    return sql`(${sql(xid)} >= pg_snapshot_xmin(${seen}::pg_snapshot)
      and not pg_visible_in_snapshot(${sql(xid)}, ${seen}::pg_snapshot))`
  }
  const users = yield* sql<{
    id: number
    name: string
    changed: boolean
  }>`select e.id, e.extension || ' ' || d.domain as name, ${unseen("e.xid")} as changed
    from sip_config.extension e join sip_config.sip_domain d on d.id = e.domain_id
    ${first ? sql`` : sql`where ${unseen("e.xid")}`}`
  const changed = users.filter((user) => user.changed)
  const renamed = changed.flatMap(({ id, name }) => (names.has(id) && names.get(id) !== name ? [names.get(id)!] : []))
  for (const { id, name } of users) names.set(id, name)
  const gone = yield* sql<{
    kind: string
    row_id: number
  }>`select kind, row_id from sip_config.gone where ${unseen("xid")} and kind in ('extension', 'trunk')`
  const deleted = gone.filter(({ kind }) => kind === "extension").map(({ row_id }) => row_id)
  const known = deleted.flatMap((id) => (names.has(id) ? [names.get(id)!] : []))
  // The switch caches a user together with the PIN and mail address of the voicemail box of the same number.
  const boxes = yield* sql<{ name: string }>`select b.box || ' ' || d.domain as name from sip_config.voicemail_box b
    join sip_config.sip_domain d on d.id = b.domain_id
    where ${unseen("b.xid")}`
  const trunks = yield* sql<{ id: number }>`select id from sip_config.trunk where ${unseen("xid")} order by id`
  return {
    upto,
    users: [...new Set([...changed.map(({ name }) => name), ...renamed, ...known, ...boxes.map(({ name }) => name)])],
    // The names of extensions deleted before this process started are unknown.
    unnamed: since === null || known.length < deleted.length,
    trunks: [
      ...new Set([
        ...trunks.map(({ id }) => id),
        ...gone.filter(({ kind }) => kind === "trunk").map(({ row_id }) => row_id)
      ])
    ]
  } satisfies Changes
})

const note = (upto: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`insert into sip_config.switch_told (seen) values (${upto}::pg_snapshot)
        on conflict (one) do update set seen = excluded.seen, at = now()`
  )

/**
 * Tells the switch about all new changes. Logs commands that the switch rejects and continues. Fails when the switch
 * does not answer; the stored snapshot then stays, so the changes are told again.
 */
export const flush = Effect.fnUntraced(function* (
  socket: EventSocket["Service"],
  names: Names,
  pause: Duration.Duration
) {
  const found = yield* transaction(changes(names))
  const tell = (commands: ReadonlyArray<string>) =>
    Effect.forEach(commands, (command) =>
      Effect.catchIf(
        socket.api(command),
        (error: EventSocketError) => error.reason._tag === "Rejected",
        (error) => Effect.logWarning(`the switch refused a command: ${error.message}`)
      )
    )
  const [now, then] = commandsFor(found)
  yield* tell(now)
  if (then.length > 0) yield* Effect.sleep(pause)
  yield* tell(then)
  yield* note(found.upto)
  return now.length + then.length
})
