/** Hosts that proxies asked about, for the coverage report. Collected in memory and written periodically. */
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"

/** Maximum number of hosts collected between two writes. Reason: clients can send any host name. */
const mostHosts = 1_000

/** Maximum number of hosts kept in the table. */
const mostKept = 10_000

/** Interval between two writes. */
const every = Duration.seconds(10)

export class SeenHosts extends Context.Service<
  SeenHosts,
  {
    /** Collects a host; only adds to a set in memory. */
    readonly note: (host: string) => void
    readonly actor: ActorSpec<SqlClient.SqlClient>
  }
>()("signalbox/edge-auth/SeenHosts") {}

const make = (): SeenHosts["Service"] => {
  let fresh = new Set<string>()
  return {
    note: (host) => {
      if (fresh.size < mostHosts) fresh.add(host)
    },
    actor: {
      name: "seen hosts",
      run: Effect.gen(function* () {
        const actor = yield* Actor
        const sql = yield* SqlClient.SqlClient
        while (true) {
          yield* actor.progress
          if (fresh.size > 0) {
            const hosts = [...fresh]
            yield* sql`insert into edge_auth.seen_hosts (host) select * from unnest(${hosts}::text[])
              on conflict (host) do update set last_seen = now()`
            yield* sql`delete from edge_auth.seen_hosts
              where host in (select host from edge_auth.seen_hosts order by last_seen desc offset ${mostKept})`
            fresh = new Set([...fresh].filter((host) => !hosts.includes(host)))
          }
          yield* Effect.sleep(every)
        }
      })
    }
  }
}

export const layer: Layer.Layer<SeenHosts> = Layer.sync(SeenHosts, () => SeenHosts.of(make()))
