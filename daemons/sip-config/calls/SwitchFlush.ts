/**
 * Tells the switch of changed telephony data, as it keeps users for a minute, gateways and networks until it is told.
 * Up to where it was told is in the database: what changed while it was away, or while nobody was there to tell it, is
 * told when both are back.
 */
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "#core/sql/Sql.ts"
import type { EventSocket } from "#protocols/event-socket/EventSocket.ts"
import type { EventSocketError } from "#protocols/event-socket/EventSocketError.ts"

/** Users flushed by name; more are flushed all together. Reason: one command each. */
const maxNamed = 200

/**
 * How long a gateway takes to go that was told to. Reason: about a second, as captured (B77); a rescan before that
 * leaves it as it was.
 */
export const gatewayGone = Duration.seconds(2)

export interface Changes {
  /** Snapshot from which to go on the next time. */
  readonly upto: string
  /** `user domain`. */
  readonly users: ReadonlyArray<string>
  /** Users are no more, or are called otherwise: nobody knows by which name the switch keeps them. */
  readonly unnamed: boolean
  readonly trunks: ReadonlyArray<number>
}

/** The commands for these changes, and those for when the gateways are gone. Pure. */
export const commandsFor = ({
  trunks,
  unnamed,
  users
}: Changes): readonly [now: ReadonlyArray<string>, then: ReadonlyArray<string>] => [
  [
    ...(unnamed || users.length > maxNamed ? ["xml_flush_cache"] : users.map((user) => `xml_flush_cache id ${user}`)),
    ...trunks.map((id) => `sofia profile external killgw trunk_${id}`)
  ],
  // A rescan makes gateways that are new, and leaves those alone that it has.
  trunks.length === 0 ? [] : ["sofia profile external rescan", "reloadacl"]
]

/** Names by which the switch may keep users, by the extension's id. */
export type Names = Map<number, string>

/** What changed since the switch was told last. In a transaction of its own. */
const changes = Effect.fnUntraced(function* (names: Names) {
  const sql = yield* SqlClient.SqlClient
  // One snapshot for all, so that nothing is told twice. It has to be the first statement.
  yield* sql`set transaction isolation level repeatable read`
  const [told] = yield* sql<{
    since: string | null
    upto: string
  }>`select (select seen::text from sip_config.switch_told) as since, pg_current_snapshot()::text as upto`
  const { since, upto } = told!
  const first = names.size === 0
  // The index finds what may be new, the snapshot tells what is.
  const unseen = (xid: string) => {
    const seen = since ?? upto
    return sql`(${sql(xid)} >= pg_snapshot_xmin(${seen}::pg_snapshot) and not pg_visible_in_snapshot(${sql(xid)}, ${seen}::pg_snapshot))`
  }
  const users = yield* sql<{
    id: number
    name: string
    changed: boolean
  }>`select e.id, e.extension || ' ' || d.domain as name, ${unseen("e.xid")} as changed
    from sip_config.extension e join sip_config.sip_domain d on d.id = e.domain_id ${first ? sql`` : sql`where ${unseen("e.xid")}`}`
  const changed = users.filter((user) => user.changed)
  const renamed = changed.flatMap(({ id, name }) => (names.has(id) && names.get(id) !== name ? [names.get(id)!] : []))
  for (const { id, name } of users) names.set(id, name)
  const gone = yield* sql<{
    kind: string
    row_id: number
  }>`select kind, row_id from sip_config.gone where ${unseen("xid")} and kind in ('extension', 'trunk')`
  const deleted = gone.filter(({ kind }) => kind === "extension").map(({ row_id }) => row_id)
  const known = deleted.flatMap((id) => (names.has(id) ? [names.get(id)!] : []))
  // A user's entry holds the PIN and mail address of the box of the same number.
  const boxes = yield* sql<{
    name: string
  }>`select b.box || ' ' || d.domain as name from sip_config.voicemail_box b join sip_config.sip_domain d on d.id = b.domain_id
    where ${unseen("b.xid")}`
  const trunks = yield* sql<{ id: number }>`select id from sip_config.trunk where ${unseen("xid")} order by id`
  return {
    upto,
    users: [...new Set([...changed.map(({ name }) => name), ...renamed, ...known, ...boxes.map(({ name }) => name)])],
    // Of those that went before we began to watch nobody knows the name.
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
      sql`insert into sip_config.switch_told (seen) values (${upto}::pg_snapshot) on conflict (one) do update set seen = excluded.seen, at = now()`
  )

/**
 * Tells what there is to tell. What the switch refuses is logged and left; fails when it does not answer, having noted
 * nothing.
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
        (error) => Effect.logWarning(`the switch refuses: ${error.message}`)
      )
    )
  const [now, then] = commandsFor(found)
  yield* tell(now)
  if (then.length > 0) yield* Effect.sleep(pause)
  yield* tell(then)
  yield* note(found.upto)
  return now.length + then.length
})
