/**
 * Starts daemons: one, any subset, or all of them behind the gateway (`up`). A process has one platform and one budget
 * of database connections. Each daemon has its own scope, so `up` can rebuild a failing daemon alone.
 *
 * Everything is built before READY. Stopping runs in the opposite order: listeners, daemons, platform. The caller
 * (daemons/main) sets the deadline of the stop.
 */
import { Effect, Latch, Layer, Redacted, Result, type Scope } from "effect"
import { join } from "node:path"
import * as Authentication from "../auth/Authentication.ts"
import * as ServiceTokens from "../auth/ServiceTokens.ts"
import * as Standing from "../auth/Standing.ts"
import { UserVerifier } from "../auth/UserVerifier.ts"
import * as Backoff from "../supervision/Backoff.ts"
import * as Cluster from "../cluster/Cluster.ts"
import { coreMigrations } from "../sql/CoreSchema.ts"
import type { Daemon, RunningDaemon } from "./Daemon.ts"
import { type DataDirectoryGone, untilGone, watchedPaths } from "./DataDirectoryWatch.ts"
import { awaitDatabase } from "../sql/AwaitDatabase.ts"
import * as Database from "../sql/Database.ts"
import { shortfalls } from "../sql/DatabaseNeeds.ts"
import { ConfigInvalid, Environment, settings } from "../config/Environment.ts"
import * as Events from "../events/Events.ts"
import * as Entrance from "../gateway/Entrance.ts"
import type { Gateway } from "../gateway/Gateway.ts"
import { gatewaySettings } from "../gateway/GatewaySettings.ts"
import * as BodyBounds from "../http/BodyBounds.ts"
import { listen, type ListenFailed } from "../http/Listener.ts"
import { type Trusted, trustedFrom } from "../http/ClientAddress.ts"
import * as HealthAccess from "./HealthAccess.ts"
import * as Incarnation from "../cluster/Incarnation.ts"
import { keepDaemon, petWatchdog, SuiteBroken } from "./KeepDaemon.ts"
import { type KnownDaemon, KnownDaemons, portVariable } from "./KnownDaemons.ts"
import { Listening } from "./Listening.ts"
import * as Jobs from "../jobs/Jobs.ts"
import * as ProcessMetrics from "../metrics/ProcessMetrics.ts"
import * as Migrations from "../sql/Migrations.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import * as PostgresKeeper from "../postgres/PostgresKeeper.ts"
import { parse as parseTarget } from "../postgres/ConnectionTarget.ts"
import * as Secrets from "../config/Secrets.ts"
import * as Settings from "../config/Settings.ts"
import { storedAmong } from "../settings/StoredSetting.ts"
import * as StoredSettings from "../settings/StoredSettings.ts"
import * as Sql from "../sql/Sql.ts"
import * as Brand from "../html/Brand.ts"
import * as StoredTexts from "../words/StoredTexts.ts"
import { idle, make as makeSupervisor } from "../supervision/Supervisor.ts"
import { step } from "./Progress.ts"
import { sweeps } from "./Sweeps.ts"
import * as Wake from "../events/Wake.ts"

export interface SuiteOptions {
  /** The daemons of this process. */
  readonly daemons: ReadonlyArray<Daemon>
  /** All existing daemons; every process must name the same ones. */
  readonly fleet: ReadonlyArray<KnownDaemon>
  /** Only in `up`: the daemons are mounted behind the gateway and have no ports of their own. */
  readonly gateway?: Gateway
  /** Verifies users' bearer tokens. Default: this process, with the keys and sessions in the database. */
  readonly verifier?: Layer.Layer<UserVerifier>
}

export interface RunningSuite {
  /** Listening address of each daemon and of the gateway. */
  readonly addresses: ReadonlyMap<string, { readonly host: string; readonly port: number }>
  /** A running daemon; undefined while it is being rebuilt. */
  readonly daemon: (name: string) => RunningDaemon | undefined
  /** Fails after an escalation that only a new process can repair, and when the data directory vanishes. */
  readonly broken: Effect.Effect<never, SuiteBroken | DataDirectoryGone>
}

/** Fails with every problem in the configuration of these daemons and of the platform. */
export const checkSettings = (daemons: ReadonlyArray<Daemon>): Effect.Effect<void, ConfigInvalid> =>
  Effect.gen(function* () {
    const env = yield* Environment
    const declared = [platformSettings, gatewaySettings, ports(daemons)].map((fields) => Settings.load(fields, env))
    const problems = [
      ...declared.flatMap((loaded) => (Result.isFailure(loaded) ? loaded.failure : [])),
      ...daemons.flatMap((daemon) => daemon.problems(env))
    ]
    const unique = [...new Map(problems.map((problem) => [problem.name, problem])).values()]
    if (unique.length > 0) return yield* new ConfigInvalid({ problems: unique })
  })

