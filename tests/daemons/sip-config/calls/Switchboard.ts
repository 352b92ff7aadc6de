/** The watch over a switch in a separate frame, and the events of incoming calls. */
import { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { run as runMigrations } from "#core/sql/Migrations.ts"
import * as BanWatch from "#daemons/sip-config/calls/BanWatch.ts"
import * as SwitchWatch from "#daemons/sip-config/calls/SwitchWatch.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import { frame, until } from "#support/Frame.ts"
import { freshDatabase, type FreshDatabase } from "#support/Postgres.ts"
import { SwitchDouble, type SwitchDoubleShape } from "#support/switch/SwitchDouble.ts"

/** One life of a process that watches `double`. A second life continues with the same `database`. */
export const watching = Effect.fnUntraced(function* (
  double: SwitchDoubleShape,
  database: FreshDatabase,
  options: Partial<SwitchWatch.SwitchWatchOptions> = {}
) {
  const context = yield* frame({ target: database.target })
  yield* Effect.provideContext(runMigrations(sipConfig.migrations), context)
  const built = yield* Effect.provideContext(
    Layer.build(
      SwitchWatch.layer({
        switchHost: "127.0.0.1",
        switchPort: double.port,
        switchPassword: Redacted.make(double.password),
        country: "DE",
        callRetention: 365,
        gatewayGone: Duration.millis(20),
        ...options
      }).pipe(Layer.provideMerge(BanWatch.layer([])))
    ),
    context
  )
  const { component } = Context.get(built, SwitchWatch.SwitchWatch)
  const bans = Context.get(built, BanWatch.BanWatch)
  yield* Context.get(context, Supervisor).startRegistered
  return { sql: Context.get(context, PgClient.PgClient), component, bans }
})

/** A double, an empty database and a connected watch. */
export const switchboard = Effect.fnUntraced(function* (options: Partial<SwitchWatch.SwitchWatchOptions> = {}) {
  const double = yield* SwitchDouble.make({})
  const database = yield* freshDatabase
  const watch = yield* watching(double, database, options)
  yield* connected(watch)
  return { double, database, ...watch }
})

export const connected = ({
  component
}: {
  readonly component: Effect.Effect<{ readonly status: string; readonly detail?: unknown }>
}) =>
  until(
    "the switch is connected",
    Effect.map(component, ({ detail, status }) => status === "ok" && detail === undefined)
  )

/** An incoming call over a trunk, with the legs of captures B86 and B89. */
export const inbound = (double: SwitchDoubleShape, called: string, caller: string) => {
  const id = randomUUID()
  const leg = (uuid: string, direction: string, more: Readonly<Record<string, string>> = {}) => ({
    "Unique-ID": uuid,
    "Channel-Call-UUID": id,
    "Call-Direction": direction,
    "Caller-Context": "public",
    "Caller-Caller-ID-Number": caller,
    "Caller-Destination-Number": called,
    ...more
  })
  return {
    id,
    rings: Effect.andThen(
      Effect.sync(() => void double.existing.add(id)),
      double.say("CHANNEL_CREATE", leg(id, "inbound"))
    ),
    /** Event of the leg to a phone. */
    phone: (name: string, extension: string) =>
      double.say(name, leg(randomUUID(), "outbound", { "Caller-Destination-Number": extension })),
    says: (name: string, more?: Readonly<Record<string, string>>) => double.say(name, leg(id, "inbound", more)),
    ends: (cause: string) =>
      Effect.andThen(
        Effect.sync(() => void double.existing.delete(id)),
        double.say("CHANNEL_HANGUP_COMPLETE", leg(id, "inbound", { "Hangup-Cause": cause }))
      )
  }
}

/** Inserts a number and a customer of tenant 7. */
export const seeded = (sql: PgClient.PgClient) =>
  Effect.gen(function* () {
    yield* sql`insert into sip_config.did (tenant_id, number, name, destination_type, destination_id, assigned) values (7, '+49305550', 'Main', 'extension', 1, true)`
    yield* sql`insert into sip_config.customer (tenant_id, number, name, locale) values (7, 'K-17', 'Bäckerei', 'de-AT'), (8, 'X', 'Theirs', 'fr')`
    yield* sql`insert into sip_config.customer_phone (tenant_id, customer_id, phone, tail) values (7, 1, '+491712345678', '1712345678'), (8, 2, '+491712345678', '1712345678')`
  })

/** Emitted events, oldest first. */
export const told = (sql: PgClient.PgClient, prefix: string) =>
  Effect.map(
    sql<{
      type: string
      tenant_id: number | null
      data: any
    }>`select type, tenant_id, data from core.event where type like ${`${prefix}%`} order by id`,
    (rows) => rows.map(({ data, tenant_id, type }) => ({ type, tenant: tenant_id, ...data }))
  )
