/**
 * The shape of a daemon: a declaration that can be read in a minute, and the one way to build it. Name = folder =
 * process = systemd instance = Postgres schema = log `service`.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Scope } from "effect"
import type { Sharding } from "effect/cluster"
import type { HttpRouter } from "effect/http"
import type { HttpApi } from "effect/http-api"
import type { SqlClient, SqlError } from "effect/sql"
import type { Authentication } from "../auth/Authentication.ts"
import type { ServiceTokens } from "../auth/ServiceTokens.ts"
import type { Standing } from "../auth/Standing.ts"
import type { UserVerifier } from "../auth/UserVerifier.ts"
import * as Cluster from "../cluster/Cluster.ts"
import type { Database } from "../sql/Database.ts"
import type { ConfigInvalid } from "../config/Environment.ts"
import type { Events } from "../events/Events.ts"
import { type Component, Health, layer as healthLayer } from "./Health.ts"
import * as App from "../http/App.ts"
import * as BodyBounds from "../http/BodyBounds.ts"
import type { FastLane } from "../lane/FastLane.ts"
import type { NodeListener, UpgradeListener } from "../http/Listener.ts"
import type { Incarnation } from "../cluster/Incarnation.ts"
import type { Jobs } from "../jobs/Jobs.ts"
import { forDaemon } from "../log/Log.ts"
import { type Migrations, run as runMigrations, type SchemaTooNew } from "../sql/Migrations.ts"
import type { SealedColumn, Secrets } from "../config/Secrets.ts"
import type { Fields, SettingProblem, Values } from "../config/Settings.ts"
import { type ActorSpec, make as makeSupervisor, Supervisor } from "../supervision/Supervisor.ts"
import type { Wake } from "../events/Wake.ts"

/** What every daemon finds in a process, built once. */
export type Platform =
  | PgClient.PgClient
  | SqlClient.SqlClient
  | Database
  | Wake
  | Incarnation
  | Events
  | Jobs
  | Secrets
  | ServiceTokens
  | Standing
  | UserVerifier
  | Authentication
  | Sharding.Sharding

/** Paths a daemon answers, for the gateway and for `signalbox routes`. */
export interface Route {
  /** A path prefix such as `/api/v1/comm`; matches itself and what is below it. */
  readonly prefix: string
  /** Let the gateway refuse callers without credentials before the daemon sees them. Default false. */
  readonly authenticated?: boolean
  /** Default true. False for what servers of ours ask at their own pace, and strangers are refused by the daemon for next to nothing. */
  readonly rateLimited?: boolean
  /** Longest body, for a route that takes uploads. Unit: bytes. Default: Listener's `maxBodySize`. */
  readonly maxBody?: number
}

/** A daemon as it is listed, started and mounted; built by `make`. */
export interface Daemon {
  readonly name: string
  readonly title: string
  /** Default port; the variable is `SIGNALBOX_<NAME>_PORT`. */
  readonly port: number
  /** Keeps a port of its own in `up`, because its address is its own. */
  readonly ownPort: boolean
  readonly settings: Fields
  /** What is wrong with the settings together, each being right alone. */
  readonly conflicts: (values: any) => ReadonlyArray<SettingProblem>
  readonly migrations: Migrations
  readonly queues: ReadonlyArray<string>
  /** Columns that hold secret envelopes, which a rotation of the keys seals again. */
  readonly sealed: ReadonlyArray<SealedColumn>
  readonly routes: ReadonlyArray<Route>
  readonly api: HttpApi.Constraint
  /** Builds services, starts actors, and answers the running daemon; the scope stops it. */
  readonly start: Effect.Effect<RunningDaemon, DaemonError, Platform | Scope.Scope>
}

export type DaemonError = ConfigInvalid | SqlError.SqlError | SchemaTooNew

export interface RunningDaemon {
  readonly listener: NodeListener
  readonly upgrade: UpgradeListener | undefined
  readonly health: Health["Service"]
  readonly supervisor: Supervisor["Service"]
  readonly greeting: (base: string) => Effect.Effect<ReadonlyArray<string>>
}

/** Declares a daemon. `Services` are what `services` builds for its handlers and actors. */
export const make = <Services, Api extends HttpApi.Constraint, const F extends Fields>(declaration: {
  readonly name: string
  readonly title: string
  readonly port: number
  readonly ownPort?: boolean
  readonly settings: F
  /** What is wrong with the settings together, each being right alone. */
  readonly conflicts?: (values: Values<F>) => ReadonlyArray<SettingProblem>
  readonly migrations: Migrations
  /** Job queues it sends to or works on. */
  readonly queues: ReadonlyArray<string>
  /** Columns of envelopes made with `Secrets.contextOf`. Default none. */
  readonly sealed?: ReadonlyArray<SealedColumn>
  readonly routes: ReadonlyArray<Route>
  readonly api: Api
  /** The handlers: `HttpApiBuilder.layer(Api).pipe(Layer.provide(…groups))`. */
  readonly http: Layer.Layer<never, never, Services | Supervisor | Platform | HttpRouter.HttpRouter | any>
  readonly services: Layer.Layer<Services, DaemonError, Platform | Supervisor>
  /** What runs: started in this order once everything is built. */
  readonly actors: Effect.Effect<ReadonlyArray<ActorSpec<any>>, never, Services | Platform>
  /** Parts for `/health`, from what services know; no I/O. */
  readonly components?: Effect.Effect<Readonly<Record<string, Component>>, never, Services | Platform>
  readonly fastLane?: Effect.Effect<FastLane, never, Services>
  readonly upgrade?: Effect.Effect<UpgradeListener, never, Services>
  /** What to tell whoever started it, once it is ready; `base` is where its paths are reached. */
  readonly greeting?: (base: string) => Effect.Effect<ReadonlyArray<string>, never, Services | Platform>
}): Daemon => ({
  ...declaration,
  ownPort: declaration.ownPort ?? false,
  sealed: declaration.sealed ?? [],
  conflicts: declaration.conflicts ?? (() => []),
  start: Effect.gen(function* () {
    yield* runMigrations(declaration.migrations)
    const supervisor = yield* makeSupervisor(declaration.name, yield* Cluster.place(declaration.name))
    const services = yield* Layer.build(
      declaration.services.pipe(Layer.provideMerge(Layer.succeed(Supervisor, supervisor)))
    )
    const all = Context.merge(yield* Effect.context<Platform>(), services) as Context.Context<any>
    return yield* Effect.provideContext(
      Effect.gen(function* () {
        const built = yield* Layer.build(healthLayer(declaration.components ?? Effect.succeed({})))
        const health = Context.get(built, Health)
        const listener = yield* App.make({
          daemon: declaration.name,
          api: declaration.api,
          routes: declaration.http,
          maxBody: BodyBounds.make(declaration.routes),
          fastLane: declaration.fastLane === undefined ? new Map() : yield* declaration.fastLane
        }).pipe(Effect.provideService(Health, health))
        const upgrade = declaration.upgrade === undefined ? undefined : yield* declaration.upgrade
        for (const actor of yield* declaration.actors) yield* supervisor.start(actor)
        const { greeting } = declaration
        return {
          listener,
          upgrade,
          health,
          supervisor,
          greeting:
            greeting === undefined
              ? () => Effect.succeed([])
              : (base: string) => Effect.provideContext(greeting(base), all)
        }
      }),
      all
    )
  }).pipe(forDaemon(declaration.name)) as Daemon["start"]
})

/** The variable that sets a daemon's port. */
export const portVariable = (name: string): string => `SIGNALBOX_${name.toUpperCase().replaceAll("-", "_")}_PORT`
