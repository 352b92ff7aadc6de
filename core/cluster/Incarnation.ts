/**
 * Detects which processes are alive. Each process has a number and holds a session advisory lock by it on its listening
 * connection. Postgres releases the lock when the connection ends. Claims of a dead incarnation can then be released at
 * once, instead of after a time-out that suits the slowest job.
 *
 * A process that only lost its connection (database restart) takes the same number again; the grace period allows for
 * that. No grace is needed when the process ran on this machine and is gone. So a restarted daemon continues its work
 * at once, even after repeated kills.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { isAlive } from "../supervision/ProcessIdentity.ts"

/** First key of our advisory locks. */
const lockSpace = 7_416_001

/** How long a lock must be free before its holder counts as dead. Reason: a listener reconnects within 1 s. */
export const grace = Duration.seconds(4)

/** How other processes reach the cluster port of a process. */
export interface ClusterDoor {
  /** `host:port`. */
  readonly address: string
  readonly key: Uint8Array
}

export class Incarnation extends Context.Service<
  Incarnation,
  {
    readonly id: number
    /** Takes this process's lock on the listening session. */
    readonly hold: (session: PgConnection.PgConnection) => Effect.Effect<void, SqlError.SqlError>
    /**
     * Numbers of dead incarnations: their lock has been free for longer than the grace period, or their process is
     * gone. The caller deletes their rows.
     */
    readonly dead: Effect.Effect<ReadonlyArray<number>, SqlError.SqlError>
    /** Whether a lock is free but still within the grace period, so that the next check should follow soon. */
    readonly suspected: Effect.Effect<boolean>
    readonly forget: (id: number) => Effect.Effect<void, SqlError.SqlError>
    /** Stores address and key of this process's cluster port, as long as it lives. */
    readonly publish: (door: ClusterDoor) => Effect.Effect<void, SqlError.SqlError>
    /** Key of the process whose cluster port has this address. */
    readonly clusterKey: (address: string) => Effect.Effect<Option.Option<Uint8Array>, SqlError.SqlError>
    /** Names of the daemons that living processes run, according to the database. */
    readonly alive: Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>
    /**
     * Whether this process is the oldest living one that runs `daemon`. Among several processes with the same view,
     * this one reports it.
     */
    readonly isEldest: (daemon: string) => Effect.Effect<boolean, SqlError.SqlError>
  }
>()("signalbox/core/Incarnation") {}

export const layer = (
  daemons: ReadonlyArray<string>
): Layer.Layer<Incarnation, SqlError.SqlError, SqlClient.SqlClient> =>
  Layer.effect(
    Incarnation,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ id: number }>`insert into core.incarnation (daemons, host, pid)
        values (${daemons.join(" ")}, ${here}, ${process.pid}) returning id`
      const id = row!.id
      const seenFree = new Map<number, number>()
      let door: ClusterDoor | undefined
      // Reads the lock table. Trying the lock would make every checking process hold it for a moment.
      const isHeld = sql.literal(`exists (select 1 from pg_locks l
        where l.locktype = 'advisory' and l.classid = ${lockSpace}::int::oid and l.objid = i.id::oid and l.objsubid = 2
          and l.granted and l.database = (select oid from pg_database where datname = current_database()))`)
      return Incarnation.of({
        id,
        hold: Effect.fnUntraced(function* (session) {
          // The lock may still be held by a session that just died; waiting for it must not block the listener.
          yield* session.query("set lock_timeout = '10s'")
          yield* session.query("select pg_advisory_lock($1, $2)", [lockSpace, id])
          yield* session.query(
            `insert into core.incarnation (id, daemons, host, pid, cluster_address, cluster_key) overriding system value
             values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
            [id, daemons.join(" "), here, process.pid, door?.address ?? null, door?.key ?? null]
          )
        }),
        dead: Effect.gen(function* () {
          const free = yield* sql<{ id: number; host: string; pid: number }>`select i.id, i.host, i.pid
            from core.incarnation i where i.id <> ${id} and not ${isHeld}`
          const now = Date.now()
          const ids = new Set(free.map((candidate) => candidate.id))
          for (const known of seenFree.keys()) if (!ids.has(known)) seenFree.delete(known)
          for (const candidate of ids) if (!seenFree.has(candidate)) seenFree.set(candidate, now)
          return free
            .filter((candidate) => isGone(candidate) || now - seenFree.get(candidate.id)! >= Duration.toMillis(grace))
            .map((candidate) => candidate.id)
        }),
        suspected: Effect.sync(() => seenFree.size > 0),
        publish: (published) => {
          door = published
          return Effect.asVoid(sql`update core.incarnation
            set cluster_address = ${published.address}, cluster_key = ${published.key} where id = ${id}`)
        },
        // After a restart on the same port, the row of the earlier process may still exist.
        clusterKey: (address) =>
          Effect.map(
            sql<{ key: Uint8Array }>`select cluster_key as key from core.incarnation
              where cluster_address = ${address} and cluster_key is not null order by id desc limit 1`,
            ([found]) => Option.fromUndefinedOr(found?.key)
          ),
        forget: (dead) => Effect.asVoid(sql`delete from core.incarnation where id = ${dead}`),
        alive: Effect.map(
          sql<{ daemons: string }>`select i.daemons from core.incarnation i where ${isHeld}`,
          (rows) => [...new Set(rows.flatMap((row) => row.daemons.split(" ")))]
        ),
        isEldest: (daemon) =>
          Effect.map(
            sql<{ eldest: number | null }>`select min(i.id) as eldest from core.incarnation i
              where ${daemon} = any (string_to_array(i.daemons, ' ')) and ${isHeld}`,
            ([found]) => (found?.eldest ?? id) === id
          )
      })
    })
  )

/**
 * Identifies the process id space: host, boot and namespace. Processes with the same value can check each other's
 * process ids.
 */
const here = (() => {
  try {
    const bootId = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    return `${hostname()} ${bootId} ${readlinkSync("/proc/self/ns/pid")}`
  } catch {
    // Process ids cannot be checked then, not even of this process's predecessor.
    return `${hostname()} ${crypto.randomUUID()}`
  }
})()

/**
 * Whether the process ran on this machine and is gone. A reused process id counts as alive, and the grace period
 * applies.
 */
const isGone = ({ host, pid }: { readonly host: string; readonly pid: number }): boolean =>
  host === here && !isAlive(pid)
