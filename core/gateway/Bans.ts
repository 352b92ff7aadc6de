/**
 * Maintains the bans of a process. Ban events are written to a table, which is authoritative and survives restarts. The
 * process keeps the table in memory and reloads it after an announcement and at an interval. BanList.ts does the
 * matching. With a directory, the process also writes the bans as files for the proxies and the firewall of its host.
 */
import { Duration, Effect, Result, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { banFiles, type BannedRange } from "../bans/BanFiles.ts"
import * as NetworkFiles from "../bans/NetworkFiles.ts"
import { BanAdded, BanLifted } from "../contracts/Security.ts"
import { type Event, Events } from "../events/Events.ts"
import { loopback } from "../http/ClientAddress.ts"
import { Actor, type ActorSpec } from "../supervision/Supervisor.ts"
import { Wake } from "../events/Wake.ts"
import * as BanList from "./BanList.ts"
import * as Exemptions from "./Exemptions.ts"
import { bansTopic as topic, pruning } from "./GatewayTables.ts"

export { gatewayMigrations } from "./GatewayTables.ts"

/** Interval at which the table is reloaded without announcement. Unit: seconds. */
const lookInterval = 30

/** Maximum number of bans in memory, the longest-lasting first (about 100 bytes each). */
const maxBans = 200_000

export interface BansOptions {
  /** Ranges of trusted proxies. */
  readonly trusted: ReadonlyArray<string>
  /** Directory for the files; undefined: no files. */
  readonly directory: string | undefined
}

/** A list that follows the table, and its actors. */
export const make = Effect.fnUntraced(function* ({ directory, trusted }: BansOptions) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const wake = yield* Wake
  // Banning these would lock out the operator or everybody.
  const never = [...loopback, ...trusted]
  let current: BanList.BanList = () => false

  // Without those that overlap an exemption.
  const standing = sql<BannedRange>`select address::text, extract(epoch from until)::float8 * 1000 as until
    from gateway.ban where until > now() and address not in (
      select b.address from gateway.exemption e join gateway.ban b on b.address && e.address where e.until > now())
    order by until desc limit ${maxBans}`

  const load = Effect.map(standing, (bans) => {
    current = BanList.make(bans, never)
    return bans.length
  })

  /** Separate from the list, so that a directory that cannot be written does not stop the list. */
  const filing = (path: string): ActorSpec => ({
    name: "ban files",
    run: Effect.gen(function* () {
      const actor = yield* Actor
      const told = yield* wake.subscribe(topic)
      while (true) {
        yield* actor.progress
        const bans = (yield* standing).filter(({ address }) => !never.some((kept) => BanList.overlap(kept, address)))
        yield* NetworkFiles.write(path, banFiles(bans, Date.now()))
        yield* actor.note(`${bans.length} addresses and ranges in ${path}`)
        yield* told.wait(Duration.seconds(lookInterval))
      }
    })
  })

  const write = (event: Event, ban: { address: string; rule: string; reason: string | null; until: Date }) =>
    sql.withTransaction(
      Effect.andThen(
        sql`insert into gateway.ban (address, rule, reason, until, event_id)
        values (${ban.address}::cidr, ${ban.rule}, ${ban.reason}, ${ban.until}, ${event.id})
        on conflict (address) do update set rule = excluded.rule, reason = excluded.reason, until = excluded.until,
          event_id = excluded.event_id where ban.event_id < excluded.event_id`,
        wake.announce(topic)
      )
    )

  const handle = (event: Event): Effect.Effect<unknown, SqlError.SqlError> => {
    if (event.type === BanAdded.type) {
      const data = decodeAdded(event.data)
      if (Result.isFailure(data)) return unreadable(event)
      const address = BanList.normalised(data.success.address)!
      if (never.some((kept) => BanList.overlap(kept, address))) {
        return Effect.logWarning(
          `${address} is not banned (${data.success.rule}): the range covers loopback or a trusted proxy`
        )
      }
      return write(event, { ...data.success, address, reason: data.success.reason ?? null })
    }
    if (event.type === BanLifted.type) {
      const data = decodeLifted(event.data)
      if (Result.isFailure(data)) return unreadable(event)
      return write(event, {
        address: BanList.normalised(data.success.address)!,
        rule: "lifted",
        reason: null,
        until: event.at
      })
    }
    return Effect.void
  }

  const actors: ReadonlyArray<ActorSpec> = [
    // Not placed, because the cluster could choose a process without a gateway. Several consumers do no harm, because
    // writes are ordered by event id.
    {
      ...events.consumer({ name: "gateway.bans", pattern: "security.ban.*", from: "beginning", handle }),
      placed: false
    },
    yield* Exemptions.following,
    {
      name: "ban list",
      run: Effect.gen(function* () {
        const actor = yield* Actor
        const told = yield* wake.subscribe(topic)
        const prune = pruning(sql, ["ban", "exemption"])
        while (true) {
          yield* actor.progress
          yield* actor.note(`${yield* load} addresses and ranges banned`)
          yield* prune
          yield* told.wait(Duration.seconds(lookInterval))
        }
      })
    },
    ...(directory === undefined ? [] : [filing(directory)])
  ]
  yield* load
  return { banned: ((address, now) => current(address, now)) as BanList.BanList, actors }
})

const decodeAdded = Schema.decodeUnknownResult(BanAdded.data)
const decodeLifted = Schema.decodeUnknownResult(BanLifted.data)

/** Logs and skips a malformed event, which would otherwise stop the consumer forever. */
const unreadable = (event: Event) =>
  Effect.logError(`event ${event.id} (${event.type}) cannot be decoded and is skipped`)
