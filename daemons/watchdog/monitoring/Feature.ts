import type { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer, Semaphore } from "effect"
import { hostname } from "node:os"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { type ConfigInvalid, Environment, settings } from "#core/config/Environment.ts"
import { platformSettings } from "#core/config/PlatformSettings.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { KnownDaemons } from "#core/daemon/KnownDaemons.ts"
import type { Events } from "#core/events/Events.ts"
import type { Wake } from "#core/events/Wake.ts"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import type { StoredSettings } from "#core/settings/StoredSettings.ts"
import { transaction } from "#core/sql/Sql.ts"
import { periodic } from "#core/supervision/Periodic.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { type Alerts, alerts } from "../alerting/Exports.ts"
import { newestBackup } from "../backups/Exports.ts"
import { MonitoringApi } from "./Api.ts"
import type { Source } from "./BuiltCheck.ts"
import { checkSet, maxProbes } from "./CheckSet.ts"
import * as CheckStore from "./CheckStore.ts"
import { monitoringChecks } from "./Handlers.ts"
import { localAddresses } from "./LocalAddresses.ts"
import { checks } from "./migrations/0011_checks.ts"
import { resultWords } from "./migrations/0051_result_words.ts"
import { backupAges } from "./probes/Backups.ts"
import { certificateEndpoints, certificateFiles } from "./probes/Certificates.ts"
import { clock } from "./probes/Clock.ts"
import { containers } from "./probes/Containers.ts"
import { localDaemons, namedDaemons } from "./probes/Daemons.ts"
import { disks } from "./probes/Disks.ts"
import { machine } from "./probes/Machine.ts"
import { mailQueue } from "./probes/MailQueue.ts"
import { ofOperator } from "./probes/Operators.ts"
import { postgres } from "./probes/Postgres.ts"
import { units } from "./probes/Units.ts"
import { ResultWriter, resultWriter } from "./ResultWriter.ts"
import { monitoringSettings } from "./Settings.ts"

/** Interval of the deletion of old results. */
const pruneInterval = Duration.hours(1)

const pruning = periodic({
  name: "old results of checks",
  every: pruneInterval,
  round: Effect.map(transaction(CheckStore.prune), (gone) => `removed ${gone} results`)
})

const work = Effect.gen(function* () {
  const config = yield* settings(monitoringSettings)
  const { bind, gatewayPort, healthToken: token } = yield* settings(platformSettings)
  const sql = yield* SqlClient.SqlClient
  const http = yield* OutboundHttp
  const host = config.host ?? hostname()
  const all: ReadonlyArray<Source> = [
    disks(host, config.disks),
    machine(host),
    clock(host, config.timeServer, sql),
    units(host, config.units),
    containers(host, config.containerSocket, config.containers),
    mailQueue(host, config.postfix),
    certificateFiles(host, config.certificates),
    certificateEndpoints(config.endpoints),
    postgres(sql),
    localDaemons({
      host,
      local: localAddresses(yield* KnownDaemons, { env: yield* Environment, bind, gatewayPort }),
      token
    }),
    namedDaemons({ named: config.health, token }),
    backupAges(Effect.provideService(newestBackup, SqlClient.SqlClient, sql))
  ]
  const without = new Set<string>(config.without)
  const sources = all.map((source): Source => ({
    ...source,
    discover: (known) =>
      source.kinds.every((kind) => without.has(kind))
        ? Effect.succeed([])
        : Effect.map(source.discover(known), (found) => found?.filter(({ kind }) => !without.has(kind)))
  }))
  const places = Semaphore.makeUnsafe(maxProbes)
  const shared = { config, places, ofOperator: ofOperator({ commands: config.commands, http }) }
  const writer = yield* ResultWriter
  yield* Supervisor.actor(writer.actor)
  yield* Supervisor.actor(checkSet({ ...shared, host, sources: sources.filter(({ scope }) => scope === "host") }))
  yield* Supervisor.actor(
    checkSet({ ...shared, host: null, sources: sources.filter(({ scope }) => scope === "fleet") })
  )
  yield* Supervisor.actor(pruning)
  yield* Health.component("monitoring", writer.health)
})

/** `alerting`: who hears of alerts. */
export const monitoringWith = (
  alerting: Layer.Layer<Alerts, ConfigInvalid, SqlClient.SqlClient | PgClient.PgClient | Events | Wake | StoredSettings>
) =>
  Feature.make({
    settings: monitoringSettings,
    migrations: [checks, resultWords],
    api: MonitoringApi,
    layer: Layer.mergeAll(
      HttpApiBuilder.layer(MonitoringApi).pipe(Layer.provide(monitoringChecks)),
      Layer.effectDiscard(work).pipe(Layer.provide(resultWriter), Layer.provide(OutboundHttp.layer))
    ).pipe(Layer.provide(alerting))
  })

/** Checks of this machine, its services and our own daemons. */
export const monitoring = monitoringWith(alerts)