/** Port settings, by daemon. */
export const ports = (daemons: ReadonlyArray<Pick<KnownDaemon, "name" | "port">>) =>
  Object.fromEntries(
    daemons.map((daemon) => [
      daemon.name,
      Settings.port(portVariable(daemon.name), { doc: `Port of ${daemon.name}`, default: daemon.port })
    ])
  )

/**
 * The database that the environment names: `DATABASE_URL`, or the embedded server with the actor that supervises it.
 */
export const database = (applicationName: string) =>
  Effect.gen(function* () {
    const config = yield* settings(platformSettings)
    if (config.databaseUrl !== undefined) {
      const target = parseTarget(Redacted.value(config.databaseUrl))
      if (Result.isFailure(target)) {
        return yield* new ConfigInvalid({ problems: [{ name: "DATABASE_URL", message: target.failure.detail }] })
      }
      const layer = Database.layerTarget(target.success, { applicationName })
      return { layer, keeper: undefined, target: target.success }
    }
    const keeper = yield* PostgresKeeper.make({
      dataDir: config.dataDir,
      fsync: config.fsync,
      sharedSocketDir: config.postgresSharedSocket
    })
    const layer = Database.layerTarget(keeper.target, { applicationName, embedded: true })
    return { layer, keeper, target: keeper.target }
  })

/** Layers that every daemon uses. Migrates schema `core` first, because the engines keep tables beside it. */
export const platform = <E>(options: {
  readonly database: Layer.Layer<Database.Database, E>
  readonly names: ReadonlyArray<string>
  readonly fleet: ReadonlyArray<KnownDaemon>
  readonly queues: ReadonlyArray<string>
  readonly clusterHost: string
  readonly clusterPort: number
  readonly keyFile: string
  readonly healthAddresses: ReadonlyArray<string>
  readonly verifier?: Layer.Layer<UserVerifier> | undefined
}) => {
  const storage = Sql.layer.pipe(
    Layer.tap((context) => Effect.provideContext(Migrations.run(coreMigrations), context)),
    Layer.provideMerge(options.database)
  )
  const alive = Layer.mergeAll(Wake.layer, Incarnation.layer(options.names)).pipe(Layer.provideMerge(storage))
  const secrets = Secrets.layer(options.keyFile)
  const engines = Layer.mergeAll(
    Brand.layer.pipe(
      Layer.provideMerge(
        StoredSettings.layer(storedAmong(options.fleet.map((daemon) => daemon.settings))).pipe(Layer.provide(secrets))
      )
    ),
    StoredTexts.layer,
    Events.layer,
    Jobs.layer(options.queues),
    ServiceTokens.layer.pipe(Layer.provideMerge(Standing.layer)),
    Cluster.layer({
      daemons: options.fleet.map(({ name }) => name),
      running: options.names,
      host: options.clusterHost,
      port: options.clusterPort
    }),
    secrets
  ).pipe(Layer.provideMerge(alive))
  return Layer.mergeAll(
    Authentication.layer,
    HealthAccess.layer(options.healthAddresses),
    Layer.succeed(KnownDaemons, options.fleet)
  ).pipe(Layer.provideMerge(options.verifier ?? UserVerifier.layer), Layer.provideMerge(engines))
}

