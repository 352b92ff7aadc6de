/**
 * Tells the switch about changed telephony data. The switch caches users for a minute, and gateways and networks until
 * a command reloads them. A phone whose password, owner or name changed, or whose extension was disabled or deleted,
 * loses its registration. The database stores up to which snapshot the switch was told. Changes made during an outage
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
  /** Users whose registrations end, each as `user domain`. */
  readonly ended: ReadonlyArray<string>
  /** True: all users must be flushed, because the cached name of a deleted user is unknown. */
  readonly unnamed: boolean
  /** Changed trunks. */
  readonly trunks: ReadonlyArray<number>
  /** Trunks whose gateway is removed, because the switch never changes an existing one. */
  readonly gateways: ReadonlyArray<number>
}

/** Commands to run at once, and commands to run after the gateways are removed. Pure. */
export const commandsFor = ({
  ended,
  gateways,
  trunks,
  unnamed,
  users
}: Changes): readonly [now: ReadonlyArray<string>, then: ReadonlyArray<string>] => [
  [
    ...(unnamed || users.length > maxNamed ? ["xml_flush_cache"] : users.map((user) => `xml_flush_cache id ${user}`)),
    ...ended.map((user) => `sofia profile internal flush_inbound_reg ${user.replace(" ", "@")}`),
    ...gateways.map((id) => `sofia profile external killgw trunk_${id}`)
  ],
  // A rescan adds missing gateways and keeps the existing ones unchanged.
  trunks.length === 0 ? [] : ["sofia profile external rescan", "reloadacl"]
]

/** What this process knows of an extension. */
export interface Phone {
  /** `user domain`. */
  readonly name: string
  readonly owner: number | null
  readonly enabled: boolean
  /** Hash of the sealed password. A renewed envelope changes it, too, but not `updated`. */
  readonly secret: string
  readonly created: Date
  readonly updated: Date
}

/** What the switch was told last, as far as this process knows. */
export interface Known {
  readonly phones: Map<number, Phone>
  /** Hash of the fields of each trunk that its gateway has. */
  readonly gateways: Map<number, string>
}

export const nothingKnown = (): Known => ({ phones: new Map(), gateways: new Map() })

/**
 * Whether a change of an extension ends its registrations. `before` is undefined for one that this process did not know
 * yet; then the time of the change decides. `toldAt`: when the switch was told last. Pure.
 */
export const endsRegistrations = (before: Phone | undefined, after: Phone, toldAt: Date | null): boolean =>
  before === undefined
    ? toldAt !== null && after.updated > toldAt && after.created.getTime() !== after.updated.getTime()
    : before.name !== after.name ||
      before.owner !== after.owner ||
      (before.enabled && !after.enabled) ||
      (before.secret !== after.secret && before.updated.getTime() !== after.updated.getTime())

/**
 * Changes since the switch was told last, and a function that remembers them once the switch was told. Runs in a
 * transaction of its own.
 */
const changes = Effect.fnUntraced(function* ({ gateways: known, phones }: Known) {
  const sql = yield* SqlClient.SqlClient
  // All queries use one snapshot, so no change is told twice. This must be the first statement of the transaction.
  yield* sql`set transaction isolation level repeatable read`
  const [told] = yield* sql<{
    since: string | null
    at: Date | null
    upto: string
  }>`select t.seen::text as since, t.at, pg_current_snapshot()::text as upto
    from (select 1) one left join sip_config.switch_told t on true`
  const { at: toldAt, since, upto } = told!
  const first = phones.size === 0
  // The comparison with xmin uses the index; the visibility check then decides exactly.
  const unseen = (xid: string) => {
    const seen = since ?? upto
    return sql`(${sql(xid)} >= pg_snapshot_xmin(${seen}::pg_snapshot)
      and not pg_visible_in_snapshot(${sql(xid)}, ${seen}::pg_snapshot))`
  }
  const users = yield* sql<Phone & { id: number; changed: boolean }>`select e.id,
      e.extension || ' ' || d.domain as name, e.user_id as owner, e.enabled, md5(e.password) as secret,
      e.created_at as created, e.updated_at as updated, ${unseen("e.xid")} as changed
    from sip_config.extension e join sip_config.sip_domain d on d.id = e.domain_id and d.proven
    ${first ? sql`` : sql`where ${unseen("e.xid")}`}`
  const changed = users.filter((user) => user.changed)
  const former = changed.flatMap(({ id, name }) => {
    const before = phones.get(id)?.name
    return before === undefined || before === name ? [] : [before]
  })
  const ended = changed.flatMap((user) => {
    const before = phones.get(user.id)
    return endsRegistrations(before, user, toldAt) ? [before?.name ?? user.name] : []
  })
  const gone = yield* sql<{
    kind: string
    row_id: number
  }>`select kind, row_id from sip_config.gone where ${unseen("xid")} and kind in ('extension', 'trunk')`
  const deleted = gone.filter(({ kind }) => kind === "extension").map(({ row_id }) => row_id)
  const gonePhones = deleted.flatMap((id) => phones.get(id)?.name ?? [])
  // The switch caches a user together with the PIN and mail address of the voicemail box of the same number.
  const boxes = yield* sql<{ name: string }>`select b.box || ' ' || d.domain as name from sip_config.voicemail_box b
    join sip_config.sip_domain d on d.id = b.domain_id and d.proven
    where ${unseen("b.xid")}`
  const trunks = yield* sql<{ id: number; mark: string; isNew: boolean; changed: boolean }>`select id,
      md5(row(host, port, transport, username, password, register, realm, enabled)::text) as mark,
      created_at = updated_at as "isNew", ${unseen("xid")} as changed
    from sip_config.trunk ${known.size === 0 ? sql`` : sql`where ${unseen("xid")}`} order by id`
  const changedTrunks = trunks.filter((trunk) => trunk.changed)
  const goneTrunks = gone.filter(({ kind }) => kind === "trunk").map(({ row_id }) => row_id)
  const gateways = changedTrunks.filter(({ id, isNew, mark }) =>
    known.has(id) ? known.get(id) !== mark : !isNew || since === null
  )
  const remember = () => {
    for (const { changed: _, id, ...phone } of users) phones.set(id, phone)
    for (const id of deleted) phones.delete(id)
    for (const { id, mark } of trunks) known.set(id, mark)
    for (const id of goneTrunks) known.delete(id)
  }
  const found: Changes = {
    upto,
    users: [
      ...new Set([...changed.map(({ name }) => name), ...former, ...gonePhones, ...boxes.map(({ name }) => name)])
    ],
    ended: [...new Set([...ended, ...gonePhones])],
    // The names of extensions deleted before this process started are unknown.
    unnamed: since === null || gonePhones.length < deleted.length,
    trunks: [...new Set([...changedTrunks.map(({ id }) => id), ...goneTrunks])],
    gateways: [...gateways.map(({ id }) => id), ...goneTrunks]
  }
  return { found, remember }
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
  known: Known,
  pause: Duration.Duration
) {
  const { found, remember } = yield* transaction(changes(known))
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
  if (found.gateways.length > 0) yield* Effect.sleep(pause)
  yield* tell(then)
  yield* note(found.upto)
  remember()
  return now.length + then.length
})
