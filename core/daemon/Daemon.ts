/**
 * A daemon: a name, a port and a list of features. Name = folder = process = systemd instance = Postgres schema = log
 * `service`.
 */
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer, type Scope } from "effect"
import { HttpRouter } from "effect/http"
import type { HttpApi } from "effect/http-api"
import * as Cluster from "../cluster/Cluster.ts"
import type { SealedColumn } from "../config/Secrets.ts"
import type { Env, Fields, SettingProblem } from "../config/Settings.ts"
import * as Api from "../http/Api.ts"
import * as App from "../http/App.ts"
import * as BodyBounds from "../http/BodyBounds.ts"
import type { NodeListener, UpgradeListener } from "../http/Listener.ts"
import * as Lane from "../lane/Lane.ts"
import { forDaemon } from "../log/Log.ts"
import { type Migration, type Migrations, run as runMigrations, schemaOf } from "../sql/Migrations.ts"
import { make as makeSupervisor, Supervisor } from "../supervision/Supervisor.ts"
import type { DataCheck } from "./DataCheck.ts"
import { ApiDocument, type DaemonError, type Feature, type Platform, type Registries, type Route } from "./Feature.ts"
import * as Greeting from "./Greeting.ts"
import { Health, layer as healthLayer } from "./Health.ts"
import { isBelow, routesOf } from "./Routes.ts"

export type { DaemonError, Platform, Route } from "./Feature.ts"

/** A daemon declaration, used to list, start and mount it. Built by `make`. */
export interface Daemon {
  readonly name: string
  readonly title: string
  /** Default port; the variable is `SIGNALBOX_<NAME>_PORT`. */
  readonly port: number
  /** Keeps its own port even in `up`, because the daemon has its own public address. */
  readonly ownPort: boolean
  /** Shows settings, texts or states of all daemons, so its process loads the code of all. */
  readonly showsAll: boolean
  /** All settings of the daemon's features, by variable. */
  readonly settings: Fields
  /** Problems of the settings: of each setting alone and of their combination. Pure. */
  readonly problems: (env: Env) => ReadonlyArray<SettingProblem>
  readonly migrations: Migrations
  /** Checks of stored rows; none while the settings are invalid. */
  readonly dataChecks: (env: Env) => ReadonlyArray<DataCheck<void>>
  readonly queues: ReadonlyArray<string>
  /** Columns that hold secret envelopes; a key rotation seals them again. */
  readonly sealed: ReadonlyArray<SealedColumn>
  readonly routes: ReadonlyArray<Route>
  readonly api: HttpApi.Constraint
  /** Builds the features, starts their actors and returns the running daemon. The scope stops it. */
  readonly start: Effect.Effect<RunningDaemon, DaemonError, Platform | Scope.Scope>
}

export interface RunningDaemon {
  readonly listener: NodeListener
  readonly upgrade: UpgradeListener | undefined
  readonly health: Health["Service"]
  readonly supervisor: Supervisor["Service"]
  readonly greeting: Greeting.Lines
}

/** Declares a daemon. */
export const make = (declaration: {
  readonly name: string
  readonly title: string
  /** Purpose of the daemon's endpoints in one sentence, for the API documentation. */
  readonly description?: string
  /** Version of its API, for the documentation. */
  readonly version?: string
  readonly port: number
  readonly ownPort?: boolean
  /** Default: false. */
  readonly showsAll?: boolean
  readonly features: ReadonlyArray<Feature>
}): Daemon => {
  const { features, name } = declaration
  const settings = Object.fromEntries(
    features.flatMap((feature) => Object.values(feature.settings)).map((setting) => [setting.name, setting])
  )
  const migrations = { schema: schemaOf(name), steps: stepsOf(features) }
  const apis = features.flatMap((feature) => feature.api ?? [])
  const declared = features.flatMap((feature) => feature.routes)
  const api = Api.merge(name, apis)
  // A daemon with its own address answers all paths of that address.
  const routes = declaration.ownPort
    ? [{ prefix: "/" }, ...declared.filter(({ prefix }) => prefix !== "/")]
    : routesOf(apis, declared)
  const document = Api.titled(api, declaration)
  return {
    name,
    title: declaration.title,
    port: declaration.port,
    ownPort: declaration.ownPort ?? false,
    showsAll: declaration.showsAll ?? false,
    settings,
    problems: (env) => features.flatMap((feature) => feature.problems(env)),
    migrations,
    dataChecks: (env) => features.flatMap((feature) => feature.dataChecks(env)),
    queues: [...new Set(features.flatMap((feature) => feature.queues))],
    sealed: features.flatMap((feature) => feature.sealed),
    routes,
    api,
    start: start({
      name,
      migrations,
      api,
      document,
      routes,
      ownPort: declaration.ownPort ?? false,
      layer: layerOf(features)
    }).pipe(forDaemon(name))
  }
}

/** Migrations of all features, ordered by id. A duplicate id is a defect of the declaration. */
const stepsOf = (features: ReadonlyArray<Feature>): ReadonlyArray<Migration> => {
  const steps = features.flatMap((feature) => feature.migrations).toSorted((a, b) => a.id - b.id)
  const twice = steps.find((step, index) => steps[index - 1]?.id === step.id)
  if (twice !== undefined) throw new Error(`migration ${twice.id} (${twice.name}) has the id of another`)
  return steps
}

const layerOf = (features: ReadonlyArray<Feature>): Feature["layer"] => {
  let all: Feature["layer"] = Layer.empty
  for (const feature of features) all = Layer.merge(all, feature.layer)
  return all
}

const start = Effect.fnUntraced(function* (daemon: {
  readonly name: string
  readonly migrations: Migrations
  readonly api: HttpApi.Constraint
  /** The same API as published in the documentation. */
  readonly document: HttpApi.Constraint
  readonly routes: ReadonlyArray<Route>
  readonly ownPort: boolean
  readonly layer: Feature["layer"]
}) {
  yield* runMigrations(daemon.migrations)
  const supervisor = yield* makeSupervisor(daemon.name, yield* Cluster.place(daemon.name))
  const registries: Layer.Layer<Registries, never, Platform> = healthLayer.pipe(
    Layer.provideMerge(Layer.succeed(Supervisor, supervisor)),
    Layer.merge(Layer.mergeAll(Lane.layer, Greeting.layer, HttpRouter.layer, NodeHttpServer.layerHttpServices)),
    Layer.merge(Layer.succeed(ApiDocument, Api.top(daemon.document)))
  )
  const built = yield* Layer.build(
    Layer.merge(daemon.layer, App.systemRoutes(daemon.document)).pipe(Layer.provideMerge(registries))
  )
  const { handlers, paths, upgrade } = yield* Context.get(built, Lane.Lane).registered
  const lost = paths.filter((path) => !daemon.routes.some(({ prefix }) => isBelow(path, prefix)))
  if (lost.length > 0) return yield* Effect.die(new Error(`${daemon.name} declares no route for ${lost.join(", ")}`))
  const listener = yield* App.make({
    api: daemon.api,
    router: Context.get(built, HttpRouter.HttpRouter),
    maxBody: BodyBounds.make(daemon.routes),
    fastLane: handlers,
    guarded: daemon.ownPort
  })
  yield* supervisor.startRegistered
  return {
    listener,
    upgrade,
    health: Context.get(built, Health),
    supervisor,
    greeting: Context.get(built, Greeting.Greeting).lines
  } satisfies RunningDaemon
})