/** Builds and starts everything; the scope stops it. */
export const start = Effect.fnUntraced(function* (options: SuiteOptions) {
  yield* checkSettings(options.daemons)
  const config = yield* settings(platformSettings)
  const names = options.daemons.map((daemon) => daemon.name)
  yield* step(config.databaseUrl === undefined ? `the database in ${config.dataDir}` : "the database")
  const store = yield* database(`signalbox ${names.length > 3 ? "suite" : names.join(" ")}`)
  if (store.keeper === undefined) yield* awaitDatabase(store.target)
  const context = yield* Layer.build(
    platform({
      database: store.layer,
      names,
      fleet: options.fleet,
      queues: [...new Set(options.daemons.flatMap((daemon) => daemon.queues))],
      clusterHost: config.clusterHost,
      clusterPort: config.clusterPort,
      keyFile: config.keyFile ?? join(config.dataDir, "keys"),
      healthAddresses: config.healthAddresses,
      verifier: options.verifier
    })
  )
  const kept = watchedPaths(config.dataDir, store.keeper !== undefined)
  const trusted = trustedFrom(config.trustedProxies)
  const running = new Map<string, RunningDaemon>()
  const addresses = new Map<string, { host: string; port: number }>()
  const listening = Latch.makeUnsafe(false)

  return yield* Effect.provideContext(
    Effect.gen(function* () {
      yield* Migrations.refuseNewer(options.fleet.map(({ migrations }) => migrations))
      yield* logShortfalls(options.gateway === undefined ? options.fleet.length : 1)
      const frame = yield* startFrame(store.keeper)
      const stepOfDaemons = () => step(`daemons: ${running.size} of ${options.daemons.length} are up`)
      yield* stepOfDaemons()
      const failed = yield* Effect.forEach(
        options.daemons,
        (daemon) => Effect.tap(keepDaemon(daemon, running, options.gateway !== undefined), stepOfDaemons),
        { concurrency: 4 }
      )
      const frames = [frame]
      // Strangers reach the gateway, and daemons with an address of their own.
      const entrance =
        options.gateway !== undefined || options.daemons.some((daemon) => daemon.ownPort)
          ? yield* Entrance.start
          : undefined
      if (entrance !== undefined) frames.push(entrance.supervisor)
      if (options.gateway !== undefined && entrance !== undefined) {
        const gateway = yield* options.gateway.start({
          fleet: options.daemons,
          running: (name) => running.get(name),
          trusted,
          entrance
        })
        const mountedRoutes = options.daemons.flatMap(({ ownPort, routes }) =>
          routes.filter((route) => !ownPort || route.atGateway === true)
        )
        addresses.set(
          "gateway",
          yield* open(
            { host: config.bind, port: config.gatewayPort, setting: platformSettings.gatewayPort.name },
            gateway,
            trusted,
            BodyBounds.make(mountedRoutes)
          )
        )
      }
      for (const daemon of options.daemons) {
        if (options.gateway !== undefined && !daemon.ownPort) continue
        const [port] = Object.values(yield* settings(ports([daemon])))
        const target = mounted(daemon.name, running)
        addresses.set(
          daemon.name,
          yield* open(
            { host: config.bind, port: port!, setting: portVariable(daemon.name) },
            entrance !== undefined && daemon.ownPort ? Entrance.guard(entrance, daemon.routes, target) : target,
            trusted,
            BodyBounds.make(daemon.routes)
          )
        )
      }
      Latch.openUnsafe(listening)
      const watched = () => [...frames, ...Array.from(running.values(), (daemon) => daemon.supervisor)]
      yield* petWatchdog(watched)
      yield* ProcessMetrics.start({ daemon: names.length === 1 ? names[0]! : "suite", supervisors: watched })
      const escalated = frames.map((part) =>
        Effect.flatMap(
          part.escalated,
          ({ actor, message }) => new SuiteBroken({ daemon: `the ${part.daemon}`, reason: `${actor}: ${message}` })
        )
      )
      return {
        addresses,
        daemon: (name: string) => running.get(name),
        broken: Effect.raceAllFirst([...escalated, ...failed, untilGone(kept)])
      } satisfies RunningSuite
    }).pipe(Effect.provideService(Listening, listening)),
    context
  )
})

/** Logs what the database lacks without preventing a start. `processes`: processes of the whole deployment. */
const logShortfalls = (processes: number) =>
  Effect.flatMap(Database.Database, ({ embedded, facts }) =>
    Effect.forEach(
      embedded ? [] : shortfalls(facts, processes),
      ({ detail, sql }) =>
        Effect.logWarning(`the database: ${detail}${sql.length === 0 ? "" : `; mended by: ${sql.join(" ")}`}`),
      { discard: true }
    )
  )

/** Opens a listener on a port. */
const open = (
  place: { readonly host: string; readonly port: number; readonly setting: string },
  target: Pick<RunningDaemon, "listener" | "upgrade">,
  trusted: Trusted,
  maxBody: BodyBounds.BodyBound
): Effect.Effect<{ host: string; port: number }, ListenFailed, Scope.Scope> =>
  Effect.map(
    listen({
      ...place,
      listener: target.listener,
      ...(target.upgrade ? { upgrade: target.upgrade } : {}),
      trusted,
      maxBody
    }),
    (opened) => ({ host: place.host, port: opened.port })
  )

/** Forwards to the daemon that currently runs under this name. */
const mounted = (
  name: string,
  running: ReadonlyMap<string, RunningDaemon>
): Pick<RunningDaemon, "listener" | "upgrade"> => ({
  listener: (request, response) => {
    const daemon = running.get(name)
    if (daemon === undefined) {
      response.writeHead(503, { "retry-after": "1" }).end()
      return
    }
    daemon.listener(request, response)
  },
  upgrade: (request, socket, head) => {
    const upgrade = running.get(name)?.upgrade
    if (upgrade === undefined) socket.destroy()
    else upgrade(request, socket, head)
  }
})

/**
 * Starts the process's own actors: listening connection, reaper, job engine upkeep, and the keeper of the embedded
 * server.
 */
const startFrame = Effect.fnUntraced(function* (keeper: PostgresKeeper.PostgresKeeper | undefined) {
  const supervisor = yield* makeSupervisor("frame", yield* Cluster.place("default"))
  const wake = yield* Wake.Wake
  const incarnation = yield* Incarnation.Incarnation
  const jobs = yield* Jobs.Jobs
  if (keeper !== undefined) {
    yield* supervisor.start({ name: "embedded postgres", run: Effect.raceFirst(keeper.keep, idle) })
  }
  yield* supervisor.start({ ...wake.actor(incarnation.hold), backoff: Backoff.eager })
  yield* supervisor.start(jobs.reaper)
  yield* supervisor.start(jobs.upkeep)
  yield* supervisor.start(sweeps)
  return supervisor
})
