/**
 * Addresses that are exempt from bans for a time. Events are written to a table, which is authoritative; the process
 * keeps its active rows in memory and reloads them after an announcement and at an interval. Daemons that count
 * offences ask before they count. Bans.ts leaves out bans that overlap an exemption.
 */
import { Context, Duration, Effect, Layer, Result, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { ExemptionAdded, ExemptionEnded } from "../contracts/Security.ts"
import { type Event, Events } from "../events/Events.ts"
import { Wake } from "../events/Wake.ts"
import * as Migrations from "../sql/Migrations.ts"
import { Actor, type ActorSpec, Supervisor } from "../supervision/Supervisor.ts"
import * as BanList from "./BanList.ts"
import { bansTopic, gatewayMigrations, pruning } from "./GatewayTables.ts"

/** Interval at which the table is reloaded without announcement. Unit: seconds. */
const lookInterval = 30

/**
 * Maximum number of exemptions in memory, the longest-lasting first. Reason: each offence is compared with each range.
 */
export const maxExemptions = 1_000

export class Exemptions extends Context.Service<
  Exemptions,
  {
    /** Whether an address is exempt now. False for text that is no address. */
    readonly covers: (address: string | undefined) => boolean
  }
>()("signalbox/core/Exemptions") {}

/** The actor that writes the events to the table. */
export const following = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const wake = yield* Wake

  const write = (event: Event, address: string, until: Date) =>
    sql.withTransaction(
      Effect.andThen(
        sql`insert into gateway.exemption (address, until, event_id)
          values (${BanList.normalised(address)!}::cidr, ${until}, ${event.id})
          on conflict (address) do update set until = excluded.until, event_id = excluded.event_id
            where exemption.event_id < excluded.event_id`,
        wake.announce(bansTopic)
      )
    )

  const handle = (event: Event): Effect.Effect<unknown, SqlError.SqlError> => {
    if (event.type === ExemptionAdded.type) {
      const data = decodeAdded(event.data)
      return Result.isFailure(data) ? unreadable(event) : write(event, data.success.address, data.success.until)
    }
    if (event.type === ExemptionEnded.type) {
      const data = decodeEnded(event.data)
      // The row stays as an ended one, so that an earlier event cannot restore it when it is read again.
      return Result.isFailure(data) ? unreadable(event) : write(event, data.success.address, event.at)
    }
    return Effect.void
  }

  // Not placed, as in Bans.ts.
  return {
    ...events.consumer({ name: "gateway.exemptions", pattern: "security.exemption.*", from: "beginning", handle }),
    placed: false
  } satisfies ActorSpec as ActorSpec
})

const decodeAdded = Schema.decodeUnknownResult(ExemptionAdded.data)
const decodeEnded = Schema.decodeUnknownResult(ExemptionEnded.data)

/** Logs and skips a malformed event, which would otherwise stop the consumer forever. */
const unreadable = (event: Event) =>
  Effect.logError(`event ${event.id} (${event.type}) cannot be decoded and is skipped`)

/** The exemptions as a service of a daemon that counts offences. */
export const layer = Layer.effect(
  Exemptions,
  Effect.gen(function* () {
    yield* Migrations.run(gatewayMigrations)
    const sql = yield* SqlClient.SqlClient
    const wake = yield* Wake
    let active: BanList.BanList = () => false

    const load = Effect.map(
      sql<BanList.Ban>`select address::text, extract(epoch from until)::float8 * 1000 as until
        from gateway.exemption where until > now() order by until desc limit ${maxExemptions}`,
      (rows) => {
        active = BanList.make(rows, [])
        return rows.length
      }
    )

    yield* Supervisor.actors([
      // A daemon with BanKeeper also has the actor of Bans.ts.
      { ...(yield* following), name: "ban exemption events" },
      {
        name: "ban exemptions",
        run: Effect.gen(function* () {
          const actor = yield* Actor
          const told = yield* wake.subscribe(bansTopic)
          const prune = pruning(sql, ["exemption"])
          while (true) {
            yield* actor.progress
            yield* actor.note(`${yield* load} addresses and ranges exempt`)
            yield* prune
            yield* told.wait(Duration.seconds(lookInterval))
          }
        })
      }
    ])
    yield* load
    return Exemptions.of({ covers: (address) => address !== undefined && active(address, Date.now()) })
  })
)
